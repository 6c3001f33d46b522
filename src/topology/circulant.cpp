// Circulant graphs: a ring with longer jumps.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::circulant {

namespace {

TopologyPtr make(std::string_view text) {
  const auto slash = text.find('/');
  const Rank n = base::parse_integer(text.substr(0, slash), 3, most_vertices, "size of circulant");
  if (slash == std::string_view::npos)
    throw Error(
        Error::Kind::argument,
        fmt::format("topology circulant:{}: no jumps; expected a list as in circulant:13/1,5", base::quoted(text)));
  std::vector<Rank> jumps;
  for (const std::string_view part : base::split(text.substr(slash + 1), ',')) {
    jumps.push_back(base::parse_integer(part, jumps.empty() ? 1 : jumps.back() + 1, n / 2,
                                        "jump of circulant, each larger than the one before,"));
    if (n * std::ssize(jumps) > most_arcs / 2)
      throw Error(Error::Kind::argument, "circulant: expected at most 2^23 wires");
  }
  Network network{.vertices = n, .ranks = n};
  for (Rank r = 0; r < n; ++r)
    for (const Rank jump : jumps)
      if (2 * jump < n || r < jump) network.join(r, (r + jump) % n);
  return make_graph(std::move(network),
                    {"circulant", fmt::format("circulant:{}/{}", n, base::join(jumps, ",")), "a circulant network"});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "circulant",
           .form = "circulant:N/J,..",
           .summary = "N ranks, N = 3..2^20; r is joined to r + J and r - J for each J, 1..N/2, in rising order",
           .make = make,
           .examples = {"8/2,3", "6/1,3"},
           .place = 270}};
}

}  // namespace quadrille::topology::circulant
