// The DGX-1 with Volta GPUs: two quads with double links, and links from each GPU to its partner.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::dgx1_v100 {

namespace {

constexpr double nvlink = 25e9;  ///< bytes a second of an NVLink 2.0, each way

TopologyPtr make(std::string_view) {
  Network network{.vertices = 8, .ranks = 8, .kinds = {"nvlink"}, .rate = nvlink};
  for (const Rank q : {0, 4}) {
    network.join(q, q + 1, 1), network.join(q, q + 2, 1), network.join(q, q + 3, 2);
    network.join(q + 1, q + 2, 2), network.join(q + 1, q + 3, 1), network.join(q + 2, q + 3, 2);
  }
  network.join(0, 4, 2), network.join(1, 5, 2), network.join(2, 6, 1), network.join(3, 7, 1);
  const auto quad = [](Rank first) { return Drawing{.rows = {row_of(first, 2), row_of(first + 2, 2)}}; };
  network.drawing = {.rows = {{quad(0), quad(4)}}, .name = "DGX-1"};
  return make_graph(std::move(network), {"dgx1-v100", "dgx1-v100", "a DGX-1 with eight V100"});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "dgx1-v100",
           .form = "dgx1-v100",
           .summary = "8 GPUs with 6 NVLinks each, some of them double: two quads, and links from i to i + 4",
           .make = make,
           .examples = {""},
           .place = 410}};
}

}  // namespace quadrille::topology::dgx1_v100
