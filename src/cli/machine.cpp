// quadrille machine: the presets, one machine constant by constant with its sources, or as a file to edit.
#include "quadrille/machine.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/machine.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "machine/keys.hpp"

namespace quadrille::cli {

namespace {

struct MachineFlags {
  MachineOptions machine;
  bool toml = false;
};

std::string wires(const Machine& m) {
  return fmt::format("{} port{}, {} duplex, {}", to_string(m.ports), m.ports == Ports::one ? "" : "s",
                     to_string(m.duplex), to_string(m.switching));
}

void print_presets(console::Context& context) {
  std::vector<Machine> machines;
  for (const std::string& name : machine_presets()) machines.push_back(load_machine(name));
  if (context.json) {
    Json list = Json::array();
    for (const Machine& m : machines) list.push_back(json_of(m));
    return context.print_json({{"machines", list}});
  }
  console::Table table({{"machine"},
                        {"start-up", console::Table::right},
                        {"per byte", console::Table::right},
                        {"ports, wires, switching"},
                        {"what it is"}});
  for (const Machine& m : machines)
    table.add({m.name, base::format_seconds(m.alpha), machine::per_byte_text(m.beta), wires(m), m.description});
  table.print(context);
}

}  // namespace

Json json_with_origins(const Machine& m) {
  Json json = json_of(m);
  Json origins = Json::object();
  for (const Machine::Origin& o : m.origins) origins[o.key] = {{"source", o.source}, {"honesty", to_string(o.honesty)}};
  json["origins"] = origins;
  return json;
}

Json json_with_origins(const MachineFile& file) {
  Json json = json_with_origins(file.machine);
  json["measured"] = json_of(file.measured);
  std::vector<std::string> given = file.given;
  std::sort(given.begin(), given.end());
  json["given"] = given;
  json["notes"] = implausible(file.machine);
  return json;
}

void print_machine(const MachineFile& file, console::Context& context) {
  if (context.json) return context.print_json(json_with_origins(file));
  print_machine(file.machine, context);
  const MeasuredOn& on = file.measured;
  if (on.known() || !implausible(file.machine).empty()) context.print("\n");
  if (on.known())
    console::print_line(context, "taken", fmt::format("{}{}", words_of(on), on.date.empty() ? "" : ", on " + on.date));
  for (const std::string& sentence : implausible(file.machine)) console::print_line(context, "note", sentence);
}

void print_machine(const Machine& m, console::Context& context) {
  if (context.json) return context.print_json(json_with_origins(m));
  context.print("{}{}{}\n", context.bold(m.name), m.description.empty() ? "" : ": ", m.description);
  console::Table table({{"constant"}, {"value", console::Table::right}, {"meaning"}});
  for (const machine::MachineKey* key : machine::keys_as_in_table())
    table.add({std::string(key->name), machine::text_of(m, *key), std::string(machine::brief_of(m, *key))});
  for (const LinkCost& c : m.links) {
    const std::string links = fmt::format("on links of kind {}", c.kind);
    if (c.alpha >= 0)
      table.add({"link." + c.kind + ".alpha", base::format_seconds(c.alpha), "start-up of a message only " + links});
    if (c.beta >= 0) table.add({"link." + c.kind + ".beta", machine::per_byte_text(c.beta), "a byte " + links});
    if (c.latency > 0) table.add({"link." + c.kind + ".latency", base::format_seconds(c.latency), "latency " + links});
  }
  table.print(context);
  if (m.origins.empty()) return;
  context.print("\nwhere they come from\n");
  console::Table sources({{"constant"}, {"honesty"}, {"source"}});
  for (const Machine::Origin& o : m.origins) sources.add({o.key, std::string(to_string(o.honesty)), o.source});
  sources.print(context);
}

namespace {

void run_machine(const MachineFlags& options, console::Context& context) {
  if (options.toml && context.json)
    throw Error(Error::Kind::argument, "--toml answers in TOML and --json in JSON; give one of them");
  if (!options.machine.name.empty()) {
    const MachineFile file = read_file(options.machine);
    if (options.toml) {
      context.out += to_text(file);
      return;
    }
    return print_machine(file, context);
  }
  if (options.toml || !options.machine.assignments.empty())
    throw Error(Error::Kind::argument, fmt::format("{} needs a machine; presets: {}", options.toml ? "--toml" : "--set",
                                                   base::join(machine_presets(), ", ")));
  print_presets(context);
}

}  // namespace

void add_machine(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<MachineFlags>();
  CLI::App& command = console::add_command(app, context, "machine",
                                           "Machines: the presets, the constants of one and where they come from",
                                           {"quadrille machine", "quadrille machine unit",
                                            "quadrille machine unit --set alpha=95us --set beta=2.5GB/s --toml"});
  command.add_option("MACHINE", options->machine.name, "A preset or a TOML file; without it: the presets")
      ->type_name("");
  add_assignments(command, options->machine);
  command.add_flag("--toml", options->toml, "The machine as a file, to edit and give to --machine");
  command.callback([options, &context] { run_machine(*options, context); });
}

}  // namespace quadrille::cli
