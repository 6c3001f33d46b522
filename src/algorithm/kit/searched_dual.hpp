// Reductions whose rounds are searched for: a broadcast or all-gather that was found, run backwards.
#pragma once

#include "algorithm/kit/searched.hpp"

namespace quadrille::algorithm::kit {

std::string searched_dual_illegal(const Spec& spec, const Machine& machine, const Params& params);
std::vector<Params> searched_dual_variants(const Spec& spec, const Machine& machine);
Claims searched_dual_claims(const Spec& spec, const Machine& machine, const Params& params);
Cost searched_dual_cost(const Spec& spec, const Machine& machine, const Params& params);
Seconds searched_dual_least(const Spec& spec, const Machine& machine, const Params& params);
SchedulePtr searched_dual_build(const Spec& spec, const Machine& machine, const Params& params);

/// Of bcast_rarest for a reduction to a root, else of allgather_rarest, which an all-reduce then runs forwards, too.
inline Algorithm searched_dual(Collective collective, const Description& d) {
  Algorithm a = rarest_first(collective, d);
  a.claims = searched_dual_claims;
  a.illegal = searched_dual_illegal;
  a.variants = searched_dual_variants;
  a.cost = searched_dual_cost;
  a.build = searched_dual_build;
  a.least = searched_dual_least;
  return a;
}

}  // namespace quadrille::algorithm::kit
