// Ranks in a box, joined to all that differ in one coordinate: Hamming graphs, whose switches make a HyperX.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::topology::hamming {

namespace {

TopologyPtr make(std::string_view text) {
  const auto slash = text.find('/');
  std::vector<Rank> sides;
  std::vector<std::int64_t> widths;
  Rank ranks = 1, degree = 0;
  for (const std::string_view part : base::split(text.substr(0, slash), 'x')) {
    sides.push_back(base::parse_integer(part, 1, 4096, "side of hamming"));
    ranks *= sides.back(), degree += sides.back() - 1;
    if (ranks > most_vertices || ranks * degree > most_arcs || sides.size() > 20)
      throw Error(Error::Kind::argument,
                  fmt::format("topology hamming:{}: expected at most 2^20 ranks in 20 dimensions, and 2^24 links",
                              base::quoted(text)));
  }
  if (slash != std::string_view::npos)
    for (const std::string_view part : base::split(text.substr(slash + 1), ','))
      widths.push_back(base::parse_integer(part, 1, base::bit(31), "width of links of hamming"));
  if (!widths.empty() && widths.size() != sides.size())
    throw Error(Error::Kind::argument, fmt::format("topology hamming:{}: {} widths; expected one for each of {} sides",
                                                   base::quoted(text), widths.size(), sides.size()));
  Network network{.vertices = ranks, .ranks = ranks};
  Rank step = ranks;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    step /= sides[i];
    for (Rank r = 0; r < ranks; ++r)
      for (Rank other = r / step % sides[i] + 1; other < sides[i]; ++other)
        network.join(r, r + (other - r / step % sides[i]) * step, widths.empty() ? 1 : widths[i]);
  }
  const std::string size = base::join(sides, "x");
  return make_graph(std::move(network),
                    {"hamming", fmt::format("hamming:{}{}{}", size, widths.empty() ? "" : "/", base::join(widths, ",")),
                     fmt::format("a Hamming network of {}", base::join(sides, " x "))});
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "hamming",
           .form = "hamming:AxBxC",
           .summary =
               "A*B*C ranks in a box, last coordinate fastest, joined where one coordinate differs; then /2,1,1 for "
               "the widths of each dimension's links",
           .make = make,
           .examples = {"3x4/2,1", "2x3"},
           .place = 280}};
}

}  // namespace quadrille::topology::hamming
