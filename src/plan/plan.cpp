#include "quadrille/plan.hpp"

#include <algorithm>
#include <tuple>

namespace quadrille {

const Candidate* Plan::runner_up() const {
  for (const Candidate& c : candidates)
    if (c.algorithm != best().algorithm) return &c;
  return nullptr;
}

Plan plan(const Spec& request, const Machine& machine, Effort) {
  check(machine);
  Plan plan{.spec = checked(request), .machine = machine, .candidates = {}, .refused = {}, .bound = {}};
  const Spec& spec = plan.spec;
  for (const Algorithm& a : algorithms()) {
    if (a.collective != spec.collective) continue;
    if (const std::string reason = a.illegal(spec, machine, {}); !reason.empty()) {
      plan.refused.push_back({&a, reason});
      continue;
    }
    for (Params& params : a.variants(spec, machine)) {
      const Cost cost = a.cost(spec, machine, params);
      const bool exact = a.claims(spec, machine, params).exact;
      plan.candidates.push_back({&a, std::move(params), cost, seconds(cost, machine, *spec.topology), exact});
    }
  }
  std::stable_sort(plan.candidates.begin(), plan.candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.time, a.cost.startups, a.algorithm->name) < std::tie(b.time, b.cost.startups, b.algorithm->name);
  });
  plan.bound = lower_bound(spec, machine);
  return plan;
}

}  // namespace quadrille
