// How many spanning trees of ranks fit on a network whose links lead both ways, where a tree takes a link once,
// whichever way (Tutte 1961, Nash-Williams 1961): up and down such trees an all-reduce goes at once.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/cuts.hpp"
#include "flow/network.hpp"
#include "flow/ratio.hpp"

namespace quadrille::flow {

/// Whether every arc has one of its capacity the other way.
bool leads_both_ways(const Network& network);

/// Trees on a network that leads both ways. Where they fit, so many are rooted at each rank, and `down` has what of a
/// link's capacity they take in either direction, switches in balance. Else the sets of vertices between which too few
/// links are: each has a rank, and every rank is in one; only switches may be in several.
struct TreesOnLinks {
  bool fit = false;
  Words rooted;
  std::vector<Arc> down;
  std::vector<std::vector<Vertex>> parties;
};
/// A link of a switch must have an even capacity; throws Error(argument) otherwise, and where ranks are not joined.
TreesOnLinks trees_on_links(const Network& network, std::int64_t trees);

/// The least time in which trees that share all links carry a word from all ranks to all, both ways at once. No
/// all-reduce takes less: between so many parties 2 (n - 1) words pass, each out of one and into another.
struct SharedTrees {
  Ratio time;
  std::vector<std::vector<Vertex>> parties;
};
SharedTrees shared_trees(const Network& network);
/// What shared_trees() looks at, about.
std::int64_t shared_trees_looks(const Network& network);

/// The network with capacities that are multiplied and rounded down, to even numbers at switches.
Network scaled_links(const Network& network, const Ratio& factor);
/// By what capacities must be multiplied, so that so many trees fit: the least that does, or up to a 256th more where
/// links have many capacities.
Ratio factor_for_links(const Network& network, const Ratio& least, std::int64_t trees);

}  // namespace quadrille::flow
