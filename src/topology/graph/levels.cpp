#include "topology/graph/levels.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/integer.hpp"
#include "base/text.hpp"

namespace quadrille::topology {

Levels::Levels(LevelsShape shape, std::string family, std::string text, std::string describe)
    : shape_(std::move(shape)),
      family_(std::move(family)),
      text_(std::move(text)),
      describe_(std::move(describe)),
      below_{1},
      alike_{1},
      first_vertex_{0},
      first_link_{0} {
  const auto times = [&](Rank a, Rank b) {
    if (a > base::bit(40) / b)
      throw Error(Error::Kind::argument,
                  fmt::format("topology {}: more than 2^40 links; expected at most so many", base::quoted(text_, 200)));
    return a * b;
  };
  for (int l = 1; l <= levels(); ++l) {
    below_.push_back(times(below_.back(), children(l)));
    alike_.push_back(times(alike_.back(), parents(l - 1)));
    if (children(l) > 1) top_ = l;
    by_bits_ = by_bits_ && base::is_power_of_two(children(l)) && base::is_power_of_two(parents(l - 1));
  }
  if (ranks() > base::bit(30))
    throw Error(Error::Kind::argument,
                fmt::format("topology {}: {} hosts; expected at most 2^30", base::quoted(text_, 200), ranks()));
  sizes_ = groups_of(below_, ranks());
  for (const Rank hosts : below_) by_below_.emplace_back(static_cast<std::uint32_t>(hosts));
  for (const Rank ports : shape_.parents) by_parents_.emplace_back(static_cast<std::uint32_t>(ports));
  for (int l = 0; l <= levels(); ++l) {
    const Rank nodes = times(ranks() / below(l), alike(l));
    first_vertex_.push_back(first_vertex_.back() + nodes);
    if (l < levels()) first_link_.push_back(first_link_.back() + times(2 * nodes, parents(l)));
  }
}

int Levels::level_of(Link link) const {
  int level = 0;
  while (link >= first_link_[static_cast<std::size_t>(level) + 1]) ++level;
  return level;
}

Levels::Node Levels::lower(Link link, int level) const {
  return {level, (link - first_link_[static_cast<std::size_t>(level)]) / 2 / parents(level)};
}

Levels::Node Levels::upper(Link link, int level) const {
  const Rank way = (link - first_link_[static_cast<std::size_t>(level)]) / 2;
  const Rank lower = way / parents(level), port = way % parents(level);
  const Rank x = lower / alike(level), y = lower % alike(level);
  return {level + 1, x / children(level + 1) * alike(level + 1) + port * alike(level) + y};
}

Rank Levels::vertex(Node node) const {
  Rank number = node.number;
  if (shape_.roots_by_port && node.level == levels()) {
    const Rank lower_digits = alike(levels() - 1);
    number = number % lower_digits * parents(levels() - 1) + number / lower_digits;
  }
  return first_vertex_[static_cast<std::size_t>(node.level)] + number;
}

Rank Levels::tail(Link link) const {
  const int level = level_of(link);
  return vertex(link % 2 == 0 ? lower(link, level) : upper(link, level));
}

int Levels::meeting(Rank a, Rank b) const {
  int level = 0;
  while (part(a, level) != part(b, level)) ++level;
  return level;
}

/// The way down is that up from the receiver, by the same ports.
void Levels::route(Rank from, Rank to, std::vector<Link>& path) const {
  const auto top = static_cast<std::size_t>(meeting(from, to));
  const std::size_t begin = path.size();
  path.resize(begin + 2 * top);
  Rank y = 0, rest = to;
  for (std::size_t i = 0; i < top; ++i) {
    const int l = static_cast<int>(i);
    const Rank here = part(from, l), there = part(to, l);
    const Rank port = by_parents_[i].remainder(static_cast<std::uint32_t>(rest));
    rest = by_parents_[i].quotient(static_cast<std::uint32_t>(rest));
    path[begin + i] = link(l, here * alike(l) + y, port, false);
    path[path.size() - 1 - i] = link(l, there * alike(l) + y, port, true);
    y += port * alike(l);
  }
}

Link Levels::next(Link last, Rank from, Rank to) const {
  Node at{0, from};
  if (last >= 0) {
    const int level = level_of(last);
    at = last % 2 == 0 ? upper(last, level) : lower(last, level);
  }
  const Rank x = at.number / alike(at.level), y = at.number % alike(at.level);
  if (x != to / below(at.level)) return link(at.level, at.number, to / alike(at.level) % parents(at.level), false);
  if (at.level == 0) return -1;
  const Rank child = to / below(at.level - 1), fewer = alike(at.level - 1);
  return link(at.level - 1, child * fewer + y % fewer, y / fewer, true);
}

Levels::Up Levels::up_to(Link link) const {
  const int level = level_of(link);
  const Rank way = (link - first_link_[static_cast<std::size_t>(level)]) / 2;
  const Rank lower = way / parents(level), port = way % parents(level);
  return {level, lower / alike(level), lower % alike(level) + port * alike(level)};
}

/// Where hosts are renamed by xor with a number, a node's x changes by the bits of that number above the hosts below
/// it, and its y, through which routes to a host go up, by the lowest bits.
Levels::Renaming Levels::to_representative(const Up& up) const {
  Renaming found{up.x * below(up.level), (ranks() - 1) & ~(below(up.level) - 1)};
  const Rank bits = (alike(up.level + 1) - 1) & (ranks() - 1) & ~found.determined;
  found.by |= up.y & bits;
  found.determined |= bits;
  return found;
}

/// Under rotation the highest parts change places. A route to d goes up through the nodes y = d modulo their number, so
/// these change places, too, if the ranks are a multiple of it.
Rank Levels::alike_by(Group group) const {
  if (group == Group::none) return 1;
  if (group == Group::xor_all) return by_bits_ ? 1 : 0;
  if (group != Group::rotate) return 0;
  if (top_ == 0) return 1;
  return ranks() % alike(top_) == 0 ? below(top_ - 1) : 0;
}

Link Levels::representative(Link link, Group group) const {
  const Up up = up_to(link);
  if (group == Group::none || up.level >= top_) return link;
  const auto stands_for = [&](Rank x, Rank y) {
    const Rank alike_below = alike(up.level);
    return this->link(up.level, x * alike_below + y % alike_below, y / alike_below, link % 2 == 1);
  };
  if (group == Group::rotate) {
    const Rank part = below(top_ - 1), nodes = part / below(up.level);
    return stands_for(up.x % nodes, base::wrap(up.y - up.x / nodes * part, alike(up.level + 1)));
  }
  return stands_for(0, up.y ^ to_representative(up).by % alike(up.level + 1));
}

std::int64_t Levels::sharing(Link link, Group group) const {
  if (group != Group::xor_all) return 1;
  return ranks() >> base::popcount(to_representative(up_to(link)).determined);
}

Topology::LinkFacts Levels::facts(Link link) const {
  const int level = level_of(link);
  return {level, shape_.widths[static_cast<std::size_t>(level)], 0};
}

std::int64_t Levels::widest() const { return *std::max_element(shape_.widths.begin(), shape_.widths.end()); }

/// The switches above a part, and the parts of the level below.
Drawing Levels::part_of_drawing(int level, Rank part) const {
  if (level == 0) return {.vertex = part};
  Drawing drawing;
  std::vector<Drawing> below;
  for (Rank i = 0; i < children(level); ++i) below.push_back(part_of_drawing(level - 1, part * children(level) + i));
  if (level == 1)
    drawing.rows = rows_of(std::move(below), 2);
  else
    drawing.rows = {std::move(below)};
  drawing.rows.insert(drawing.rows.begin(), std::vector<Drawing>());
  for (Rank y = 0; y < alike(level); ++y)
    drawing.rows.front().push_back({.vertex = vertex({level, part * alike(level) + y})});
  std::sort(drawing.rows.front().begin(), drawing.rows.front().end(),
            [](const Drawing& a, const Drawing& b) { return a.vertex < b.vertex; });
  if (level + 1 == levels()) drawing.name = fmt::format("{} {}", level == 1 ? "leaf" : "pod", part);
  return drawing;
}

Drawing Levels::drawing() const {
  if (vertices() > Drawing::most_vertices) return {};
  if (levels() == 1) return {.rows = {row_of(ranks(), vertices() - ranks()), row_of(0, ranks())}, .ring = true};
  return part_of_drawing(levels(), 0);
}

Rank Levels::farthest(Rank from) const {
  const Rank part = top_ == 0 ? 1 : below(top_ - 1);
  return from / part == 0 && ranks() > 1 ? part : 0;
}

/// Half of the parts below one level against all else, at the level where the fewest links lead up. Of equal ones that
/// with the most hosts.
Levels::Half Levels::narrowest() const {
  Half best;
  for (int l = 0; l < top_; ++l) {
    const Rank parts = ranks() / below(l) / 2;
    const std::int64_t links = base::checked_multiply(parts, alike(l + 1), "links of the cut between halves");
    const std::int64_t width =
        base::checked_multiply(links, shape_.widths[static_cast<std::size_t>(l)], "width of the cut between halves");
    if (l == 0 || width < best.width || (width == best.width && parts * below(l) > best.ranks))
      best = {width, parts * below(l)};
  }
  return best;
}

std::int64_t Levels::total_distance(Rank) const {
  std::int64_t total = 0;
  for (int l = 1; l <= levels(); ++l) total += 2 * l * (below(l) - below(l - 1));
  return total;
}

}  // namespace quadrille::topology
