// Twisted tori: a torus whose columns come round some columns further on.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <utility>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::twisted_torus {

namespace {

TopologyPtr make(std::string_view text) {
  const auto x = text.find('x'), plus = text.find('+');
  if (x == std::string_view::npos || plus == std::string_view::npos || plus < x)
    throw Error(
        Error::Kind::argument,
        fmt::format("topology twisted-torus:{}: expected twisted-torus:AxB+T, such as 4x8+4", base::quoted(text)));
  const Rank rows = base::parse_integer(text.substr(0, x), 2, base::bit(10), "rows of twisted-torus");
  const Rank columns =
      base::parse_integer(text.substr(x + 1, plus - x - 1), 2, base::bit(10), "columns of twisted-torus");
  const Rank twist = base::parse_integer(text.substr(plus + 1), 0, columns - 1, "twist of twisted-torus");
  Network network{.vertices = rows * columns, .ranks = rows * columns};
  std::set<std::pair<Rank, Rank>> joined;  // two ways round a side of 2 are one wire
  const auto join = [&](Rank a, Rank b) {
    if (joined.insert(std::minmax(a, b)).second) network.join(a, b);
  };
  for (Rank r = 0; r < rows; ++r)
    for (Rank c = 0; c < columns; ++c) {
      join(r * columns + c, r * columns + (c + 1) % columns);
      join(r * columns + c, r + 1 < rows ? (r + 1) * columns + c : (c + twist) % columns);
    }
  return make_graph(std::move(network), {"twisted-torus", fmt::format("twisted-torus:{}x{}+{}", rows, columns, twist),
                                         fmt::format("a twisted {} x {} torus", rows, columns)});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "twisted-torus",
           .form = "twisted-torus:AxB+T",
           .summary = "A rows of B ranks, A, B = 2..1024; row A-1 is joined to row 0 T columns further on",
           .make = make,
           .examples = {"2x4+2", "3x3+1"},
           .place = 360}};
}

}  // namespace quadrille::topology::twisted_torus
