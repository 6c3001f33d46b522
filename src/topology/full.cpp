// Ranks that are all joined, where messages meet at no switch: a full mesh.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::full {

namespace {

TopologyPtr make(std::string_view text) {
  const Rank n = base::parse_integer(text, 1, 1024, "size of full");
  Network network{.vertices = n, .ranks = n};
  for (Rank a = 0; a < n; ++a)
    for (Rank b = a + 1; b < n; ++b) network.join(a, b);
  return make_graph(std::move(network), {"full", fmt::format("full:{}", n), "a full mesh"});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "full",
           .form = "full:N",
           .summary = "N ranks, N = 1..1024, with a wire between any two",
           .make = make,
           .shape = [](Rank ranks) { return ranks <= 1024 ? any_size(ranks) : std::string(); },
           .examples = {"8", "3"},
           .like = "crossbar",
           .place = 240}};
}

}  // namespace quadrille::topology::full
