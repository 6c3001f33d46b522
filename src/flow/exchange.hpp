// An exchange, of one word for each ordered pair or of as many as pairs want: a time that no schedule beats, and one
// that a flow reaches.
#pragma once

#include <string>

#include "flow/cuts.hpp"
#include "flow/distances.hpp"
#include "flow/shortest_trees.hpp"

namespace quadrille::flow {

/// Words that every pair's data crosses, weighed by lengths, over what arcs weigh: no exchange is faster, whatever the
/// lengths. Throws Error(argument) that names two ranks where no way leads from one to the other.
Ratio exchange_bound(const Network& network, const Lengths& lengths, const Wants& wants = {});

/// In proportion to 1 / capacity; exactly so where capacities have a small common multiple.
Lengths inverse_capacities(const Network& network);

/// The time where every vertex splits what is for a host equally over all its neighbours that are nearest to it in
/// links.
Ratio equal_split(const Network& network);

struct ExchangeBracket {
  Ratio lower, upper;
  Lengths lengths;   ///< exchange_bound() of these is `lower`
  std::string from;  ///< what they are: "links", "1 / capacity", "links of rank 3", ..
  bool exact() const { return lower == upper; }
};
/// The best of lengths that networks are often bound by, against equal_split, or single ways of what pairs want.
ExchangeBracket exchange_bracket(const Network& network, const Wants& wants = {});

}  // namespace quadrille::flow
