// How the bytes of a message are divided among the ways of its pair, and these ways by number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "quadrille/topology.hpp"

namespace quadrille::topology {

/// Of so many bytes, how many take each of the ways: in proportion to their parts, and whole.
inline void divide(std::span<const Topology::Way> ways, Bytes bytes, std::vector<Bytes>& shares) {
  std::int64_t parts = 0, before = 0;
  for (const Topology::Way& way : ways) parts += way.parts;
  const auto of_first = [&](std::int64_t some) { return bytes / parts * some + bytes % parts * some / parts; };
  shares.clear();
  for (const Topology::Way& way : ways) {
    const Bytes first = of_first(before);
    before += way.parts;
    shares.push_back(of_first(before) - first);
  }
}

/// Appends the links of a way by its number: 0 is the route, of a pair that is not divided as well.
inline void add_way(const Topology& topology, Rank from, Rank to, std::uint32_t way, std::vector<Link>& path) {
  if (way == 0) return topology.route(from, to, path);
  const std::vector<Link>& links = topology.divided(from, to)[way].links;
  path.insert(path.end(), links.begin(), links.end());
}

/// How many links a way has.
inline int length_of_way(const Topology& topology, Rank from, Rank to, std::uint32_t way) {
  return way == 0 ? topology.distance(from, to) : static_cast<int>(topology.divided(from, to)[way].links.size());
}

/// The link of a way behind `last`, the first one where that is -1; -1 behind the end.
inline Link next_on_way(const Topology& topology, Link last, Rank from, Rank to, std::uint32_t way) {
  if (way == 0) return topology.next(last, from, to);
  const std::vector<Link>& links = topology.divided(from, to)[way].links;
  auto link = links.begin();
  if (last >= 0) link = std::find(link, links.end(), last) + 1;
  return link == links.end() ? -1 : *link;
}

}  // namespace quadrille::topology
