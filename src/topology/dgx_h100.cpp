// Boxes of eight H100 around an NVSwitch, and eight rails between boxes.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::dgx_h100 {

namespace {

constexpr Rank most_boxes = 4096;
constexpr double unit = 1e9;  ///< widths are in GB/s

/// Boxes under the rails: GPUs on both sides of what joins them.
Drawing drawing(Rank boxes) {
  const Rank gpus = 8 * boxes;
  std::vector<Drawing> drawn;
  for (Rank b = 0; b < boxes; ++b)
    drawn.push_back(
        {.rows = {row_of(8 * b, 4), row_of(gpus + b, 1), row_of(8 * b + 4, 4)}, .name = fmt::format("box {}", b)});
  Drawing all{.rows = rows_of(std::move(drawn), 1)};
  if (boxes > 1) all.rows.insert(all.rows.begin(), row_of(gpus + boxes, 8));
  return all;
}

TopologyPtr make(std::string_view text) {
  const Rank boxes = base::parse_integer(text, 1, most_boxes, "boxes of dgx-h100");
  const Rank gpus = 8 * boxes, rails = gpus + boxes;
  Network network{.vertices = boxes == 1 ? rails : rails + 8, .ranks = gpus, .kinds = {"nvlink", "nic"}, .rate = unit};
  for (Rank i = 0; i < gpus; ++i) {
    network.join(i, gpus + i / 8, 450);
    if (boxes > 1) network.join(i, rails + i % 8, 50, 1);
  }
  if (network.vertices <= Drawing::most_vertices) network.drawing = drawing(boxes);
  network.groups = groups_of({8}, gpus);
  return make_graph(std::move(network), {"dgx-h100", fmt::format("dgx-h100:{}", boxes),
                                         boxes == 1 ? "a DGX H100" : fmt::format("{} DGX H100", boxes)});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "dgx-h100",
           .form = "dgx-h100:B",
           .summary =
               "B boxes, B = 1..4096, of 8 GPUs at 450 GB/s around an NVSwitch; where there are several, GPU i of each "
               "is on rail i, at 50 GB/s",
           .make = make,
           .examples = {"1"},
           .place = 430}};
}

}  // namespace quadrille::topology::dgx_h100
