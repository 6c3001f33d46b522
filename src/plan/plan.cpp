#include "quadrille/plan.hpp"

#include <algorithm>
#include <tuple>

#include "algorithm/formula.hpp"

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
    try {
      for (Params& params : a.variants(spec, machine)) {
        const Cost cost = formula(a, spec, machine, params);
        const bool exact = a.claims(spec, machine, params).exact;
        plan.candidates.push_back({&a, std::move(params), cost, seconds(cost, machine, *spec.topology), exact});
      }
    } catch (const Error& error) {  // more bytes than can be counted; another may move fewer
      if (error.kind() != Error::Kind::budget) throw;
      plan.refused.push_back({&a, error.what()});
    }
  }
  std::stable_sort(plan.candidates.begin(), plan.candidates.end(), [](const Candidate& a, const Candidate& b) {
    return std::tie(a.time, a.cost.startups, a.algorithm->name) < std::tie(b.time, b.cost.startups, b.algorithm->name);
  });
  plan.bound = lower_bound(spec, machine);
  return plan;
}

}  // namespace quadrille
