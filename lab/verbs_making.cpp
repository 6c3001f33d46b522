// up, down.
#include <sys/stat.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "quadrille/machine.hpp"
#include "system.hpp"
#include "verbs.hpp"

namespace quadrille::lab {

namespace {

struct UpRequest {
  Choice choice;
  std::string network, rate, trunk, machine, congestion = "reno";
  int mtu = 1500;
  bool fifo = false;
};

/// Bits a second of a machine's seconds per byte.
Rate rate_of(double beta, std::string_view what) {
  const double rate = 8 / beta;
  if (beta > 0 && rate >= 64e3 && rate <= 10e9) return std::llround(rate);
  throw Error(Error::Kind::argument,
              fmt::format("machine: {} has {:.4g} s/B, which is {:.4g} Mbit/s; a lab's links have "
                          "64kbit to 10gbit",
                          what, beta, rate / 1e6));
}

/// What is asked for, else what the network says, else 20 Mbit/s; of kinds that a machine tells apart what it says.
void set_rates(Options& options, const UpRequest& request, const Wiring& wiring) {
  if (!request.trunk.empty()) options.trunk = parse_rate(request.trunk);
  if (wiring.stated > 0) options.rate = 0;
  if (!request.machine.empty()) {
    const Machine machine = load_machine(request.machine);
    options.rate = rate_of(machine.beta, "beta");
    for (const LinkCost& cost : machine.links)
      if (cost.beta >= 0 && std::count(wiring.kinds.begin(), wiring.kinds.end(), cost.kind) > 0 &&
          !(wiring.per_host > 1 && cost.kind == wiring.kinds.front()))
        options.kinds[cost.kind] = rate_of(cost.beta, "link." + cost.kind);
  }
  if (!request.rate.empty()) options.rate = parse_rate(request.rate);
}

nlohmann::ordered_json json_of_up(const Lab& lab) {
  const Wiring& w = lab.blueprint.wiring;
  nlohmann::ordered_json answer{{"network", w.text}, {"hosts", w.hosts}};
  if (w.per_host > 1) answer["ranks"] = w.ranks();
  answer["state"] = lab.folder.string();
  return answer;
}

void make(const UpRequest& request, console::Context& context) {
  const Wiring wiring = parse_wiring(request.network);
  Options options{.kinds = {}, .mtu = request.mtu, .fifo = request.fifo, .congestion = request.congestion};
  set_rates(options, request, wiring);
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
    context.print_json(json_of_up(lab));
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

/// "20mbit", "20mbit to 40mbit", of wires that are not a trunk with a rate of its own.
std::string rates_in_words(const Blueprint& b) {
  Rate least = 0, most = 0;
  for (std::size_t i = 0; i < b.wiring.wires.size(); ++i) {
    const Rate rate = b.changes.rates[i];
    if (b.options.trunk > 0 && b.wiring.wires[i].trunk) continue;
    least = least == 0 ? rate : std::min(least, rate);
    most = std::max(most, rate);
  }
  return least == most ? format_rate(least) : fmt::format("{} to {}", format_rate(least), format_rate(most));
}

}  // namespace

void add_choice(CLI::App& command, Choice& choice) {
  command.add_option("-l,--lab", choice.name, "Name of the lab, for more than one at a time (default: default)");
  command.add_option("--state", choice.state, "Folder that stands for the lab (default: /run/quadrille-lab/NAME)");
}

std::string summary(const Blueprint& b) {
  const Wiring& w = b.wiring;
  const auto one_way =
      static_cast<std::size_t>(std::count_if(w.wires.begin(), w.wires.end(), [](const Wire& x) { return x.one_way; }));
  std::string links = w.medium == Medium::bus
                          ? fmt::format("one bus of {}", format_rate(b.options.rate))
                          : fmt::format("{} links of {}", 2 * w.wires.size() - one_way, rates_in_words(b));
  if (b.options.trunk > 0) links += fmt::format(" (between switches {})", format_rate(b.options.trunk));
  return fmt::format("{} hosts{}, {}, MTU {}, {}", w.hosts,
                     w.per_host > 1 ? fmt::format(" with {} ranks each", w.per_host) : "", links, b.options.mtu,
                     b.options.fifo ? "first come first served" : "fair between source hosts");
}

void add_making_verbs(CLI::App& app, console::Context& context) {
  auto making = std::make_shared<UpRequest>();
  CLI::App& up_command = console::add_command(
      app, context, "up", "Make a network",
      {"quadrille-lab up ring:8", "quadrille-lab up torus:4x4 --rate 10mbit --mtu 4000", "quadrille-lab up 'star:4*2'",
       "quadrille-lab up fattree:2x4x1 --trunk 40mbit", "quadrille-lab up graph:cluster.net --rate 5mbit"});
  up_command
      .add_option("NETWORK", making->network,
                  "ring:P, mesh:AxB, torus:AxB, hypercube:D, crossbar:P (star:P), bus:P (ethernet:P), fattree:LxHxS (L "
                  "leaf switches with H hosts each, S spines), graph:FILE, and whatever else joins hosts and switches "
                  "('quadrille topology' lists them); with K ranks on each host: star:4*K; at most 64 hosts")
      ->required();
  up_command.add_option("--rate", making->rate,
                        "Bits a second of a link of width 1, each way; of the whole bus (default: what the network "
                        "says, else 20mbit)");
  up_command.add_option("--trunk", making->trunk, "The same of links between switches (default: as --rate)");
  up_command.add_option("--machine", making->machine,
                        "A preset or file whose beta, and that of kinds of links, says the same of them");
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
}

}  // namespace quadrille::lab
