// Ranks around one switch, each with a wire of its own to it.
#include <fmt/format.h>

#include <memory>

#include "base/text.hpp"
#include "topology/families.hpp"
#include "topology/graph/levels.hpp"
#include "topology/graph/network.hpp"

namespace quadrille::topology::star {

namespace {

TopologyPtr make(std::string_view text) {
  const Rank n = base::parse_integer(text, 1, most_vertices - 1, "size of star");
  LevelsShape shape{.children = {n}, .parents = {1}, .widths = {1}, .kinds = {"link"}, .routing = "shortest"};
  return std::make_shared<Levels>(std::move(shape), "star", fmt::format("star:{}", n), "a star around one switch");
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "star",
           .form = "star:N",
           .summary = "N ranks, N = 1..2^20 - 1, around one switch; a rank has one wire for each direction",
           .make = make,
           .shape = [](Rank ranks) { return ranks < most_vertices ? any_size(ranks) : std::string(); },
           .examples = {"8", "2"},
           .place = 250}};
}

}  // namespace quadrille::topology::star
