// The DGX-1 with Pascal GPUs: two full quads, and a link from each GPU to its partner.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::dgx1_p100 {

namespace {

constexpr double nvlink = 20e9;  ///< bytes a second of an NVLink 1.0, each way

TopologyPtr make(std::string_view) {
  Network network{.vertices = 8, .ranks = 8, .kinds = {"nvlink"}, .rate = nvlink};
  for (const Rank quad : {0, 4})
    for (Rank a = 0; a < 4; ++a)
      for (Rank b = a + 1; b < 4; ++b) network.join(quad + a, quad + b);
  for (Rank i = 0; i < 4; ++i) network.join(i, i + 4);
  const auto quad = [](Rank first) { return Drawing{.rows = {row_of(first, 2), row_of(first + 2, 2)}}; };
  network.drawing = {.rows = {{quad(0), quad(4)}}, .name = "DGX-1"};
  return make_graph(std::move(network), {"dgx1-p100", "dgx1-p100", "a DGX-1 with eight P100"});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "dgx1-p100",
           .form = "dgx1-p100",
           .summary = "8 GPUs with 4 NVLinks each: two full quads, and a link from i to i + 4",
           .make = make,
           .examples = {""},
           .place = 400}};
}

}  // namespace quadrille::topology::dgx1_p100
