// quadrille verify: what was proven of a schedule, or the counterexample; of one algorithm or of all that can run.
#include "quadrille/verify.hpp"

#include <algorithm>

#include "algorithm/from_file.hpp"
#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "collective/traits.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "quadrille/plan.hpp"
#include "report/json.hpp"

namespace quadrille::cli {

namespace {

struct VerifyFlags {
  Request request;
  bool no_symmetry = false;
};

/// One algorithm under proof. `unproven` says why nothing was decided: the budget.
struct Case {
  Choice choice;
  Proof proof;
  std::string unproven = {};
  /// Circuits that hold what others want, when ranks run ahead into later rounds: the simulator's circle.
  std::string stops = {};
  bool holds() const { return proof.holds && stops.empty(); }
};

Json case_json(const Case& c, bool reduces) {
  const Proof& p = c.proof;
  Json json = json_of(*c.choice.algorithm, c.choice.params);
  json["holds"] = c.holds();
  json["statements"] = p.statements;
  json["counterexample"] = report::counterexample_json(p.counterexample);
  json["stops"] = c.stops.empty() ? Json(nullptr) : Json(c.stops);
  json["unproven"] = c.unproven.empty() ? Json(nullptr) : Json(c.unproven);
  json["by_symmetry"] = p.by_symmetry;
  json["rounds"] = p.rounds;
  json["messages"] = p.messages;
  json["deliveries"] = p.deliveries;
  json["duplicates"] = p.duplicates;
  json["scratch_bytes"] = p.scratch;
  json["link_messages"] = p.link_messages;
  json["visits"] = p.visits;
  if (!reduces) return json;
  json["in_order"] = p.in_order ? Json(*p.in_order) : Json(nullptr);
  json["identical"] = p.identical ? Json(to_string(*p.identical)) : Json(nullptr);
  json["depth"] = p.depth;
  return json;
}

std::string place_of(const Counterexample& x) {
  return x.round < 0 ? fmt::format("at the end, rank {}", x.rank) : fmt::format("round {}, rank {}", x.round, x.rank);
}

void print_case(const Case& c, console::Context& context) {
  const Proof& p = c.proof;
  const std::string name = to_text(*c.choice.algorithm, c.choice.params);
  if (const auto& x = p.counterexample) {
    context.print("{} is {}\n", name, context.bad_news("wrong: " + std::string(to_string(x->kind))));
    context.print("  {}: {}\n", place_of(*x), console::wrapped(x->text, 2));
    return;
  }
  if (!c.unproven.empty()) {
    context.print("{} is not decided\n  {}\n", name, console::wrapped(c.unproven, 2));
    return;
  }
  context.print("{} is {}{}\n", name, context.good("proven correct"),
                p.by_symmetry ? ", by symmetry: representatives stood for all ranks" : ", rank by rank");
  for (const std::string& statement : p.statements) context.print("  - {}\n", console::wrapped(statement, 4));
  if (!c.stops.empty())
    context.print("{}\n  {}\n", context.bad_news("but it may come to a stop when ranks run ahead of others"),
                  console::wrapped(c.stops, 2));
}

/// Of reductions, whose deliveries never repeat what was there: order, bits and depth.
std::vector<std::string> results(const Spec& spec, const Proof& p) {
  const std::string bits = !p.identical || !collective::facts(spec).same_result ? "-"
                           : *p.identical == Identical::strictly                ? "yes"
                           : *p.identical == Identical::commutatively           ? "if swapped"
                                                                                : "no";
  return {!p.in_order ? "-" : *p.in_order ? "yes" : "no", bits, base::format_count(p.depth)};
}

void print_table(const Spec& spec, const std::vector<Case>& cases, console::Context& context) {
  const bool reduces = combines(spec);
  std::vector<console::Table::Column> columns{{"proven"},
                                              {"rounds", console::Table::right},
                                              {"messages", console::Table::right},
                                              {"deliveries", console::Table::right}};
  if (reduces)
    columns.insert(columns.end(), {{"in order"}, {"same bits"}, {"depth", console::Table::right}});
  else
    columns.push_back({"repeated", console::Table::right});
  columns.insert(columns.end(),
                 {{"per link", console::Table::right}, {"scratch", console::Table::right}, {"by"}, {"algorithm"}});
  console::Table table(std::move(columns));
  for (const Case& c : cases) {
    const Proof& p = c.proof;
    std::vector<std::string> row;
    if (c.holds()) {
      row.insert(row.end(), {"yes", base::format_count(p.rounds), base::format_count(p.messages),
                             base::format_count(p.deliveries)});
      for (std::string& cell : reduces ? results(spec, p) : std::vector<std::string>{base::format_count(p.duplicates)})
        row.push_back(std::move(cell));
      row.insert(row.end(), {base::format_count(p.link_messages), base::format_bytes(p.scratch),
                             p.by_symmetry ? "symmetry" : "all ranks"});
    } else {
      row.push_back(!c.stops.empty() ? "MAY STOP" : c.unproven.empty() ? "WRONG" : "not decided");
      row.insert(row.end(), reduces ? 8 : 6, "-");
      row.emplace_back("see below");
    }
    row.push_back(to_text(*c.choice.algorithm, c.choice.params));
    table.add(std::move(row));
  }
  table.print(context);
  for (const Case& c : cases) {
    if (c.proof.counterexample || !c.stops.empty()) context.print("\n"), print_case(c, context);
    if (!c.unproven.empty()) context.print("\n{}: {}\n", c.choice.algorithm->name, console::wrapped(c.unproven, 2));
  }
}

/// Proofs go round by round. Where messages hold their links, ranks that run ahead may hold what others want: a short
/// simulation finds out.
std::string circle_of(const Task& task, const Choice& choice) {
  const Network network = usual_network(task.machine, *task.spec.topology);
  if (network != Network::circuit) return {};
  std::int64_t messages = std::int64_t{1} << 18;
  const Timing played = simulated(task.spec, task.machine, choice, {.network = network}, messages);
  return played.how == Timing::How::impossible ? played.why : "";
}

/// A proof, a counterexample, or why there is neither within the budget.
Case prove(const Task& task, const Choice& choice, VerifyBudget budget, console::Context& context) {
  if (const std::string why = algorithm::unprovable(choice); !why.empty()) throw Error(Error::Kind::illegal, why);
  const Built built = build(task.spec, task.machine, choice);
  budget.progress = context.progress_of(fmt::format("proving {}", choice.algorithm->name));
  try {
    Case c{built.choice, verify(task.spec, task.machine, *built.schedule, built.claims, budget)};
    if (c.proof.holds) c.stops = circle_of(task, built.choice);
    return c;
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    return {built.choice, {}, error.what()};
  }
}

/// Every algorithm that can run; those that cannot are counted. Each may take an equal share of what is left of the
/// budget: what one does not need is for the others.
std::vector<Case> prove_all(const Task& task, VerifyBudget budget, std::int64_t& refused, console::Context& context) {
  std::vector<const Algorithm*> legal;
  for (const Algorithm& a : algorithms()) {
    if (a.collective != task.spec.collective) continue;
    if (a.illegal(task.spec, task.machine, {}).empty())
      legal.push_back(&a);
    else
      ++refused;
  }
  std::vector<Case> cases;
  std::int64_t visits = budget.visits;
  for (const Algorithm* a : legal) {
    budget.visits = visits / static_cast<std::int64_t>(legal.size() - cases.size());
    cases.push_back(prove(task, {a, {}}, budget, context));
    visits -= cases.back().unproven.empty() ? cases.back().proof.visits : budget.visits;
  }
  return cases;
}

/// A counterexample is a no, whatever was not decided beside it.
console::Status status_of(const std::vector<Case>& cases) {
  if (cases.empty()) return console::Status::no;
  console::Status status = console::Status::yes;
  for (const Case& c : cases) {
    if (c.proof.counterexample || !c.stops.empty()) return console::Status::no;
    if (!c.unproven.empty()) status = console::Status::undecided;
  }
  return status;
}

void run_verify(const VerifyFlags& options, console::Context& context) {
  const Task task = read(options.request);
  const VerifyBudget budget{.visits = read_budget(options.request, VerifyBudget{}.visits),
                            .use_symmetry = !options.no_symmetry};
  const bool one = !options.request.algorithm.empty();
  std::int64_t refused = 0;
  const std::vector<Case> cases =
      one ? std::vector<Case>{prove(task, parse_choice(options.request.algorithm), budget, context)}
          : prove_all(task, budget, refused, context);
  const bool holds = !cases.empty() && std::all_of(cases.begin(), cases.end(), [](const Case& c) { return c.holds(); });
  context.status = status_of(cases);
  if (context.json) {
    Json json = json_of(task);
    json["holds"] = holds;
    json["proofs"] = Json::array();
    for (const Case& c : cases) json["proofs"].push_back(case_json(c, combines(task.spec)));
    return context.print_json(json);
  }
  context.print("{}\n\n", heading(task));
  if (one) return print_case(cases.front(), context);
  if (cases.empty())
    context.print("nothing to prove: no algorithm can run\n");
  else
    print_table(task.spec, cases, context);
  if (refused > 0)
    context.print("\n{} cannot run here; '{}' says why\n", console::some(refused, "algorithm"),
                  why_not_line(options.request));
}

}  // namespace

void add_verify(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<VerifyFlags>();
  CLI::App& command =
      console::add_command(app, context, "verify", "Prove that a schedule does its work, or show where it fails",
                           {"quadrille verify allgather hypercube:5 --set ports=all --algorithm allgather_tea2",
                            "quadrille verify alltoall hypercube:4 --set switching=circuit"});
  add_request(command, options->request, Needs::maybe_algorithm);
  add_budget(command, options->request);
  command.add_flag("--no-symmetry", options->no_symmetry, "Execute every rank, even where one stands for all");
  command.callback([options, &context] { run_verify(*options, context); });
}

}  // namespace quadrille::cli
