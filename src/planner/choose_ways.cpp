#include "planner/choose_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "algorithm/formula.hpp"
#include "base/text.hpp"
#include "planner/estimate.hpp"

namespace quadrille::planner {

namespace {

/// No candidate is tried that takes more times the best time yet by the network's routes, unless it says its ways
/// itself: those that are searched for made none that was tried so much faster.
constexpr double most_gained = 4;
constexpr double near_enough = 1.01;  ///< times the limit: then ways are searched for no more

/// First those that say their ways; of the others the best of each algorithm, the best first, then the second best of
/// each, and so on.
std::vector<Candidate> in_turns(std::vector<Candidate> by_price) {
  std::map<const Algorithm*, int> before;
  std::vector<std::pair<int, Candidate>> turns;
  for (Candidate& c : by_price) turns.emplace_back(c.algorithm->says_ways ? -1 : before[c.algorithm]++, std::move(c));
  std::stable_sort(turns.begin(), turns.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Candidate> all;
  for (auto& [turn, c] : turns) all.push_back(std::move(c));
  return all;
}

}  // namespace

Plan with_chosen_ways(const Spec& request, const Machine& machine, std::size_t most,
                      const std::function<Plan(const Spec&)>& estimate) {
  Plan plan = estimate(by_routes(request));
  plan.spec.topology = request.topology;
  std::vector<Candidate> rest;
  Seconds best = HUGE_VAL;
  std::size_t tried = 0;
  for (Candidate& c : in_turns(std::exchange(plan.candidates, {}))) {
    const Seconds least = c.algorithm->least == nullptr ? 0 : c.algorithm->least(plan.spec, machine, c.params);
    const bool unlikely =
        !c.algorithm->says_ways && (c.time > most_gained * best || best < near_enough * plan.bound.time);
    if (tried == most || least >= best || unlikely) {
      rest.push_back(std::move(c));
      continue;
    }
    ++tried;
    try {
      c.cost = algorithm::formula(*c.algorithm, plan.spec, machine, c.params);
    } catch (const Error& error) {  // more than can be counted
      if (error.kind() != Error::Kind::budget) throw;
      rest.push_back(std::move(c));
      continue;
    }
    c.time = seconds(c.cost, machine, *plan.spec.topology);
    best = std::min(best, c.time);
    plan.candidates.push_back(std::move(c));
  }
  const auto listed = [&](const Algorithm* a) {
    return std::any_of(plan.candidates.begin(), plan.candidates.end(),
                       [&](const auto& c) { return c.algorithm == a; }) ||
           std::any_of(plan.refused.begin(), plan.refused.end(), [&](const auto& r) { return r.algorithm == a; });
  };
  for (const Candidate& c : rest)
    if (!listed(c.algorithm))
      plan.refused.push_back(
          {c.algorithm, fmt::format("takes {} by the network's routes, and another one {} by ways of "
                                    "its own",
                                    base::format_seconds(c.time), base::format_seconds(best))});
  sort_by_price(plan);
  return plan;
}

}  // namespace quadrille::planner
