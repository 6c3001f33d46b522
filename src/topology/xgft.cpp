// Extended generalized fat trees: any numbers of children and parents, level by level.
#include <fmt/format.h>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/levels.hpp"

namespace quadrille::topology::xgft {

namespace {

constexpr std::size_t most_levels = 16;

std::vector<Rank> numbers(std::string_view text, std::size_t levels, std::string_view what) {
  const std::vector<std::string_view> parts = base::split(text, ',');
  if (parts.size() != levels)
    throw Error(Error::Kind::argument, fmt::format("{} of xgft {}: expected {} numbers, one for each level", what,
                                                   base::quoted(text), levels));
  std::vector<Rank> all;
  for (const std::string_view part : parts)
    all.push_back(base::parse_integer(part, 1, base::bit(30), fmt::format("{} of xgft", what)));
  return all;
}

TopologyPtr make(std::string_view text) {
  const std::vector<std::string_view> parts = base::split(text, ';');
  if (parts.size() < 3 || parts.size() > 4)
    throw Error(
        Error::Kind::argument,
        fmt::format("topology xgft:{}: expected levels, children and parents, such as xgft:2;4,4;1,2, and widths "
                    "where they differ: xgft:2;4,4;1,2;2,3",
                    base::quoted(text)));
  const auto levels = static_cast<std::size_t>(base::parse_integer(parts[0], 1, most_levels, "levels of xgft"));
  LevelsShape shape{.children = numbers(parts[1], levels, "children"),
                    .parents = numbers(parts[2], levels, "parents"),
                    .widths = std::vector<std::int64_t>(levels, 1),
                    .kinds = {"host"}};
  std::string name =
      fmt::format("xgft:{};{};{}", levels, base::join(shape.children, ","), base::join(shape.parents, ","));
  if (parts.size() == 4) {
    shape.widths = numbers(parts[3], levels, "widths");
    name += ";" + base::join(shape.widths, ",");
  }
  for (std::size_t l = 1; l < levels; ++l) shape.kinds.push_back(fmt::format("level{}", l));
  return std::make_shared<Levels>(std::move(shape), "xgft", name,
                                  fmt::format("a fat tree with {} levels of switches", levels));
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "xgft",
           .form = "xgft:H;M,..;W,..",
           .summary =
               "H levels of switches, H = 1..16; a switch of level i has Mi children, a node below it Wi parents; "
               "then ;C,.. for the widths of links; d-mod-k routes",
           .make = make,
           .examples = {"2;4,2;1,2", "2;2,2;2,2;1,3"},
           .place = 220}};
}

}  // namespace quadrille::topology::xgft
