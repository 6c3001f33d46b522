// The Petersen graph: the largest network of diameter 2 with three links a rank.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::petersen {

namespace {

TopologyPtr make(std::string_view) {
  Network network{.vertices = 10, .ranks = 10};
  for (Rank i = 0; i < 5; ++i)
    network.join(i, (i + 1) % 5), network.join(5 + i, 5 + (i + 2) % 5), network.join(i, 5 + i);
  return make_graph(std::move(network), {"petersen", "petersen", "a Petersen graph"});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "petersen",
           .form = "petersen",
           .summary = "10 ranks: a cycle 0..4, a star 5..9, and a spoke from each of the cycle's to the star's",
           .make = make,
           .examples = {""},
           .place = 310}};
}

}  // namespace quadrille::topology::petersen
