#include "planner/choose_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <utility>

#include "algorithm/formula.hpp"
#include "base/text.hpp"

namespace quadrille::planner {

namespace {

/// Nothing is tried that takes more times the best time yet by the network's routes: ways that are searched for made
/// none that was tried so much faster.
constexpr double most_gained = 4;
constexpr double near_enough = 1.01;  ///< times the limit: then ways are searched for no more

/// The best of each algorithm, the best first, then the second best of each, and so on.
std::vector<Candidate> in_turns(std::vector<Candidate> by_price) {
  std::map<const Algorithm*, int> before;
  std::vector<std::pair<int, Candidate>> turns;
  for (Candidate& c : by_price) turns.emplace_back(before[c.algorithm]++, std::move(c));
  std::stable_sort(turns.begin(), turns.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<Candidate> all;
  for (auto& [turn, c] : turns) all.push_back(std::move(c));
  return all;
}

/// False where its messages are more than can be counted.
bool count_on_ways(const Plan& plan, Candidate& c) {
  try {
    c.cost = algorithm::formula(*c.algorithm, plan.spec, plan.machine, c.params);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    return false;
  }
  c.time = seconds(c.cost, plan.machine, *plan.spec.topology);
  return true;
}

}  // namespace

void choose_ways(Plan& plan, Plan by_routes, std::size_t most) {
  std::vector<Candidate> rest;
  Seconds best = plan.candidates.empty() ? HUGE_VAL : plan.candidates.front().time;
  std::size_t tried = 0;
  for (Candidate& c : in_turns(std::move(by_routes.candidates))) {
    const Seconds least = c.algorithm->least == nullptr ? 0 : c.algorithm->least(plan.spec, plan.machine, c.params);
    const bool unlikely = c.time > most_gained * best || best < near_enough * plan.bound.time;
    if (tried == most || least >= best || unlikely || (++tried, !count_on_ways(plan, c))) {
      rest.push_back(std::move(c));
      continue;
    }
    best = std::min(best, c.time);
    plan.candidates.push_back(std::move(c));
  }
  std::move(by_routes.refused.begin(), by_routes.refused.end(), std::back_inserter(plan.refused));
  const auto listed = [&](const Algorithm* a) {
    const auto about = [&](const auto& entry) { return entry.algorithm == a; };
    return std::any_of(plan.candidates.begin(), plan.candidates.end(), about) ||
           std::any_of(plan.refused.begin(), plan.refused.end(), about);
  };
  for (const Candidate& c : rest)
    if (!listed(c.algorithm))
      plan.refused.push_back(
          {c.algorithm, fmt::format("takes {} by the network's routes, and another one {} by ways of its own",
                                    base::format_seconds(c.time), base::format_seconds(best))});
}

}  // namespace quadrille::planner
