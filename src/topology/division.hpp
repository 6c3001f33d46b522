// How the bytes of a message are divided among the ways of its pair.
#pragma once

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

}  // namespace quadrille::topology
