// Times of collectives that cuts decide, exactly: no schedule is faster, and the cut that says so is the certificate.
#pragma once

#include <vector>

#include "flow/network.hpp"
#include "flow/ratio.hpp"

namespace quadrille::flow {

/// Words on this side of a network that must leave it, and the capacity of the arcs that do: time >= demand / out.
struct Cut {
  std::vector<Vertex> side;  ///< where the data comes from, in ascending order
  std::int64_t demand = 0, out = 1;
  Ratio time() const { return {demand, out}; }
};

/// Words of each rank.
using Words = std::vector<std::int64_t>;

/// The best cut; where nothing must move, time() is 0 and the side empty. Every function here checks what it returns
/// with 128 bits. Each throws Error(argument) that names two ranks where one must reach the other and cannot.
///
/// What each rank has goes to all others: allgather, where all have a word; a broadcast, where one has.
Cut spread(const Network& network, const Words& has);
Cut allgather(const Network& network);
Cut bcast(const Network& network, Rank root);
/// One rank has words for each other; those for itself do not move.
Cut scatter(const Network& network, Rank root, const Words& wants);
/// One rank gets words of each other. On its side the cut has who gives.
Cut gather(const Network& network, Rank root, const Words& gives);
/// One word of each rank.
Words one_each(const Network& network);

/// Recompute a cut; throw Error(internal) where it does not say what it claims.
void check_spread(const Network& network, const Words& has, const Cut& cut);
void check_scatter(const Network& network, Rank root, const Words& wants, const Cut& cut);

/// Of the arcs that leave these vertices.
std::int64_t capacity_out(const Network& network, const std::vector<Vertex>& side);

}  // namespace quadrille::flow
