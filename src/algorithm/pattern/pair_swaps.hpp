// Pairs of ranks that swap blocks side by side: on a bus as many pairs at once as it serves, one way and then the
// other; on a crossbar all pairs, and both ways at once where ranks and wires can.
#pragma once

#include <string>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::pattern {

/// Empty on a bus and on a crossbar.
std::string needs_swaps(const Spec& spec);

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
