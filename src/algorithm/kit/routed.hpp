// Reductions on networks for which no algorithm of theirs exists: one for a line of ranks or for a crossbar, message by
// message on the network's routes. [docs/how-it-works/duality.md]
#pragma once

#include "algorithm/kit/description.hpp"

namespace quadrille::algorithm::kit {

inline constexpr Parameter routed_inner{
    .name = "inner", .meaning = "the algorithm for a line of ranks, or for a crossbar", .is_choice = true};

inline constexpr Parameter routed_meet{
    .name = "meet",
    .meaning = "1: messages of a round may share links, so that there are fewer rounds",
    .low = 0,
    .high = 1};

std::string routed_illegal(const Spec& spec, const Machine& machine, const Params& params);
std::vector<Params> routed_variants(const Spec& spec, const Machine& machine);
Claims routed_claims(const Spec& spec, const Machine& machine, const Params& params);
Cost routed_cost(const Spec& spec, const Machine& machine, const Params& params);
/// The longest way in the network, or as many rounds as word needs to spread, with the bytes that some rank must send.
Seconds routed_least(const Spec& spec, const Machine& machine, const Params& params);
SchedulePtr routed_build(const Spec& spec, const Machine& machine, const Params& params);

inline Algorithm routed(Collective collective, const Description& d) {
  return {.name = d.name,
          .collective = collective,
          .summary = d.summary,
          .source = d.source,
          .closed_form = d.closed_form,
          .literature = d.literature,
          .parameters = {routed_inner, routed_meet},
          .claims = routed_claims,
          .illegal = routed_illegal,
          .variants = routed_variants,
          .cost = routed_cost,
          .build = routed_build,
          .least = routed_least,
          .asks_for_nodes = true,
          .searched = true};
}

}  // namespace quadrille::algorithm::kit
