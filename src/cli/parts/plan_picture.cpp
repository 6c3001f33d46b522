#include "cli/parts/plan_picture.hpp"

#include <algorithm>
#include <array>
#include <set>

#include "console/picture.hpp"
#include "console/words.hpp"

namespace quadrille::cli {

namespace {

constexpr std::size_t most_algorithms = 12, bar_columns = 56;

struct Part {
  std::string_view name;
  console::Sign sign;
  Seconds CostParts::*time;
};
constexpr std::array<Part, 7> all_parts{{{"start-up", console::full, &CostParts::startup},
                                         {"overhead", console::full, &CostParts::overhead},
                                         {"circuit", console::dark, &CostParts::circuit},
                                         {"wire", console::medium, &CostParts::wire},
                                         {"permute", console::light, &CostParts::permute},
                                         {"operator", console::medium, &CostParts::combine},
                                         {"barrier", console::line, &CostParts::barrier}}};

/// Signs for a candidate's parts.
std::string bar(const CostParts& p, Seconds scale, bool unicode) {
  console::Bar drawn(bar_columns, scale, unicode);
  for (const Part& part : all_parts) drawn.add(p.*part.time, part.sign);
  return drawn.text();
}

}  // namespace

void print_plan_bars(const Plan& plan, bool unicode, console::Context& context) {
  std::vector<const Candidate*> shown;
  std::set<std::string_view> seen;
  for (const Candidate& c : plan.candidates)
    if (shown.size() < most_algorithms && seen.insert(c.algorithm->name).second) shown.push_back(&c);
  std::size_t width = 5;
  for (const Candidate* c : shown) width = std::max(width, c->algorithm->name.size());
  Seconds most = plan.bound.time;
  for (const Candidate* c : shown) most = std::max(most, c->time);
  const Seconds scale = std::min(most, 4 * std::max(plan.bound.time, shown.front()->time));  // beyond it bars are cut
  if (!(scale > 0)) return;
  context.print("\n");
  for (const Candidate* c : shown)
    context.print("  {:<{}}  {}{} {}\n", c->algorithm->name, width,
                  bar(parts(c->cost, plan.machine, *plan.spec.topology), scale, unicode),
                  c->time > scale ? (unicode ? "\u2026" : ">") : "", console::time_text(c->time, plan.machine));
  console::Bar limit(bar_columns, scale, unicode);
  limit.add(plan.bound.time, console::dot);
  context.print("  {:<{}}  {} {}\n", "limit", width, limit.text(), console::time_text(plan.bound.time, plan.machine));
  std::string key;
  for (const Part& part : all_parts)
    if (std::any_of(shown.begin(), shown.end(), [&](const Candidate* c) {
          return parts(c->cost, plan.machine, *plan.spec.topology).*part.time > 0;
        }))
      key += fmt::format("{}{} {}", key.empty() ? "" : "   ", part.sign.text(unicode), part.name);
  context.print("  {:<{}}  {}\n", "", width, context.faint(key));
}

}  // namespace quadrille::cli
