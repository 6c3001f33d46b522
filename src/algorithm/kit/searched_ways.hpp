// Blocks that each have a way of their own, from neighbour to neighbour, in rounds that are searched for: what
// alltoall, scatter, gather and sendrecv have in common on networks of ranks and links.
#pragma once

#include "algorithm/kit/description.hpp"
#include "algorithm/kit/searched.hpp"
#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::kit {

Claims searched_ways_claims(const Spec& spec, const Machine& machine, const Params& params);
std::string searched_ways_illegal(const Spec& spec, const Machine& machine, const Params& params);
std::vector<Params> searched_ways_variants(const Spec& spec, const Machine& machine);
Cost searched_ways_cost(const Spec& spec, const Machine& machine, const Params& params);
SchedulePtr searched_ways_build(const Spec& spec, const Machine& machine, const Params& params);
/// As many rounds as the links and ports need that chunks must cross.
Seconds searched_ways_least(const Spec& spec, const Machine& machine, const Params& params);

inline Algorithm searched_ways(Collective collective, const Description& d) {
  return {.name = d.name,
          .collective = collective,
          .summary = d.summary,
          .source = d.source,
          .closed_form = d.closed_form,
          .literature = d.literature,
          .parameters = {chunks},
          .claims = searched_ways_claims,
          .illegal = searched_ways_illegal,
          .variants = searched_ways_variants,
          .cost = searched_ways_cost,
          .build = searched_ways_build,
          .least = searched_ways_least,
          .asks_for_nodes = true,
          .searched = true};
}

}  // namespace quadrille::algorithm::kit
