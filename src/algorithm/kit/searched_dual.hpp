// Reductions whose schedules are searched for: a broadcast or all-gather that was found, run backwards.
#pragma once

#include "algorithm/kit/duality.hpp"

namespace quadrille::algorithm::kit {

std::string searched_dual_illegal(const Algorithm& base, const Spec& spec, const Machine& machine,
                                  const Params& params);
std::vector<Params> searched_dual_variants(const Algorithm& base, const Spec& spec, const Machine& machine);
Claims searched_dual_claims(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params);
Cost searched_dual_cost(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params);
SchedulePtr searched_dual_build(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params);
/// No more than the base's with as many bytes, once or twice; its chunks may not be more than elements.
Seconds searched_dual_least(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params);

/// The base run backwards; an all-reduce then runs it forwards, too.
template <Algorithm (*Base)()>
Algorithm searched_dual(Collective collective, const Description& d) {
  static const Algorithm base = Base();
  return {
      .name = d.name,
      .collective = collective,
      .summary = d.summary,
      .source = d.source,
      .closed_form = d.closed_form,
      .literature = d.literature,
      .parameters = base.parameters,
      .claims = [](const Spec& s, const Machine& m, const Params& p) { return searched_dual_claims(base, s, m, p); },
      .illegal = [](const Spec& s, const Machine& m, const Params& p) { return searched_dual_illegal(base, s, m, p); },
      .variants = [](const Spec& s, const Machine& m) { return searched_dual_variants(base, s, m); },
      .cost = [](const Spec& s, const Machine& m, const Params& p) { return searched_dual_cost(base, s, m, p); },
      .build = [](const Spec& s, const Machine& m, const Params& p) { return searched_dual_build(base, s, m, p); },
      .least = [](const Spec& s, const Machine& m, const Params& p) { return searched_dual_least(base, s, m, p); },
      .asks_for_nodes = true,
      .searched = true};
}

}  // namespace quadrille::algorithm::kit
