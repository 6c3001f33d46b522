#include "cli/parts/plan_table.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "console/picture.hpp"
#include "console/table.hpp"
#include "console/words.hpp"

namespace quadrille::cli {

namespace {

constexpr std::size_t rows_without_all = 8;

/// "1.2 ms"; what is known where a candidate was not simulated to its end.
std::string simulated_text(const Candidate& c, const Plan& plan) {
  switch (c.timing.how) {
    case Timing::How::timed:
      return console::time_text(c.timing.time, plan.machine);
    case Timing::How::stopped:
      return "> " + console::time_text(c.timing.time, plan.machine);
    case Timing::How::hopeless:
      return ">= " + console::time_text(c.timing.time, plan.machine);
    case Timing::How::too_large:
      return "too large";
    case Timing::How::impossible:
      return "never ends";
    case Timing::How::none:
      return "-";
  }
  return "-";
}

/// What became of the candidates: "5 simulated, 2 given up, ...".
std::string tally(const Plan& plan) {
  std::map<Timing::How, std::int64_t> count;
  for (const Candidate& c : plan.candidates) ++count[c.timing.how];
  std::string text = console::some(static_cast<std::int64_t>(plan.candidates.size()), "candidate") + " priced";
  for (const auto& [how, words] : {std::pair(Timing::How::timed, "simulated"),
                                   {Timing::How::stopped, "given up when they were slower"},
                                   {Timing::How::hopeless, "too slow at the least to be simulated"},
                                   {Timing::How::too_large, "too large to simulate (--messages allows more)"},
                                   {Timing::How::impossible, "that never end"}})
    if (count[how] > 0 && !plan.recalled) text += fmt::format(", {} {}", base::format_count(count[how]), words);
  const auto performed = std::count_if(plan.candidates.begin(), plan.candidates.end(), measured);
  if (performed > 0 && !plan.recalled) text += fmt::format(", {} measured in turns", base::format_count(performed));
  return text;
}

}  // namespace

void print_candidates(const Plan& plan, bool all, console::Context& context) {
  const std::size_t shown = all ? plan.candidates.size() : std::min(plan.candidates.size(), rows_without_all);
  const std::string more =
      shown < plan.candidates.size() ? fmt::format("; the best {} (--all for the rest)", shown) : "";
  context.print("\n{}\n", console::wrapped(tally(plan) + more, 0));
  const bool clocked = plan.effort != Effort::estimate;
  std::vector<console::Table::Column> columns;
  const bool performed = plan.effort == Effort::measure;
  if (performed) columns.push_back({"measured", console::Table::right});
  if (clocked) columns.push_back({"simulated", console::Table::right});
  columns.insert(columns.end(), {{clocked ? "price" : "time", console::Table::right},
                                 {"vs best", console::Table::right},
                                 {"rounds", console::Table::right},
                                 {"on wire", console::Table::right}});
  const bool reduces = combines(plan.spec);
  if (reduces) columns.push_back({"combined", console::Table::right});
  columns.insert(columns.end(),
                 {{"copied", console::Table::right}, {"barriers", console::Table::right}, {"candidate"}});
  console::Table table(std::move(columns));
  const Seconds best = plan.best().known();
  for (std::size_t i = 0; i < shown; ++i) {
    const Candidate& c = plan.candidates[i];
    const bool ranked = performed ? measured(c) : !clocked || timed(c) || c.timing.how == Timing::How::too_large;
    std::vector<std::string> row;
    if (performed) row.push_back(measured(c) ? console::time_text(c.measured.time, plan.machine) : "-");
    if (clocked) row.push_back(simulated_text(c, plan));
    row.insert(row.end(), {console::time_text(c.time, plan.machine),
                           best > 0 && ranked ? base::format_ratio(c.known() / best) : "-",
                           base::format_count(c.cost.startups), base::format_bytes(c.cost.bytes)});
    if (reduces) row.push_back(base::format_bytes(c.cost.combined));
    row.insert(row.end(),
               {base::format_bytes(c.cost.permuted + c.cost.packed), base::format_count(c.cost.barriers), name_of(c)});
    table.add(std::move(row));
    if (i == 0) table.emphasise();
  }
  if (!all) table.fit(clocked ? 3 : 2);
  table.print(context);
}

void print_refused(const Plan& plan, bool reasons, console::Context& context) {
  if (plan.refused.empty()) return;
  const std::string count = console::some(static_cast<std::int64_t>(plan.refused.size()), "algorithm");
  if (!reasons) {
    std::vector<std::string> names;
    for (const Refusal& r : plan.refused) names.emplace_back(r.algorithm->name);
    return context.print(
        "{}\n", console::wrapped(fmt::format("{} left out (--all says why): {}", count, base::join(names, ", ")), 0));
  }
  context.print("{} left out\n", count);
  std::size_t width = 0;
  for (const Refusal& r : plan.refused) width = std::max(width, r.algorithm->name.size());
  for (const Refusal& r : plan.refused)
    context.print("  {:<{}}  {}\n", r.algorithm->name, width, context.faint(console::wrapped(r.reason, width + 4)));
}

void print_mistakes(const Plan& plan, console::Context& context) {
  for (const Mistake& m : plan.mistakes)
    console::print_line(context, "ERROR",
                        fmt::format("{}: {} is wrong and was left out: {}. Please report this line",
                                    context.bad_news("internal error"), to_text(*m.algorithm, m.params), m.why));
}

void print_assurance(const Assurance& a, console::Context& context) {
  const std::string priced_by_messages = a.counted ? "; its price is what its messages add up to" : "";
  switch (a.how) {
    case Assurance::How::proven:
      return console::print_line(
          context, "proven",
          "yes: every rank ends with what it must have, and none waits for ever" + priced_by_messages);
    case Assurance::How::too_large:
      return console::print_line(context, "proven",
                                 fmt::format("no: a proof takes more than {} visits; the line below gives it more",
                                             base::format_count(a.visits)));
    case Assurance::How::stops:
      return console::print_line(context, "proven", context.bad_news("no: it may come to a stop") + ": " + a.why);
    case Assurance::How::wrong:
      return console::print_line(context, "proven", context.bad_news("no: it is wrong") + ": " + a.why);
    case Assurance::How::none:
      return;
  }
}

}  // namespace quadrille::cli
