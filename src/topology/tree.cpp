// k-ary n-trees: n levels of switches with k links down and k up.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/levels.hpp"

namespace quadrille::topology::tree {

namespace {

constexpr const char* kinds[] = {"host",   "level1", "level2",  "level3",  "level4",  "level5",  "level6",  "level7",
                                 "level8", "level9", "level10", "level11", "level12", "level13", "level14", "level15"};
constexpr int most_levels = std::size(kinds);

TopologyPtr make(std::string_view text) {
  const std::vector<std::string_view> parts = base::split(text, ',');
  if (parts.size() != 2)
    throw Error(Error::Kind::argument, fmt::format("topology tree:{}: expected tree:K,N", base::quoted(text)));
  const Rank k = base::parse_integer(parts[0], 2, base::bit(15), "children of tree");
  const auto n = static_cast<std::size_t>(base::parse_integer(parts[1], 1, most_levels, "levels of tree"));
  LevelsShape shape{.children = std::vector<Rank>(n, k),
                    .parents = std::vector<Rank>(n, k),
                    .widths = std::vector<std::int64_t>(n, 1),
                    .kinds = {kinds, kinds + n}};
  shape.parents.front() = 1;
  return std::make_shared<Levels>(
      std::move(shape), "tree", fmt::format("tree:{},{}", k, n),
      fmt::format("{} tree with {} levels of switches", base::with_article(fmt::format("{}-ary", k)), n));
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "tree",
           .form = "tree:K,N",
           .summary =
               "a K-ary N-tree: K^N hosts under N levels of K^(N-1) switches, K = 2..2^15, N = 1..16; d-mod-k routes",
           .make = make,
           .examples = {"2,3", "3,1"},
           .place = 210}};
}

}  // namespace quadrille::topology::tree
