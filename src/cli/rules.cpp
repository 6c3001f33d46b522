// quadrille rules: a file that makes an MPI choose the best of its own algorithms for this network.
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "files/file.hpp"
#include "incumbents/incumbents.hpp"

namespace quadrille::cli {

namespace {

struct RulesFlags {
  std::string mpi, topology, most = "4MiB", out;
  MachineOptions machine;
};

struct Target {
  std::string_view name;
  incumbents::Mpi mpi;
  std::string_view use;
};
constexpr Target targets[] = {
    {"openmpi-4.1", incumbents::Mpi::openmpi,
     "mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename {}"},
    {"openmpi-5.0", incumbents::Mpi::openmpi,
     "mpirun --mca coll_han_priority 0 --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "
     "{}"},
    {"mpich-4.0", incumbents::Mpi::mpich, "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE={} mpiexec"}};

const Target& find_target(const std::string& name) {
  std::vector<std::string> known;
  for (const Target& t : targets) {
    if (t.name == name) return t;
    known.emplace_back(t.name);
  }
  base::unknown_name("MPI", name, "name", known);
}

Json rules_json(const incumbents::Rules& rules) {
  Json rows = Json::array();
  for (const incumbents::Rule& r : rules.rules)
    rows.push_back({{"from_bytes", r.from},
                    {"name", r.use->name},
                    {"id", r.use->id},
                    {"segment_bytes", r.use->segment},
                    {"choice", r.use->choice},
                    {"price_s", r.time}});
  return {{"collective", to_string(rules.collective)}, {"ranks", rules.ranks}, {"rules", rows}};
}

void print_rules(const std::vector<incumbents::Rules>& all, const Machine& machine, console::Context& context) {
  console::Table table({{"collective"},
                        {"block from", console::Table::right},
                        {"its own"},
                        {"segment", console::Table::right},
                        {"the same here"},
                        {"time there", console::Table::right}});
  for (const incumbents::Rules& rules : all)
    for (const incumbents::Rule& r : rules.rules)
      table.add({std::string(to_string(rules.collective)), base::format_bytes(r.from), std::string(r.use->name),
                 r.use->segment > 0 ? base::format_bytes(r.use->segment) : "", std::string(r.use->choice),
                 console::time_text(r.time, machine)});
  table.print(context);
}

void run_rules(const RulesFlags& options, console::Context& context) {
  const Target& target = find_target(options.mpi);
  const TopologyPtr topology = parse_topology(options.topology);
  const Machine machine = read(options.machine);
  const Bytes most = base::parse_bytes(options.most, "--most");
  if (most < 8 || most > (Bytes{1} << 30))
    throw Error(Error::Kind::argument, fmt::format("--most {}: expected 8 to 1GiB", base::quoted(options.most)));
  if (!options.out.empty()) context.will_write(options.out);
  context.progress("pricing the MPI's own algorithms");
  const std::vector<incumbents::Rules> all = incumbents::best_rules(target.mpi, topology, machine, most);
  if (all.empty())
    throw Error(Error::Kind::illegal, fmt::format("{}: nothing to choose for one rank", topology->text()));
  const std::string text = target.mpi == incumbents::Mpi::mpich
                               ? incumbents::mpich_text(all)
                               : incumbents::openmpi_text(all, fmt::format("{}, {} ranks, machine {}", topology->text(),
                                                                           topology->ranks(), machine.name));
  if (!options.out.empty()) files::write_file(options.out, text);
  if (context.json) {
    Json json{{"mpi", target.name},
              {"topology", topology->text()},
              {"ranks", topology->ranks()},
              {"machine", json_of(machine)}};
    json["collectives"] = Json::array();
    for (const incumbents::Rules& rules : all) json["collectives"].push_back(rules_json(rules));
    json["file"] = options.out.empty() ? Json(nullptr) : Json(options.out);
    return context.print_json(json);
  }
  if (options.out.empty() || files::is_standard_output(options.out)) {
    if (options.out.empty()) context.out += text;
    return;
  }
  context.print("{} on {}, {}, machine {}\n\n", target.name, topology->text(), console::some(topology->ranks(), "rank"),
                name_of(machine, options.machine.by_default));
  print_rules(all, machine, context);
  context.print("\nwrote   {}\n", options.out);
  console::print_line(context, "use", fmt::format(fmt::runtime(target.use), options.out) + " (its whole path)");
}

}  // namespace

void add_rules(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<RulesFlags>();
  CLI::App& command = console::add_command(app, context, "rules",
                                           "A file that makes Open MPI or MPICH choose the best of its own algorithms",
                                           {"quadrille rules openmpi-4.1 torus:4x4 -o torus.rules",
                                            "quadrille rules mpich-4.0 hypercube:3 --machine cluster -o cube.json"});
  command.add_option("MPI", options->mpi, "openmpi-4.1, openmpi-5.0 or mpich-4.0")->required()->type_name("");
  command.add_option("TOPOLOGY", options->topology, "hypercube:6, ring:12, ... (see 'quadrille topology')")
      ->required()
      ->type_name("");
  command
      .add_option("--most", options->most,
                  "The largest block that is priced, from 8 B on by powers of two; default 4MiB")
      ->type_name("SIZE");
  command.add_option("-o,--out", options->out, "The file to write; - is standard output, the default")
      ->type_name("FILE");
  add_machine_options(command, options->machine);
  command.parse_complete_callback([options] { choose_machine(options->machine, options->topology); });
  command.callback([options, &context] { run_rules(*options, context); });
}

}  // namespace quadrille::cli
