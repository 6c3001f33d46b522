// list, status, links, probe.
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "console/table.hpp"
#include "system.hpp"
#include "verbs.hpp"

namespace quadrille::lab {

namespace {

void list(console::Context& context) {
  nlohmann::ordered_json labs = nlohmann::ordered_json::array();
  console::Table table({{"lab"}, {"network"}, {"state"}});
  for (const std::string& name : names()) {
    const std::optional<Lab> lab = find(folder_of(name));
    if (!lab) continue;
    labs.push_back({{"lab", name}, {"network", lab->blueprint.wiring.text}, {"finished", lab->finished}});
    table.add({name, lab->blueprint.wiring.text, lab->finished ? "up" : "unfinished: 'quadrille-lab down' removes it"});
  }
  if (context.json)
    context.print_json({{"labs", labs}});
  else if (table.empty())
    context.print("no lab is up\n");
  else
    table.print(context);
}

nlohmann::ordered_json json_of(const std::vector<Traffic>& links) {
  nlohmann::ordered_json rows = nlohmann::ordered_json::array();
  for (const Traffic& t : links) {
    rows.push_back({{"link", t.link},
                    {"bits_per_second", t.rate},
                    {"bytes", t.bytes},
                    {"packets", t.packets},
                    {"drops", t.drops},
                    {"queued_bytes", t.queued}});
    if (t.failed) rows.back()["failed"] = true;
  }
  return rows;
}

void print_links(const std::vector<Traffic>& links, console::Context& context) {
  console::Table table({{"link"},
                        {"rate", console::Table::right},
                        {"bytes", console::Table::right},
                        {"packets", console::Table::right},
                        {"drops", console::Table::right},
                        {"queued", console::Table::right}});
  for (const Traffic& t : links)
    table.add({t.link, t.failed ? "failed" : format_rate(t.rate), base::format_count(t.bytes),
               base::format_count(t.packets), base::format_count(t.drops), base::format_count(t.queued)});
  table.print(context);
}

void status(const Choice& choice, console::Context& context) {
  require_root();
  const std::optional<Lab> lab = find(choice.folder());
  if (!lab || !lab->finished) {
    context.status = console::no;
    if (context.json)
      context.print_json({{"up", false}, {"unfinished", lab.has_value()}});
    else
      context.print("{}\n", lab ? "unfinished: 'quadrille-lab down' removes it" : "no lab is up here");
    return;
  }
  const Blueprint& b = lab->blueprint;
  const std::vector<Traffic> links = traffic(*lab);
  nlohmann::ordered_json hosts = nlohmann::ordered_json::array();
  console::Table table({{"host"}, {"namespace"}, {"address"}, {"processes", console::Table::right}});
  for (int host = 0; host < b.wiring.hosts; ++host) {
    const std::string& name = b.nodes[static_cast<std::size_t>(host)].name;
    const std::size_t processes = processes_in(name).size();
    hosts.push_back({{"host", host}, {"namespace", name}, {"address", address(host)}, {"processes", processes}});
    table.add({std::to_string(host), name, address(host), std::to_string(processes)});
  }
  if (context.json) {
    context.print_json({{"up", true},
                        {"network", b.wiring.text},
                        {"topology", b.wiring.topology},
                        {"mtu", b.options.mtu},
                        {"fifo", b.options.fifo},
                        {"congestion", b.options.congestion},
                        {"state", lab->folder.string()},
                        {"hosts", hosts},
                        {"links", json_of(links)}});
    return;
  }
  context.print("{}: {}\n\n", b.wiring.text, summary(b));
  table.print(context);
  context.print("\n");
  print_links(links, context);
}

struct ProbeRequest {
  Choice choice;
  std::string from, to, bytes = "1MiB";
};

void measure(const ProbeRequest& request, console::Context& context) {
  const Bytes bytes = base::parse_bytes(request.bytes);
  if (bytes < 1 || bytes > Bytes{1} << 30)
    throw Error(Error::Kind::argument, fmt::format("probe: {} bytes; expected 1 to 1GiB", bytes));
  require_root();
  const Lab lab = open(request.choice.folder());
  const int from = parse_node(lab.blueprint, request.from), to = parse_node(lab.blueprint, request.to);
  if (std::max(from, to) >= lab.blueprint.wiring.hosts)
    throw Error(Error::Kind::argument, "probe: hosts have addresses, switches have none");
  context.progress(fmt::format("{} from {} to {} ...", base::format_bytes(bytes), from, to));
  const Probe found = probe(lab, from, to, bytes);
  if (context.json)
    context.print_json({{"from", from},
                        {"to", to},
                        {"bytes", bytes},
                        {"bits_per_second", found.bits_per_second},
                        {"round_trip_s", found.round_trip}});
  else
    context.print("{} -> {}: {:.2f} Mbit/s, a byte there and back in {}\n", from, to, found.bits_per_second / 1e6,
                  base::format_seconds(found.round_trip));
}

}  // namespace

void add_looking_verbs(CLI::App& app, console::Context& context) {
  console::add_command(app, context, "list", "All labs under /run/quadrille-lab", {"quadrille-lab list"})
      .callback([&context] { list(context); });

  auto looking = std::make_shared<Choice>();
  CLI::App& status_command = console::add_command(
      app, context, "status", "Hosts and links of a lab, and what went through them", {"quadrille-lab status --json"});
  add_choice(status_command, *looking);
  status_command.callback([looking, &context] { status(*looking, context); });

  auto counting = std::make_shared<Choice>();
  CLI::App& links_command =
      console::add_command(app, context, "links", "What went through each link", {"quadrille-lab links"});
  add_choice(links_command, *counting);
  links_command.callback([counting, &context] {
    require_root();
    const std::vector<Traffic> links = traffic(open(counting->folder()));
    context.json ? context.print_json({{"links", json_of(links)}}) : print_links(links, context);
  });

  auto measuring = std::make_shared<ProbeRequest>();
  CLI::App& probe_command = console::add_command(app, context, "probe", "Measure TCP between two hosts",
                                                 {"quadrille-lab probe 0 3", "quadrille-lab probe 0 3 --bytes 64KiB"});
  probe_command.add_option("FROM", measuring->from, "Host that sends")->required();
  probe_command.add_option("TO", measuring->to, "Host that receives")->required();
  probe_command.add_option("--bytes", measuring->bytes, "How much (default: 1MiB)");
  add_choice(probe_command, measuring->choice);
  probe_command.callback([measuring, &context] { measure(*measuring, context); });
}

}  // namespace quadrille::lab
