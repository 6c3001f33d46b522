// The links between two ranks, for tests of networks.
#pragma once

#include <vector>

#include "quadrille/topology.hpp"

namespace quadrille::testing {

inline std::vector<Link> route(const Topology& t, Rank from, Rank to) {
  std::vector<Link> path;
  t.route(from, to, path);
  return path;
}

}  // namespace quadrille::testing
