// Generalized Kautz graphs, of any number of ranks [Imase & Itoh 1981].
#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"
#include "topology/graph/network.hpp"

namespace quadrille::topology::genkautz {

namespace {

TopologyPtr make(std::string_view text) {
  const std::vector<std::string_view> parts = base::split(text, ',');
  if (parts.size() != 2)
    throw Error(Error::Kind::argument, fmt::format("topology genkautz:{}: expected genkautz:N,D", base::quoted(text)));
  const Rank n = base::parse_integer(parts[0], 3, most_vertices, "size of genkautz");
  const Rank d = base::parse_integer(parts[1], 2, std::min(n - 1, most_arcs / n), "degree of genkautz");
  Network network{.vertices = n, .ranks = n};
  for (Rank u = 0; u < n; ++u)
    for (Rank x = 1; x <= d; ++x)
      if (const Rank v = base::wrap(-d * u - x, n); v != u) network.arc(u, v);
  return make_graph(std::move(network), {"genkautz", fmt::format("genkautz:{},{}", n, d), "a generalized Kautz graph"});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "genkautz",
           .form = "genkautz:N,D",
           .summary =
               "N ranks, N = 3..2^20; one-way wires from u to -D*u - x modulo N, x = 1..D, D = 2..N-1, but not to u "
               "itself",
           .make = make,
           .examples = {"9,2", "5,2"},
           .place = 350}};
}

}  // namespace quadrille::topology::genkautz
