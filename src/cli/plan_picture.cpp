#include "cli/plan_picture.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "cli/words.hpp"

namespace quadrille::cli {

namespace {

constexpr std::size_t most_rows = 12;
constexpr double columns = 56;

struct Part {
  std::string_view name, sign, plain;
  Seconds CostParts::*time;
};
constexpr std::array<Part, 5> all_parts{{{"start-up", "\u2588", "#", &CostParts::startup},
                                         {"circuit", "\u2593", "=", &CostParts::circuit},
                                         {"wire", "\u2592", "-", &CostParts::wire},
                                         {"permute", "\u2591", ":", &CostParts::permute},
                                         {"barrier", "\u2502", "|", &CostParts::barrier}}};

/// Signs for a candidate's parts: each ends where the sum up to it ends, so that the bar has the right length.
std::string bar(const CostParts& p, Seconds scale, bool unicode) {
  std::string text;
  Seconds sum = 0;
  long drawn = 0;
  for (const Part& part : all_parts) {
    sum += p.*part.time;
    const long end = std::min(std::lround(columns * sum / scale), std::lround(columns));
    for (; drawn < end; ++drawn) text += unicode ? part.sign : part.plain;
  }
  return text;
}

}  // namespace

void print_plan_bars(const Plan& plan, bool unicode, Context& context) {
  std::vector<const Candidate*> shown;
  std::set<std::string_view> seen;
  for (const Candidate& c : plan.candidates)
    if (shown.size() < most_rows && seen.insert(c.algorithm->name).second) shown.push_back(&c);
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
                  c->time > scale ? (unicode ? "\u2026" : ">") : "", time_text(c->time, plan.machine));
  std::string limit;
  for (long i = std::lround(columns * plan.bound.time / scale); i > 0; --i) limit += unicode ? "\u00b7" : ".";
  context.print("  {:<{}}  {} {}\n", "limit", width, limit, time_text(plan.bound.time, plan.machine));
  std::string key;
  for (const Part& part : all_parts)
    if (std::any_of(shown.begin(), shown.end(), [&](const Candidate* c) {
          return parts(c->cost, plan.machine, *plan.spec.topology).*part.time > 0;
        }))
      key += fmt::format("{}{} {}", key.empty() ? "" : "   ", unicode ? part.sign : part.plain, part.name);
  context.print("  {:<{}}  {}\n", "", width, context.faint(key));
}

}  // namespace quadrille::cli
