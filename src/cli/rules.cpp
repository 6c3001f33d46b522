// quadrille rules: a file that makes an MPI choose the best of its own algorithms for this network.
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/parts/measured_rules.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "files/file.hpp"
#include "incumbents/explained.hpp"
#include "incumbents/incumbents.hpp"

namespace quadrille::cli {

namespace {

struct RulesFlags {
  std::string mpi, topology, most, effort, seconds = "20", out, explain;
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
  base::unknown_name("effort", effort, "name", {"estimate", "simulate", "measure"});
}

Bytes read_most(const std::string& text, std::string_view usual) {
  const Bytes most = base::parse_bytes(text.empty() ? usual : text, "--most");
  if (most < 8 || most > (Bytes{1} << 30))
    throw Error(Error::Kind::argument, fmt::format("--most {}: expected 8 to 1GiB", base::quoted(text)));
  return most;
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

/// Rules that are known, and what they were made from.
struct Chosen {
  std::vector<incumbents::Rules> rules;
  std::string heading, comment;  ///< of the answer, and in the file
  Machine machine;               ///< in whose unit times are told
  Json json;                     ///< what an answer begins with
};

Chosen choose(const RulesFlags& options, const Target& target, console::Context& context) {
  if (options.topology.empty())
    throw Error(Error::Kind::argument,
                "expected an MPI and a topology, such as openmpi-4.1 torus:4x4, or --explain FILE");
  const incumbents::Asked asked{target.mpi, parse_topology(options.topology), read(options.machine),
                                read_most(options.most, "4MiB"), read_effort(options.effort)};
  const TopologyPtr& topology = asked.topology;
  context.progress("timing the MPI's own algorithms");
  std::vector<incumbents::Rules> all =
      target.one_for_all ? incumbents::best_for_all_sizes(asked) : incumbents::best_rules(asked);
  if (all.empty())
    throw Error(Error::Kind::illegal, fmt::format("{}: nothing to choose for one rank", topology->text()));
  return {std::move(all),
          fmt::format("{} on {}, {}, machine {}", target.name, topology->text(),
                      console::some(topology->ranks(), "rank"), name_of(asked.machine, options.machine.by_default)),
          fmt::format("{}, {} ranks, machine {}", topology->text(), topology->ranks(), asked.machine.name),
          asked.machine,
          {{"mpi", target.name},
           {"topology", topology->text()},
           {"ranks", topology->ranks()},
           {"machine", json_of(asked.machine)}}};
}

Chosen measure(const RulesFlags& options, const Target& target, console::Context& context) {
  if (!options.topology.empty())
    throw Error(Error::Kind::argument,
                "--effort measure: the ranks are the processes that were started; leave TOPOLOGY out");
  if (target.name != "openmpi-4.1" && target.name != "mpich-4.0")
    throw Error(Error::Kind::argument,
                fmt::format("--effort measure: rules for {} cannot be measured; expected openmpi-4.1 or mpich-4.0",
                            target.name));
  const Seconds seconds = base::parse_number(options.seconds, "--seconds");
  MeasuredHere here = measure_rules(target.mpi, read_most(options.most, "1MiB"), seconds, context);
  if (here.rules.collectives.empty())
    throw Error(Error::Kind::transport, fmt::format("{} let none of its algorithms be chosen", here.library));
  Chosen chosen;
  chosen.machine = load_machine("localhost");  // times are told in seconds
  chosen.comment = fmt::format("measured between {} of {}", console::some(here.ranks, "rank"), here.library);
  chosen.heading = fmt::format("{}, {}", target.name, chosen.comment);
  chosen.json = {
      {"mpi", target.name}, {"ranks", here.ranks}, {"library", here.library}, {"hurried", here.rules.hurried}};
  chosen.json["own_choice_over_rules"] = Json::object();
  for (incumbents::MeasuredRules& one : here.rules.collectives) {
    chosen.json["own_choice_over_rules"][std::string(to_string(one.rules.collective))] = one.own_choice;
    chosen.rules.push_back(std::move(one.rules));
  }
  return chosen;
}

void print_worth(const Json& own_choice, console::Context& context) {
  std::string all;
  for (const auto& [collective, ratio] : own_choice.items())
    all += fmt::format("{}{} {:.2f}", all.empty() ? "" : ", ", collective, ratio.get<double>());
  console::print_line(
      context, "worth",
      "the MPI's own choice takes so many times as long, in the geometric mean over four sizes: " + all);
}

void run_rules(const RulesFlags& options, console::Context& context) {
  if (!options.explain.empty()) {
    if (!options.mpi.empty()) throw Error(Error::Kind::argument, "--explain reads a file; leave MPI and TOPOLOGY out");
    return run_explain(options.explain, context);
  }
  const bool measured = options.effort == "measure";
  if (measured) context.quiet = context.echo;  // what is wrong with the words is wrong everywhere
  const Target& target = find_target(options.mpi);
  if (!options.out.empty() && !context.echo) context.will_write(options.out);
  const Chosen chosen = measured ? measure(options, target, context) : choose(options, target, context);
  if (context.quiet) return;  // the first rank answers
  const std::string text = target.text(chosen.rules, chosen.comment);
  if (!options.out.empty()) files::write_file(options.out, text);
  if (context.json) {
    Json json = chosen.json;
    json["collectives"] = Json::array();
    for (const incumbents::Rules& rules : chosen.rules) json["collectives"].push_back(rules_json(rules));
    json["file"] = options.out.empty() ? Json(nullptr) : Json(options.out);
    return context.print_json(json);
  }
  if (options.out.empty() || files::is_standard_output(options.out)) {
    if (options.out.empty()) context.out += text;
    return;
  }
  context.print("{}\n\n", chosen.heading);
  print_rules(chosen.rules, chosen.machine, context);
  context.print("\nwrote   {}\n", options.out);
  if (measured) print_worth(chosen.json["own_choice_over_rules"], context);
  if (measured && chosen.json["hurried"])
    console::print_line(context, "note", "time was over before all near ties were measured; --seconds gives more");
  console::print_line(context, "use", fmt::format(fmt::runtime(target.use), options.out) + " (its whole path)");
}

}  // namespace

void add_rules(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<RulesFlags>();
  CLI::App& command = console::add_command(app, context, "rules",
                                           "A file that makes Open MPI or MPICH choose the best of its own algorithms",
                                           {"quadrille rules openmpi-4.1 torus:4x4 -o torus.rules",
                                            "quadrille rules mpich-4.0 hypercube:3 --machine cluster -o cube.json",
                                            "mpirun -n 8 quadrille rules openmpi-4.1 --effort measure -o here.rules",
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
                  "estimate: by price, round by round, the default; simulate: by simulated time, links shared; "
                  "measure: by times of the MPI that has started the processes, without a topology")
      ->type_name("NAME");
  command
      .add_option("--most", options->most,
                  "The largest block that is timed, from 8 B on by powers of two; default 4MiB, measured 1MiB")
      ->type_name("SIZE");
  command
      .add_option("--seconds", options->seconds,
                  "Of --effort measure: after which near ties are no longer measured again; default 20")
      ->type_name("S");
  command.add_option("-o,--out", options->out, "The file to write; - is standard output, the default")
      ->type_name("FILE");
  add_machine_options(command, options->machine);
  command.parse_complete_callback([options] {
    if (!options->topology.empty()) choose_machine(options->machine, options->topology);
  });
  command.callback([options, &context] { run_rules(*options, context); });
}

}  // namespace quadrille::cli
