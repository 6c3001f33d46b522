// Ranks in a row.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::path {

namespace {

TopologyPtr make(std::string_view text) {
  const Rank n = base::parse_integer(text, 1, base::bit(14), "size of path");
  Network network{.vertices = n, .ranks = n};
  for (Rank r = 0; r + 1 < n; ++r) network.join(r, r + 1);
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
