// Pairs of ranks that swap blocks side by side: on a bus as many pairs at once as it serves, one way and then the
// other; on a crossbar all pairs, and both ways at once where ranks and wires can. On other networks all pairs, too,
// over links that they may share.
#pragma once

#include <string>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::pattern {

inline const Parameter barriers{
    .name = "barriers",
    .meaning = "1: all ranks wait for each other between rounds, so that circuits of several rounds never meet",
    .low = 0,
    .high = 1};

/// Empty on a bus and on a crossbar; up to 1024 ranks also through switches that do not pass shifts, and between ranks
/// that do one thing at a time and whose messages pass others.
std::string needs_swaps(const Spec& spec, const Machine& machine);
/// With barriers, too, where circuits may wait for those of other rounds.
std::vector<Params> swap_variants(const Spec& spec, const Machine& machine);
/// Where pairs have wires of their own all is known. Elsewhere messages share links, and are counted.
Claims swap_claims(const Spec& spec, const Machine& machine, const Params& params);
Cost swap_cost(const Spec& spec, const Machine& machine, const Params& params, const Schedule& schedule);

struct Swaps {
  Swaps(const Spec& spec, const Machine& machine, Rank pairs);
  /// Rounds that all pairs take; each of them has a message.
  Round rounds() const;
  /// Whether the first (else the second) rank of a pair sends in round t of them.
  bool sends(Round t, Rank pair, bool first) const;

 private:
  Rank pairs_;
  std::int64_t at_once_;
  bool both_ways_;
};

/// The pairs of ranks that mirror each other in the diagonal of a square of ranks.
Rank mirrored_pairs(const Spec& spec);

}  // namespace quadrille::algorithm::pattern
