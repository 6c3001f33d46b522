#include "cli/plan_table.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "cli/picture.hpp"
#include "cli/table.hpp"
#include "cli/words.hpp"

namespace quadrille::cli {

namespace {

constexpr std::size_t rows_without_all = 8;

/// "1.2 ms"; what is known where a candidate was not played to its end.
std::string simulated_text(const Candidate& c, const Plan& plan) {
  switch (c.timing.how) {
    case Timing::How::timed:
      return time_text(c.timing.time, plan.machine);
    case Timing::How::stopped:
      return "> " + time_text(c.timing.time, plan.machine);
    case Timing::How::hopeless:
      return ">= " + time_text(c.timing.time, plan.machine);
    case Timing::How::too_large:
      return "too large";
    case Timing::How::impossible:
      return "never ends";
    case Timing::How::none:
      return "-";
  }
  return "-";
}

/// What became of the candidates: "5 played, 2 given up, ...".
std::string tally(const Plan& plan) {
  std::map<Timing::How, std::int64_t> count;
  for (const Candidate& c : plan.candidates) ++count[c.timing.how];
  std::string text = some(static_cast<std::int64_t>(plan.candidates.size()), "candidate") + " priced";
  for (const auto& [how, words] : {std::pair(Timing::How::timed, "played"),
                                   {Timing::How::stopped, "given up on the way"},
                                   {Timing::How::hopeless, "not begun: a bound says enough"},
                                   {Timing::How::too_large, "too large to play (--messages allows more)"},
                                   {Timing::How::impossible, "for ever waiting"}})
    if (count[how] > 0 && !plan.recalled) text += fmt::format(", {} {}", format_count(count[how]), words);
  const auto performed = std::count_if(plan.candidates.begin(), plan.candidates.end(), measured);
  if (performed > 0 && !plan.recalled) text += fmt::format(", {} measured in turns", format_count(performed));
  return text;
}

}  // namespace

void print_candidates(const Plan& plan, bool all, Context& context) {
  const std::size_t shown = all ? plan.candidates.size() : std::min(plan.candidates.size(), rows_without_all);
  context.print("\n{}{}\n", tally(plan),
                shown < plan.candidates.size() ? fmt::format("; the best {} (--all for the rest)", shown) : "");
  const bool clocked = plan.effort != Effort::estimate;
  std::vector<Table::Column> columns{{"candidate"}};
  const bool performed = plan.effort == Effort::measure;
  if (performed) columns.push_back({"measured", Table::right});
  if (clocked) columns.push_back({"simulated", Table::right});
  columns.insert(columns.end(), {{clocked ? "price" : "time", Table::right},
                                 {"vs best", Table::right},
                                 {"rounds", Table::right},
                                 {"on the wire", Table::right},
                                 {"rearranged", Table::right},
                                 {"barriers", Table::right}});
  Table table(std::move(columns));
  const Seconds best = plan.best().known();
  for (std::size_t i = 0; i < shown; ++i) {
    const Candidate& c = plan.candidates[i];
    const bool ranked = performed ? measured(c) : !clocked || timed(c) || c.timing.how == Timing::How::too_large;
    std::vector<std::string> row{name_of(c)};
    if (performed) row.push_back(measured(c) ? time_text(c.measured.time, plan.machine) : "-");
    if (clocked) row.push_back(simulated_text(c, plan));
    row.insert(row.end(), {time_text(c.time, plan.machine), best > 0 && ranked ? format_ratio(c.known() / best) : "-",
                           format_count(c.cost.startups), format_bytes(c.cost.bytes),
                           format_bytes(c.cost.permuted + c.cost.packed), format_count(c.cost.barriers)});
    table.add(std::move(row));
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

}  // namespace quadrille::cli
