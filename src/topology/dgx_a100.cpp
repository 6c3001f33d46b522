// Boxes of eight A100 around an NVSwitch, with a NIC for each GPU and two switches between boxes.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::dgx_a100 {

namespace {

constexpr Rank most_boxes = 4096;
constexpr double unit = 1e9;  ///< widths are in GB/s

TopologyPtr make(std::string_view text) {
  const Rank boxes = base::parse_integer(text, 1, most_boxes, "boxes of dgx-a100");
  const Rank gpus = 8 * boxes, nics = gpus + boxes, fabric = nics + gpus;
  Network network{.vertices = boxes == 1 ? nics : fabric + 2, .ranks = gpus, .kinds = {"nvlink", "nic"}, .rate = unit};
  for (Rank i = 0; i < gpus; ++i) {
    network.join(i, gpus + i / 8, 300);
    if (boxes > 1) network.join(i, nics + i, 25, 1), network.join(nics + i, fabric + i % 2, 25, 1);
  }
  network.groups = groups_of({8}, gpus);
  return make_graph(std::move(network), {"dgx-a100", fmt::format("dgx-a100:{}", boxes),
                                         boxes == 1 ? "a DGX A100" : fmt::format("{} DGX A100", boxes)});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "dgx-a100",
           .form = "dgx-a100:B",
           .summary =
               "B boxes, B = 1..4096, of 8 GPUs at 300 GB/s around an NVSwitch; where there are several, a NIC of 25 "
               "GB/s for each GPU, and two switches between boxes",
           .make = make,
           .examples = {"2"},
           .place = 420}};
}

}  // namespace quadrille::topology::dgx_a100
