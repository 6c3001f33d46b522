// Fat trees of switches with k ports, as they stand in data centres.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/levels.hpp"

namespace quadrille::topology::fattree {

namespace {

constexpr Rank most_ports = 1024;

TopologyPtr make(std::string_view text) {
  const auto slash = text.find('/');
  const Rank k = base::parse_integer(text.substr(0, slash), 2, most_ports, "ports of fattree");
  if (k % 2 != 0)
    throw Error(Error::Kind::argument,
                fmt::format("ports of fattree '{}': expected an even number, 2 to {}", k, most_ports));
  const std::int64_t taper = slash == std::string_view::npos
                                 ? 1
                                 : base::parse_integer(text.substr(slash + 1), 1, base::bit(31), "taper of fattree");
  const Rank half = k / 2;
  LevelsShape shape{.children = {half, half, k},
                    .parents = {1, half, half},
                    .widths = {taper, taper, 1},
                    .kinds = {"host", "edge", "core"},
                    .roots_by_port = true};
  const std::string name = taper == 1 ? fmt::format("fattree:{}", k) : fmt::format("fattree:{}/{}", k, taper);
  return std::make_shared<Levels>(
      std::move(shape), "fattree", name,
      fmt::format("{} of {}-port switches", taper == 1 ? "a fat tree" : "a tapered fat tree", k));
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "fattree",
           .form = "fattree:K",
           .summary =
               "K^3/4 hosts under three levels of switches with K ports, K = 2, 4 .. 1024; fattree:K/T: links below "
               "the core T times as wide; d-mod-k routes",
           .make = make,
           .examples = {"4", "2/3"},
           .place = 200}};
}

}  // namespace quadrille::topology::fattree
