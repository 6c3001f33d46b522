// Collectives down spanning trees that share the links of any network, also through switches; and reductions up them.
#pragma once

#include <vector>

#include "algorithm/kit/description.hpp"

namespace quadrille::algorithm::kit {

inline constexpr Parameter tree_count{
    .name = "trees",
    .meaning = "down which a block goes, a share down each; the shorter of blocks, the fewer",
    .high = 4096};
inline constexpr Parameter piece_count{
    .name = "pieces", .meaning = "of each tree's share; left out: as many as suit the trees", .high = 1 << 20};

/// Why trees of ranks cannot be searched for there: links are shared unknown to anybody, or too many. Empty: they can.
std::string trees_illegal(const Spec& spec, const Machine& machine);

/// Whether switches can be replaced by arcs between ranks in seconds.
bool worth_splitting(const Spec& spec);

std::string forest_illegal(const Spec& spec, const Machine& machine, const Params& params);
Claims forest_claims(const Spec& spec, const Machine& machine, const Params& params);
std::vector<Params> forest_variants(const Spec& spec, const Machine& machine);
Cost forest_cost(const Spec& spec, const Machine& machine, const Params& params);
Seconds forest_least(const Spec& spec, const Machine& machine, const Params& params);
SchedulePtr forest_build(const Spec& spec, const Machine& machine, const Params& params);

/// Of broadcasts, multibcasts and all-gathers, and of reductions, whose trees are those of the network the other way
/// round.
inline Algorithm forest(Collective collective, const Description& d) {
  return {.name = d.name,
          .collective = collective,
          .summary = d.summary,
          .source = d.source,
          .closed_form = d.closed_form,
          .literature = d.literature,
          .parameters = {tree_count, piece_count},
          .claims = forest_claims,
          .illegal = forest_illegal,
          .variants = forest_variants,
          .cost = forest_cost,
          .build = forest_build,
          .least = forest_least,
          .asks_for_nodes = true,
          .searched = true,
          .says_ways = true};
}

}  // namespace quadrille::algorithm::kit
