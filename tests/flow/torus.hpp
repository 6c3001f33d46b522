// A torus as a graph for flows, if wanted without the link between ranks 0 and 1.
#pragma once

#include "flow/network.hpp"

namespace quadrille::flow {

inline Network torus_network(Vertex rows, Vertex cols, bool failed) {
  std::vector<Arc> arcs;
  std::vector<Vertex> hosts;
  const auto join = [&](Vertex a, Vertex b) { arcs.push_back({a, b, 1}), arcs.push_back({b, a, 1}); };
  for (Vertex r = 0; r < rows; ++r)
    for (Vertex c = 0; c < cols; ++c) {
      hosts.push_back(r * cols + c);
      if (!failed || r + c > 0) join(r * cols + c, r * cols + (c + 1) % cols);
      join(r * cols + c, (r + 1) % rows * cols + c);
    }
  return {rows * cols, hosts, arcs};
}

}  // namespace quadrille::flow
