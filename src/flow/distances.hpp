// How far hosts are from each other, in links and in messages.
#pragma once

#include <vector>

#include "flow/network.hpp"
#include "flow/ratio.hpp"

namespace quadrille::flow {

/// A length of 0 or more for each of Network::arcs().
using Lengths = std::vector<std::int64_t>;

constexpr std::int64_t nowhere = -1;

/// Of every vertex from this one along arcs; `nowhere` where no way leads.
std::vector<std::int64_t> distances(const Network& network, Vertex from, const Lengths& lengths);
/// The same where every arc has length 1.
std::vector<std::int64_t> links_from(const Network& network, Vertex from);
/// ... where only arcs into hosts have: messages, which pass switches without a stop.
std::vector<std::int64_t> hops_from(const Network& network, Vertex from);

/// The longest of these between two hosts, and their sum over all ordered pairs. Throw Error(argument) that names two
/// ranks where no way leads from one to the other.
struct Extent {
  std::int64_t longest = 0;
  Wide sum = 0;
};
Extent extent_in_links(const Network& network);
Extent extent_in_hops(const Network& network);
/// Messages from this rank to the farthest one.
std::int64_t eccentricity_in_hops(const Network& network, Rank from);

}  // namespace quadrille::flow
