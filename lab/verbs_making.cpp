// up, down, set.
#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "system.hpp"
#include "verbs.hpp"

namespace quadrille::lab {

namespace {

struct UpRequest {
  Choice choice;
  std::string network, rate = "20mbit", trunk, congestion = "reno";
  int mtu = 1500;
  bool fifo = false;
};

void make(const UpRequest& request, console::Context& context) {
  const Wiring wiring = parse_wiring(request.network);
  Options options{parse_rate(request.rate), 0, request.mtu, request.fifo, request.congestion};
  if (!request.trunk.empty()) options.trunk = parse_rate(request.trunk);
  if (options.mtu < 576 || options.mtu > 9000)
    throw Error(Error::Kind::argument, fmt::format("MTU {}: expected 576 to 9000", options.mtu));
  if (request.congestion.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-") != std::string::npos)
    throw Error(Error::Kind::argument,
                fmt::format("congestion control {}: expected a name such as reno", base::quoted(request.congestion)));
  const std::filesystem::path folder = request.choice.folder();
  require_root();
  notice_signals();
  umask(022);
  context.progress(fmt::format("making {} ...", wiring.text));
  const Lab lab = up(folder, wiring, options);
  if (context.json)
    context.print_json({{"network", wiring.text}, {"hosts", wiring.hosts}, {"state", folder.string()}});
  else
    context.print("{} is up: {}\n", wiring.text, summary(lab.blueprint));
}

struct DownRequest {
  Choice choice;
};

void remove(const DownRequest& request, console::Context& context) {
  require_root();
  notice_signals();
  const std::vector<std::string> removed = down(request.choice.folder());
  if (context.json)
    context.print_json({{"removed", removed}});
  else
    context.print("down: {} namespaces removed\n", removed.size());
}

struct SetRequest {
  Choice choice;
  std::string a, b, rate;
};

void change(const SetRequest& request, console::Context& context) {
  const Rate rate = parse_rate(request.rate);
  require_root();
  notice_signals();
  Lab lab = open(request.choice.folder());
  const int a = parse_node(lab.blueprint, request.a), b = parse_node(lab.blueprint, request.b);
  set_rate(lab, a, b, rate);
  if (context.json)
    context.print_json({{"a", request.a}, {"b", request.b}, {"bits_per_second", rate}});
  else
    context.print("{} - {} has {} each way\n", node_label(lab.blueprint.wiring, a), node_label(lab.blueprint.wiring, b),
                  format_rate(rate));
}

}  // namespace

void add_choice(CLI::App& command, Choice& choice) {
  command.add_option("-l,--lab", choice.name, "Name of the lab, for more than one at a time (default: default)");
  command.add_option("--state", choice.state, "Folder that stands for the lab (default: /run/quadrille-lab/NAME)");
}

std::string summary(const Blueprint& b) {
  const Wiring& w = b.wiring;
  std::string links = w.medium == Medium::bus
                          ? fmt::format("one bus of {}", format_rate(b.options.rate))
                          : fmt::format("{} links of {}", 2 * w.wires.size(), format_rate(b.options.rate));
  if (b.options.trunk > 0) links += fmt::format(" (between switches {})", format_rate(b.options.trunk));
  return fmt::format("{} hosts, {}, MTU {}, {}", w.hosts, links, b.options.mtu,
                     b.options.fifo ? "first come first served" : "fair between source hosts");
}

void add_making_verbs(CLI::App& app, console::Context& context) {
  auto making = std::make_shared<UpRequest>();
  CLI::App& up_command =
      console::add_command(app, context, "up", "Make a network",
                           {"quadrille-lab up ring:8", "quadrille-lab up torus:4x4 --rate 10mbit --mtu 4000",
                            "quadrille-lab up fattree:2x4x1 --trunk 40mbit"});
  up_command
      .add_option("NETWORK", making->network,
                  "ring:P, mesh:AxB, torus:AxB, hypercube:D, crossbar:P (star:P), bus:P (ethernet:P), fattree:LxHxS (L "
                  "leaf switches with H hosts each, S spines); at most 64 hosts")
      ->required();
  up_command.add_option("--rate", making->rate,
                        "Bits a second of a link, each way; of the whole bus (default: 20mbit)");
  up_command.add_option("--trunk", making->trunk, "The same of links between switches (default: as --rate)");
  up_command.add_option("--mtu", making->mtu, "Bytes of a packet, 576 to 9000 (default: 1500)");
  up_command.add_flag("--fifo", making->fifo, "First come first served, instead of fair between source hosts");
  up_command.add_option("--congestion", making->congestion, "TCP's congestion control (default: reno)");
  add_choice(up_command, making->choice);
  up_command.callback([making, &context] { make(*making, context); });

  auto removing = std::make_shared<DownRequest>();
  CLI::App& down_command =
      console::add_command(app, context, "down", "Remove a network, finished or not, and end what runs in it",
                           {"quadrille-lab down", "quadrille-lab down --lab other"});
  add_choice(down_command, removing->choice);
  down_command.callback([removing, &context] { remove(*removing, context); });

  auto changing = std::make_shared<SetRequest>();
  CLI::App& set_command = console::add_command(app, context, "set", "Change the rate of one wire, both ways",
                                               {"quadrille-lab set 0 1 5mbit", "quadrille-lab set 3 s0 5mbit"});
  set_command.add_option("A", changing->a, "A host, or a switch: 3, s0")->required();
  set_command.add_option("B", changing->b, "The host or switch at the other end")->required();
  set_command.add_option("RATE", changing->rate, "Bits a second, each way")->required();
  add_choice(set_command, changing->choice);
  set_command.callback([changing, &context] { change(*changing, context); });
}

}  // namespace quadrille::lab
