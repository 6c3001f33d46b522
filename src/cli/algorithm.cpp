// quadrille algorithm: what there is, what can run where and why not, and everything about one.
#include "quadrille/algorithm.hpp"

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/parts/algorithm_formula.hpp"
#include "cli/parts/algorithm_overview.hpp"
#include "collective/traits.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "quadrille/sources.hpp"

namespace quadrille::cli {

namespace {

struct AlgorithmFlags {
  std::string name, topology, bytes = "1KiB", sources, demands;
  bool list = false, markdown = false;
  MachineOptions machine;
};

/// A network and a machine on which legality is asked about.
struct Place {
  TopologyPtr topology;
  Machine machine;
  std::string setting;  ///< what was changed to make it legal: " with --set switching=circuit"
};

/// What would be asked for; or why that cannot be asked for on this network, whatever performs it.
struct Question {
  Spec spec;
  std::string refusal;
  std::string illegal(const Algorithm& a, const Machine& machine) const {
    return refusal.empty() ? a.illegal(spec, machine, {}) : refusal;
  }
};

Question question(const Algorithm& a, const TopologyPtr& topology, const AlgorithmFlags& options) {
  Question q{{.collective = a.collective, .topology = topology, .bytes = base::parse_bytes(options.bytes, "bytes")},
             ""};
  try {
    const collective::Traits& traits = collective::traits(a.collective);
    if (traits.facts().sources && !options.sources.empty())
      q.spec.sources = parse_sources(options.sources, *topology, q.spec.bytes);
    else if (traits.facts().demands && !options.demands.empty())
      q.spec.demands = demands_named(options.demands, *topology, q.spec.bytes);
    else
      traits.complete(q.spec);
    q.spec = checked(q.spec);
  } catch (const Error& error) {
    q.refusal = error.what();
  }
  return q;
}

/// --on, or a small network of every family; the machine asked for, or the default one, with messages past ranks where
/// only these make the algorithm legal.
std::vector<Place> places(const Algorithm& a, const AlgorithmFlags& options, const Machine& machine) {
  std::vector<TopologyPtr> topologies;
  if (!options.topology.empty()) topologies.push_back(parse_topology(options.topology));
  if (topologies.empty())
    for (const TopologyFamily& f : topology_families())
      if (!f.examples.empty()) topologies.push_back(f.make(f.examples.front()));
  std::vector<Place> all;
  for (const TopologyPtr& t : topologies) {
    Place place{t, machine, ""};
    const Question asked = question(a, t, options);
    for (const Switching past : {Switching::circuit, Switching::wormhole}) {
      Machine other = machine;
      other.switching = past;
      if (options.machine.by_default && options.machine.assignments.empty() &&
          !asked.illegal(a, place.machine).empty() && asked.illegal(a, other).empty())
        place = {t, other, fmt::format(" with --set switching={}", to_string(past))};
    }
    all.push_back(std::move(place));
  }
  return all;
}

/// What it promises with these parameters in this place, in the words of a reader.
std::vector<std::string> phrases(const Algorithm& a, const Spec& spec, const Machine& machine, const Params& params) {
  const Claims c = a.claims(spec, machine, params);
  return {a.cost(spec, machine, params).packed == 0
              ? "every message is one run of memory"
              : "some messages are several runs of memory, which a machine with rho > 0 charges for",
          c.once ? "no rank receives the same piece twice" : "some pieces arrive more than once",
          c.contention_free ? "at most one message on a link and round" : "messages may share a link in a round",
          c.exact ? "the closed form equals the counted price" : "the closed form is an estimate of the counted price"};
}

Json summary_json(const Algorithm& a) {
  Json parameters = Json::array();
  for (const Parameter& p : a.parameters)
    parameters.push_back(
        {{"name", p.name}, {"meaning", p.meaning}, {"is_list", p.is_list}, {"low", p.low}, {"high", p.high}});
  const ClosedForm& form = a.closed_form;
  return {{"algorithm", a.name},
          {"collective", to_string(a.collective)},
          {"closed_form",
           {{"startups", form.startups}, {"bytes", form.bytes}, {"further", form.further}, {"where", form.where.text}}},
          {"file", a.file},
          {"summary", a.summary},
          {"source", a.source},
          {"parameters", parameters}};
}

Json place_json(const Algorithm& a, const Question& asked, const Machine& machine) {
  const std::string reason = asked.illegal(a, machine);
  const Spec& spec = asked.spec;
  Json json{{"topology", spec.topology->text()},
            {"switching", to_string(machine.switching)},
            {"legal", reason.empty()},
            {"reason", reason}};
  if (!reason.empty()) return json;
  const std::vector<Params> variants = a.variants(spec, machine);
  json["variants"] = variants.size();
  if (variants.empty()) return json;
  const Claims claims = a.claims(spec, machine, variants.front());
  json["one_run_messages"] = a.cost(spec, machine, variants.front()).packed == 0;
  json["claims"] = {{"once", claims.once}, {"contention_free", claims.contention_free}, {"exact", claims.exact}};
  return json;
}

void print_list(const AlgorithmFlags& options, const Machine& machine, console::Context& context) {
  const TopologyPtr topology = options.topology.empty() ? nullptr : parse_topology(options.topology);
  if (context.json) {
    Json list = Json::array();
    for (const Algorithm& a : algorithms()) {
      Json entry = summary_json(a);
      if (topology) entry.update(place_json(a, question(a, topology, options), machine));
      list.push_back(entry);
    }
    Json json{{"algorithms", list}};
    if (!topology && !options.list) json["matrix"] = overview_json(overview(machine, base::parse_bytes(options.bytes)));
    return context.print_json(json);
  }
  if (topology)
    context.print("What can run on {} ({} ranks), machine {}\n\n", topology->text(),
                  base::format_count(topology->ranks()), name_of(machine, options.machine.by_default));
  std::size_t width = 0;
  for (const Algorithm& a : algorithms()) width = std::max(width, a.name.size());
  Collective last = algorithms().front().collective;
  for (const Algorithm& a : algorithms()) {
    if (&a == &algorithms().front() || a.collective != last)
      context.print("{}{}: {}\n", &a == &algorithms().front() ? "" : "\n", context.bold(to_string(a.collective)),
                    describe(a.collective));
    last = a.collective;
    const std::string reason = topology ? question(a, topology, options).illegal(a, machine) : "";
    context.print("  {:<{}}  {}\n", a.name, width,
                  console::wrapped(reason.empty() ? std::string(a.summary) : "no: " + reason, width + 4));
    if (reason.empty())
      context.print("  {:<{}}  {}\n", "", width, context.faint(console::wrapped(a.source, width + 4)));
  }
}

void print_places(const Algorithm& a, const AlgorithmFlags& options, const Machine& machine,
                  console::Context& context) {
  context.print("\nwhere it runs, machine {}\n", name_of(machine, options.machine.by_default));
  std::vector<std::string> claims;
  for (const Place& place : places(a, options, machine)) {
    const Question asked = question(a, place.topology, options);
    const Spec& spec = asked.spec;
    const std::string reason = asked.illegal(a, place.machine);
    const std::vector<Params> variants = reason.empty() ? a.variants(spec, place.machine) : std::vector<Params>{};
    const std::string yes = fmt::format("yes{}: {} worth pricing", place.setting,
                                        console::some(static_cast<std::int64_t>(variants.size()), "variant"));
    context.print("  {:<14} {}\n", place.topology->text(),
                  console::wrapped(reason.empty() ? yes : "no: " + reason, 17));
    if (claims.empty() && !variants.empty()) claims = phrases(a, spec, place.machine, variants.front());
  }
  if (claims.empty()) return;
  context.print("\nwhat it promises there\n");
  for (const std::string& claim : claims) context.print("  - {}\n", claim);
}

void print_one(const Algorithm& a, const AlgorithmFlags& options, const Machine& machine, console::Context& context) {
  if (context.json) {
    Json json = summary_json(a);
    json["machine"] = json_of(machine);
    Json list = Json::array();
    for (const Place& place : places(a, options, machine))
      list.push_back(place_json(a, question(a, place.topology, options), place.machine));
    json["places"] = list;
    return context.print_json(json);
  }
  context.print("{}: {}\n", context.bold(a.name), a.summary);
  context.print("  performs       {}: {}\n", to_string(a.collective), describe(a.collective));
  context.print("  source         {}\n", console::wrapped(a.source, 17));
  context.print("  file           {}\n", a.file);
  const ClosedForm& form = a.closed_form;
  context.print("  closed form    {}\n", console::wrapped(to_text(form), 17));
  if (!form.startups.empty())
    context.print("                 {}\n", context.faint(console::wrapped(closed_form_letters(), 17)));
  for (const Parameter& p : a.parameters)
    if (p.is_choice)
      context.print("  {}\n                 {}\n", fmt::format("{}=(algorithm)", p.name),
                    console::wrapped(p.meaning, 17));
    else
      context.print("  {}\n                 {}; from {} to {}\n",
                    fmt::format("{}={}", p.name, p.is_list ? "a,b,..." : "n"), console::wrapped(p.meaning, 17), p.low,
                    base::format_count(p.high));
  print_places(a, options, machine, context);
}

void run_algorithm(const AlgorithmFlags& options, console::Context& context) {
  const Machine machine = read(options.machine);
  const Bytes bytes = base::parse_bytes(options.bytes, "bytes");  // refused even where no network is asked about
  if (options.markdown) return print_markdown(overview(machine, bytes), machine, bytes, context);
  if (options.name.empty() && options.topology.empty() && !options.list && !context.json)
    return print_overview(overview(machine, bytes), name_of(machine, options.machine.by_default), bytes, context);
  if (options.name.empty()) return print_list(options, machine, context);
  print_one(find_algorithm(options.name), options, machine, context);
}

}  // namespace

void add_algorithm(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<AlgorithmFlags>();
  CLI::App& command = console::add_command(
      app, context, "algorithm", "Algorithms: what there is, what can run where, everything about one",
      {"quadrille algorithm", "quadrille algorithm alltoall_mce", "quadrille algorithm --on hypercube:4"});
  command.add_option("ALGORITHM", options->name, "A name; without it: the best of every collective on every network")
      ->type_name("");
  command.add_flag("--list", options->list, "All of them, with what they do and where they are from");
  command
      .add_option("--on", options->topology, "Ask about this network: what can run there, and why the others cannot")
      ->type_name("TOPOLOGY");
  command.add_option("--bytes", options->bytes, "... with blocks of this size; default 1KiB")->type_name("SIZE");
  command
      .add_option("--sources", options->sources,
                  "... and these sources of a multibcast; default about sqrt(P) ranks evenly apart")
      ->type_name("LIST|PATTERN");
  command
      .add_option("--demands", options->demands,
                  "... and these demands of an alltoallv; default each rank to about sqrt(P) others")
      ->type_name("LIST|PATTERN|FILE");
  add_machine_options(command, options->machine);
  command.add_flag("--markdown", options->markdown, "All of them as docs/reference/algorithms.md, priced on 64 ranks")
      ->excludes("ALGORITHM", "--on", "--list", "--json");
  command.callback([options, &context] { run_algorithm(*options, context); });
}

}  // namespace quadrille::cli
