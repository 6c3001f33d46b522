// Boxes of eight A100 around an NVSwitch, with a NIC for each GPU and two switches between boxes.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::dgx_a100 {

namespace {

constexpr Rank most_boxes = 4096;
constexpr double unit = 1e9;  ///< widths are in GB/s

/// Boxes under the two switches: the NICs, and GPUs on both sides of what joins them.
Drawing drawing(Rank boxes) {
  const Rank gpus = 8 * boxes, nics = gpus + boxes;
  std::vector<Drawing> drawn;
  for (Rank b = 0; b < boxes; ++b) {
    Drawing& box = drawn.emplace_back(Drawing{.name = fmt::format("box {}", b)});
    if (boxes > 1) box.rows.push_back(row_of(nics + 8 * b, 8));
    box.rows.insert(box.rows.end(), {row_of(8 * b, 4), row_of(gpus + b, 1), row_of(8 * b + 4, 4)});
  }
  Drawing all{.rows = rows_of(std::move(drawn), 1)};
  if (boxes > 1) all.rows.insert(all.rows.begin(), row_of(nics + gpus, 2));
  return all;
}

TopologyPtr make(std::string_view text) {
  const Rank boxes = base::parse_integer(text, 1, most_boxes, "boxes of dgx-a100");
  const Rank gpus = 8 * boxes, nics = gpus + boxes, fabric = nics + gpus;
  Network network{.vertices = boxes == 1 ? nics : fabric + 2, .ranks = gpus, .kinds = {"nvlink", "nic"}, .rate = unit};
  for (Rank i = 0; i < gpus; ++i) {
    network.join(i, gpus + i / 8, 300);
    if (boxes > 1) network.join(i, nics + i, 25, 1), network.join(nics + i, fabric + i % 2, 25, 1);
  }
  if (network.vertices <= Drawing::most_vertices) network.drawing = drawing(boxes);
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
