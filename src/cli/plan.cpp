// quadrille plan: what to use, how long it takes and why, how far from the limit, and what was not chosen.
#include "quadrille/plan.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/json.hpp"
#include "cli/plan_facts.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"

namespace quadrille::cli {

namespace {

struct Options {
  Request request;
  bool all = false;
};

constexpr std::size_t rows_without_all = 8;

std::string name_of(const Candidate& c) { return to_text(*c.algorithm, c.params); }

Json candidate_json(const Candidate& c, const Task& task) {
  Json json = json_of(*c.algorithm, c.params);
  json["exact"] = c.exact;
  json.update(json_of(c.cost, task));
  return json;
}

void print_json(const Plan& plan, const Task& task, Context& context) {
  Json json = json_of(task);
  json["best"] = plan.possible() ? candidate_json(plan.best(), task) : Json(nullptr);
  json["bound"] = json_of(plan.bound);
  json["gap"] = plan.possible() ? Json(plan.gap()) : Json(nullptr);
  const Candidate* second = plan.possible() ? plan.runner_up() : nullptr;
  json["runner_up"] = second ? candidate_json(*second, task) : Json(nullptr);
  json["facts"] = plan.possible() ? Json(facts(plan)) : Json::array();
  Json candidates = Json::array(), refused = Json::array();
  for (const Candidate& c : plan.candidates) candidates.push_back(candidate_json(c, task));
  for (const Refusal& r : plan.refused) refused.push_back({{"algorithm", r.algorithm->name}, {"reason", r.reason}});
  json["candidates"] = candidates;
  json["refused"] = refused;
  context.print_json(json);
}

void print_time(const Candidate& best, const Task& task, Context& context) {
  const CostParts p = parts(best.cost, task.machine, *task.spec.topology);
  struct Row {
    std::string_view name;
    Seconds time;
    std::string what;
  };
  const std::vector<Row> rows{
      {"start-up", p.startup, some(best.cost.startups, "round")},
      {"circuit", p.circuit,
       task.machine.circuit == CircuitCost::exact ? some(best.cost.hops, "hop") : "half the diameter per message"},
      {"wire", p.wire, format_bytes(best.cost.bytes) + " on the busiest link or port"},
      {"permute", p.permute, format_bytes(best.cost.permuted + best.cost.packed) + " rearranged by a rank"},
      {"barrier", p.barrier, some(best.cost.barriers, "barrier")}};
  for (const Row& row : rows)
    if (row.time > 0)
      context.print("        {:<9} {:>10}  {:>7}  {}\n", row.name, time_text(row.time, task.machine),
                    share(row.time, p.total()), context.faint(row.what));
}

void print_second(const Plan& plan, Context& context) {
  const Seconds best = plan.best().time;
  const auto phrase = [&](const Candidate& c) {
    return fmt::format("{}: {}, {}", name_of(c), time_text(c.time, plan.machine), slower(c.time, best));
  };
  if (plan.candidates.size() < 2) return print_line(context, "second", "nothing else can run here");
  const Candidate& second = plan.candidates[1];
  const Candidate* other = plan.runner_up();
  print_line(context, "second", phrase(second));
  if (other != nullptr && other->algorithm != second.algorithm)
    print_line(context, "", "and of another kind " + phrase(*other));
}

void print_candidates(const Plan& plan, bool all, Context& context) {
  const std::size_t shown = all ? plan.candidates.size() : std::min(plan.candidates.size(), rows_without_all);
  context.print("\n{} priced{}\n", some(static_cast<std::int64_t>(plan.candidates.size()), "candidate"),
                shown < plan.candidates.size() ? fmt::format("; the best {} (--all for the rest)", shown) : "");
  Table table({{"candidate"},
               {"time", Table::right},
               {"vs best", Table::right},
               {"rounds", Table::right},
               {"on the wire", Table::right},
               {"rearranged", Table::right},
               {"barriers", Table::right}});
  const Seconds best = plan.best().time;
  for (std::size_t i = 0; i < shown; ++i) {
    const Candidate& c = plan.candidates[i];
    table.add({name_of(c), time_text(c.time, plan.machine), best > 0 ? format_ratio(c.time / best) : "-",
               format_count(c.cost.startups), format_bytes(c.cost.bytes), format_bytes(c.cost.permuted + c.cost.packed),
               format_count(c.cost.barriers)});
    if (i == 0) table.emphasise();
  }
  table.print(context);
}

void print_refused(const Plan& plan, Context& context) {
  if (plan.refused.empty()) return;
  context.print("{} cannot run here\n", some(static_cast<std::int64_t>(plan.refused.size()), "algorithm"));
  std::size_t width = 0;
  for (const Refusal& r : plan.refused) width = std::max(width, r.algorithm->name.size());
  for (const Refusal& r : plan.refused)
    context.print("  {:<{}}  {}\n", r.algorithm->name, width, context.faint(wrapped(r.reason, width + 4)));
}

void run(const Options& options, Context& context) {
  const Task task = read(options.request);
  const Plan plan = quadrille::plan(task.spec, task.machine);
  if (!plan.possible()) context.status = Status::no;
  if (context.json) return print_json(plan, task, context);
  context.print("{}\n\n", heading(task));
  if (!plan.possible()) return print_refused(plan, context);
  const Candidate& best = plan.best();
  context.print("use     {}\n", context.bold(name_of(best)));
  print_line(context, "", fmt::format("{} ({})", best.algorithm->summary, best.algorithm->source));
  context.print("time    {}{}\n", context.bold(time_text(best.time, task.machine)),
                best.exact ? "" : " (the closed form is an estimate)");
  print_time(best, task, context);
  print_limit(plan.bound, plan.gap(), task.machine, context);
  print_second(plan, context);
  for (const std::string& fact : facts(plan)) print_line(context, "note", fact);
  context.print("prove   {}\n", command_line("verify", options.request, *best.algorithm, best.params));
  print_candidates(plan, options.all, context);
  if (!plan.refused.empty()) context.print("\n");
  print_refused(plan, context);
}

}  // namespace

void add_plan(CLI::App& app, Context& context) {
  auto options = std::make_shared<Options>();
  CLI::App& command =
      add_command(app, context, "plan", "What to use, how long it takes, how far from the limit, and why",
                  {"quadrille plan alltoall hypercube:6 --machine ipsc860 --bytes 32"});
  add_request(command, options->request, Needs::no_algorithm, "localhost", "threads of this computer");
  command.add_flag("--all", options->all, "Every candidate in the table, not only the best");
  command.callback([options, &context] { run(*options, context); });
}

}  // namespace quadrille::cli
