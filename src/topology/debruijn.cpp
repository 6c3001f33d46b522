// De Bruijn graphs: one-way wires to the D numbers whose first digits are the last ones.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::debruijn {

namespace {

TopologyPtr make(std::string_view text) {
  const std::vector<std::string_view> parts = base::split(text, ',');
  if (parts.size() != 2)
    throw Error(Error::Kind::argument, fmt::format("topology debruijn:{}: expected debruijn:D,K", base::quoted(text)));
  const Rank d = base::parse_integer(parts[0], 2, 4096, "degree of debruijn");
  const Rank digits = base::parse_integer(parts[1], 1, 20, "digits of debruijn");
  Rank n = 1;
  for (Rank i = 0; i < digits && n <= most_vertices; ++i) n *= d;
  if (n > most_vertices || n * d > most_arcs)
    throw Error(Error::Kind::argument,
                fmt::format("topology debruijn:{}: expected at most 2^20 ranks and 2^24 wires", base::quoted(text)));
  Network network{.vertices = n, .ranks = n};
  for (Rank u = 0; u < n; ++u)
    for (Rank x = 0; x < d; ++x)
      if (const Rank v = (u * d + x) % n; v != u) network.arc(u, v);
  return make_graph(std::move(network), {"debruijn", fmt::format("debruijn:{},{}", d, digits), "a de Bruijn graph"});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "debruijn",
           .form = "debruijn:D,K",
           .summary = "D^K ranks; one-way wires from u to u*D + x modulo D^K, x = 0..D-1, but not to u itself",
           .make = make,
           .examples = {"2,3", "2,2"},
           .place = 340}};
}

}  // namespace quadrille::topology::debruijn
