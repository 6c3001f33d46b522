// Exchanges whose chunks have the ways of an optimal flow, from rank to rank and through switches, in pieces that
// follow each other.
#pragma once

#include <string>
#include <vector>

#include "algorithm/kit/description.hpp"
#include "algorithm/kit/searched.hpp"

namespace quadrille::algorithm::kit {

inline constexpr Parameter following_pieces{
    .name = "pieces",
    .meaning = "of each chunk, which follow each other; left out: as many as suit the ways",
    .high = 1 << 20};

std::string flow_exchange_illegal(const Spec& spec, const Machine& machine, const Params& params);
std::vector<Params> flow_exchange_variants(const Spec& spec, const Machine& machine);
Cost flow_exchange_cost(const Spec& spec, const Machine& machine, const Params& params);
SchedulePtr flow_exchange_build(const Spec& spec, const Machine& machine, const Params& params);
/// What some lengths of links say that no exchange beats.
Seconds flow_exchange_least(const Spec& spec, const Machine& machine, const Params& params);

inline Algorithm flow_exchange(Collective collective, const Description& d) {
  return {.name = d.name,
          .collective = collective,
          .summary = d.summary,
          .source = d.source,
          .closed_form = d.closed_form,
          .literature = d.literature,
          .parameters = {chunks, following_pieces},
          .claims = rarest_first_claims,
          .illegal = flow_exchange_illegal,
          .variants = flow_exchange_variants,
          .cost = flow_exchange_cost,
          .build = flow_exchange_build,
          .least = flow_exchange_least,
          .asks_for_nodes = true,
          .searched = true,
          .says_ways = true};
}

}  // namespace quadrille::algorithm::kit
