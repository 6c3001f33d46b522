// Broadcasts, multibcasts and all-gathers whose rounds are searched for, on any network.
#pragma once

#include <vector>

#include "algorithm/kit/description.hpp"

namespace quadrille::algorithm::kit {

inline constexpr Parameter chunks{
    .name = "chunks", .meaning = "parts of every block, each of which goes its own way", .high = 4096};

/// Every rank takes from its neighbours, round after round, what the fewest have. Of blocks that one rank, some or all
/// have for all.
std::string rarest_first_illegal(const Spec& spec, const Machine& machine, const Params& params);
/// Messages share wide links behind switches.
Claims rarest_first_claims(const Spec& spec, const Machine& machine, const Params& params);
std::vector<Params> rarest_first_variants(const Spec& spec, const Machine& machine);
Cost rarest_first_cost(const Spec& spec, const Machine& machine, const Params& params);
Seconds rarest_first_least(const Spec& spec, const Machine& machine, const Params& params);
SchedulePtr rarest_first_build(const Spec& spec, const Machine& machine, const Params& params);

inline Algorithm rarest_first(Collective collective, const Description& d) {
  return {.name = d.name,
          .collective = collective,
          .summary = d.summary,
          .source = d.source,
          .closed_form = d.closed_form,
          .literature = d.literature,
          .parameters = {chunks},
          .claims = rarest_first_claims,
          .illegal = rarest_first_illegal,
          .variants = rarest_first_variants,
          .cost = rarest_first_cost,
          .build = rarest_first_build,
          .least = rarest_first_least,
          .asks_for_nodes = true,
          .searched = true};
}

}  // namespace quadrille::algorithm::kit
