// Boxes of sixteen dies of MI250 that are joined among themselves, and one switch between boxes.
#include <fmt/format.h>

#include <array>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::mi250 {

namespace {

struct Joined {
  Rank a, b;
  std::int64_t width;
};
constexpr std::array<Joined, 28> box{
    {{0, 1, 200},  {0, 4, 100},   {0, 8, 50},    {1, 5, 50},   {1, 9, 50},   {1, 10, 50},  {2, 3, 200},
     {2, 6, 50},   {2, 9, 50},    {2, 10, 50},   {3, 7, 100},  {3, 11, 50},  {4, 5, 200},  {4, 6, 50},
     {5, 6, 50},   {5, 7, 50},    {6, 7, 200},   {8, 9, 200},  {8, 12, 100}, {9, 13, 50},  {10, 11, 200},
     {10, 14, 50}, {11, 15, 100}, {12, 13, 200}, {12, 14, 50}, {13, 14, 50}, {13, 15, 50}, {14, 15, 200}}};
constexpr Rank dies = 16, most_boxes = 4096;
constexpr double unit = 1e9;  ///< widths are in GB/s

/// Boxes under the switch.
Drawing drawing(Rank boxes) {
  std::vector<Drawing> drawn;
  for (Rank b = 0; b < boxes; ++b)
    drawn.push_back({.rows = rows_of(row_of(b * dies, dies), 1), .name = fmt::format("box {}", b)});
  Drawing all{.rows = rows_of(std::move(drawn), 1)};
  if (boxes > 1) all.rows.insert(all.rows.begin(), row_of(dies * boxes, 1));
  return all;
}

TopologyPtr make(std::string_view text) {
  const Rank boxes = base::parse_integer(text, 1, most_boxes, "boxes of mi250");
  const Rank ranks = dies * boxes;
  Network network{.vertices = ranks + (boxes > 1), .ranks = ranks, .kinds = {"xgmi", "nic"}, .rate = unit};
  for (Rank first = 0; first < ranks; first += dies)
    for (const Joined& link : box) network.join(first + link.a, first + link.b, link.width);
  for (Rank die = 0; die < ranks && boxes > 1; ++die) network.join(die, ranks, 16, 1);
  if (network.vertices <= Drawing::most_vertices) network.drawing = drawing(boxes);
  network.groups = groups_of({dies}, ranks);
  return make_graph(std::move(network),
                    {"mi250", fmt::format("mi250:{}", boxes),
                     fmt::format("{} of MI250", boxes == 1 ? "a box" : fmt::format("{} boxes", boxes))});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {
      {.name = "mi250",
       .form = "mi250:B",
       .summary =
           "B boxes, B = 1..4096, of 16 dies with links of 50 to 200 GB/s; where there are several, each die has 16 "
           "GB/s to one switch between boxes",
       .make = make,
       .examples = {"1"},
       .place = 440}};
}

}  // namespace quadrille::topology::mi250
