// quadrille rules: a file that makes an MPI choose the best of its own algorithms for this network.
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "files/file.hpp"
#include "incumbents/explained.hpp"
#include "incumbents/incumbents.hpp"

namespace quadrille::cli {

namespace {

struct RulesFlags {
  std::string mpi, topology, most = "4MiB", effort, out, explain;
  MachineOptions machine;
};

struct Target {
  std::string_view name;
  incumbents::Mpi mpi;
  std::string_view use;
  std::string (*text)(const std::vector<incumbents::Rules>& rules, const std::string& comment);
  bool one_for_all = false;  ///< it cannot say sizes
};
constexpr Target targets[] = {
    {"openmpi-4.1", incumbents::Mpi::openmpi,
     "mpirun --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename {}",
     [](const auto& rules, const auto& comment) { return incumbents::openmpi_text(rules, comment); }},
    {"openmpi-5.0", incumbents::Mpi::openmpi,
     "mpirun --mca coll_han_priority 0 --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "
     "{}",
     [](const auto& rules, const auto& comment) { return incumbents::openmpi_text(rules, comment); }},
    {"openmpi-6", incumbents::Mpi::openmpi,
     "mpirun --mca coll_han_priority 0 --mca coll_tuned_use_dynamic_rules 1 --mca coll_tuned_dynamic_rules_filename "
     "{} --mca coll_tuned_verbose 1",
     [](const auto& rules, const auto&) { return incumbents::openmpi_json(rules); }},
    {"mpich-4.0", incumbents::Mpi::mpich, "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE={} mpiexec",
     [](const auto& rules, const auto&) { return incumbents::mpich_text(rules); }},
    {"mpich-settings", incumbents::Mpi::mpich, ". {}, then mpiexec",
     [](const auto& rules, const auto&) { return incumbents::mpich_settings(rules); }, true}};

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
                    {"name", r.use.own->name},
                    {"id", r.use.own->id},
                    {"segment_bytes", r.use.segment()},
                    {"fanout", r.use.fanout()},
                    {"choice", r.use.choice()},
                    {"differs", r.use.own->differs},
                    {"time_s", r.time}});
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
      table.add({std::string(to_string(rules.collective)), base::format_bytes(r.from), std::string(r.use.own->name),
                 r.use.segment() > 0 ? base::format_bytes(r.use.segment()) : "", r.use.choice(),
                 console::time_text(r.time, machine)});
  table.print(context);
}

incumbents::By read_effort(const std::string& effort) {
  if (effort.empty() || effort == "estimate") return incumbents::By::price;
  if (effort == "simulate") return incumbents::By::simulation;
  base::unknown_name("effort", effort, "name", {"estimate", "simulate"});
}

void run_explain(const std::string& path, console::Context& context) {
  constexpr std::size_t most = std::size_t{4} << 20;
  const incumbents::Explained said = incumbents::explain(files::read_file(path, most, "rules file"));
  if (!said.mistakes.empty()) context.status = console::Status::no;
  if (context.json) {
    Json rows = Json::array();
    for (const incumbents::Said& one : said.says)
      rows.push_back({{"collective", one.collective},
                      {"ranks", one.ranks},
                      {"from", one.from},
                      {"algorithm", one.algorithm},
                      {"details", one.details}});
    return context.print_json(
        {{"file", path}, {"form", said.form}, {"rules", rows}, {"mistakes", said.mistakes}, {"remarks", said.remarks}});
  }
  context.print("{}: {}\n\n", path, said.form);
  console::Table table({{"collective"}, {"ranks"}, {"from"}, {"algorithm"}, {"with"}});
  for (const incumbents::Said& one : said.says)
    table.add({one.collective, one.ranks, one.from, one.algorithm, one.details});
  table.print(context);
  context.print("\n");
  for (const std::string& mistake : said.mistakes) console::print_line(context, "wrong", mistake);
  for (const std::string& remark : said.remarks) console::print_line(context, "note", remark);
  if (said.mistakes.empty()) console::print_line(context, "good", "no mistake is known that it makes");
}

void run_rules(const RulesFlags& options, console::Context& context) {
  if (!options.explain.empty()) {
    if (!options.mpi.empty()) throw Error(Error::Kind::argument, "--explain reads a file; leave MPI and TOPOLOGY out");
    return run_explain(options.explain, context);
  }
  if (options.topology.empty())
    throw Error(Error::Kind::argument,
                "expected an MPI and a topology, such as openmpi-4.1 torus:4x4, or --explain FILE");
  const Target& target = find_target(options.mpi);
  const Bytes most = base::parse_bytes(options.most, "--most");
  if (most < 8 || most > (Bytes{1} << 30))
    throw Error(Error::Kind::argument, fmt::format("--most {}: expected 8 to 1GiB", base::quoted(options.most)));
  const incumbents::Asked asked{target.mpi, parse_topology(options.topology), read(options.machine), most,
                                read_effort(options.effort)};
  const TopologyPtr& topology = asked.topology;
  const Machine& machine = asked.machine;
  if (!options.out.empty()) context.will_write(options.out);
  context.progress("timing the MPI's own algorithms");
  const std::vector<incumbents::Rules> all =
      target.one_for_all ? incumbents::best_for_all_sizes(asked) : incumbents::best_rules(asked);
  if (all.empty())
    throw Error(Error::Kind::illegal, fmt::format("{}: nothing to choose for one rank", topology->text()));
  const std::string text =
      target.text(all, fmt::format("{}, {} ranks, machine {}", topology->text(), topology->ranks(), machine.name));
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
                                            "quadrille rules mpich-4.0 hypercube:3 --machine cluster -o cube.json",
                                            "quadrille rules --explain /etc/openmpi/our.rules"});
  command
      .add_option("MPI", options->mpi,
                  "openmpi-4.1, openmpi-5.0, openmpi-6, mpich-4.0, or mpich-settings: variables, one algorithm for all "
                  "sizes")
      ->type_name("");
  command.add_option("TOPOLOGY", options->topology, "hypercube:6, ring:12, ... (see 'quadrille topology')")
      ->type_name("");
  command
      .add_option("--explain", options->explain,
                  "Read a rules file of either MPI: what it says, and what is wrong with it; 1 where something is")
      ->type_name("FILE");
  command
      .add_option("--effort", options->effort,
                  "estimate: by price, round by round, the default; simulate: by simulated time, links shared")
      ->type_name("NAME");
  command
      .add_option("--most", options->most,
                  "The largest block that is priced, from 8 B on by powers of two; default 4MiB")
      ->type_name("SIZE");
  command.add_option("-o,--out", options->out, "The file to write; - is standard output, the default")
      ->type_name("FILE");
  add_machine_options(command, options->machine);
  command.parse_complete_callback([options] {
    if (!options->topology.empty()) choose_machine(options->machine, options->topology);
  });
  command.callback([options, &context] { run_rules(*options, context); });
}

}  // namespace quadrille::cli
