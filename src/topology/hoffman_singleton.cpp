// The Hoffman-Singleton graph: the largest network of diameter 2 with seven links a rank.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::hoffman_singleton {

namespace {

TopologyPtr make(std::string_view) {
  Network network{.vertices = 50, .ranks = 50};
  for (Rank h = 0; h < 5; ++h)
    for (Rank j = 0; j < 5; ++j) {
      network.join(5 * h + j, 5 * h + (j + 1) % 5);
      network.join(25 + 5 * h + j, 25 + 5 * h + (j + 2) % 5);
      for (Rank i = 0; i < 5; ++i) network.join(5 * h + j, 25 + 5 * i + (h * i + j) % 5);
    }
  return make_graph(std::move(network), {"hoffman-singleton", "hoffman-singleton", "a Hoffman-Singleton graph"});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {
      {.name = "hoffman-singleton",
       .form = "hoffman-singleton",
       .summary = "50 ranks with 7 links each, two links from each other: pentagons 5h..5h+4, and stars behind them",
       .make = make,
       .place = 320}};
}

}  // namespace quadrille::topology::hoffman_singleton
