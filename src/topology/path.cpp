// Ranks in a row.
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::path {

namespace {

/// A row, or several: each goes on below the end of the one before.
Drawing drawing(Rank n) {
  constexpr Rank most_in_a_row = 16;
  Drawing rows;
  for (Rank first = 0; first < n; first += most_in_a_row) {
    rows.rows.push_back(row_of(first, std::min(most_in_a_row, n - first)));
    if (rows.rows.size() % 2 == 0) std::reverse(rows.rows.back().begin(), rows.rows.back().end());
  }
  return rows;
}

TopologyPtr make(std::string_view text) {
  const Rank n = base::parse_integer(text, 1, base::bit(14), "size of path");
  Network network{.vertices = n, .ranks = n};
  for (Rank r = 0; r + 1 < n; ++r) network.join(r, r + 1);
  if (n <= Drawing::most_vertices) network.drawing = drawing(n);
  return make_graph(std::move(network), {"path", fmt::format("path:{}", n), "a path"});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "path",
           .form = "path:N",
           .summary = "N ranks in a row, N = 1..2^14; mesh:N is the same as a mesh of one dimension",
           .make = make,
           .shape = [](Rank ranks) { return ranks <= base::bit(14) ? any_size(ranks) : std::string(); },
           .examples = {"8", "3"},
           .like = "mesh",
           .place = 260}};
}

}  // namespace quadrille::topology::path
