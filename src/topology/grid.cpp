#include "topology/grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.hpp"
#include "topology/families.hpp"

namespace quadrille::topology {

Grid::Grid(std::vector<Rank> sides, bool wraps) : sides_(std::move(sides)), steps_(sides_.size()), wraps_(wraps) {
  for (std::size_t i = sides_.size(); i-- > 0;) {
    steps_[i] = ranks_;
    ranks_ *= sides_[i];
  }
  small_ = ranks_ < Rank{1} << 32;
  for (std::size_t i = 0; i < sides_.size() && small_; ++i)
    digits_.push_back(
        {base::Divisor(static_cast<std::uint32_t>(steps_[i])), base::Divisor(static_cast<std::uint32_t>(sides_[i]))});
}

std::string Grid::describe() const {
  return base::with_article(base::join(sides_, " x ") + " " + std::string(family()));
}

std::string Grid::text() const { return std::string(family()) + ":" + base::join(sides_, "x"); }

Rank Grid::neighbour(Rank r, int axis, int sign) const {
  const Rank n = side(axis), here = coordinate(r, axis), there = here + (sign > 0 ? 1 : -1);
  const bool beyond = there < 0 || there >= n;
  if (!beyond) return r + (there - here) * step(axis);
  return wraps_ ? r + (sign > 0 ? -here : n - 1 - here) * step(axis) : -1;
}

/// Links along one axis, negative when the way leads down.
Rank Grid::along(int axis, Rank from, Rank to) const {
  const Rank there = coordinate(to, axis) - coordinate(from, axis);
  if (!wraps_) return there;
  const Rank up = base::wrap(there, side(axis));
  return 2 * up <= side(axis) ? up : up - side(axis);
}

std::int64_t Grid::wires() const {
  std::int64_t wires = 0;
  for (const Rank n : sides_) wires += wraps_ ? (n > 2 ? 2 * ranks_ : n == 2 ? ranks_ : 0) : 2 * (n - 1) * (ranks_ / n);
  return wires;
}

int Grid::diameter() const {
  std::int64_t most = 0;
  for (int i = 0; i < axes(); ++i) most += farthest_along(i);
  return static_cast<int>(most);
}

int Grid::distance(Rank from, Rank to) const {
  Rank links = 0;
  for (int i = 0; i < axes(); ++i) links += std::abs(along(i, from, to));
  return static_cast<int>(links);
}

Rank Grid::farthest(Rank from) const {
  Rank far = 0;
  for (int i = 0; i < axes(); ++i) {
    const Rank n = side(i), here = coordinate(from, i);
    const Rank there = wraps_             ? std::min((here + n / 2) % n, base::wrap(here - n / 2, n))
                       : 2 * here < n - 1 ? n - 1
                                          : 0;
    far += there * step(i);
  }
  return far;
}

int Grid::degree() const {
  int links = 0;
  for (const Rank n : sides_) links += static_cast<int>(std::min<Rank>(n - 1, 2));
  return links;
}

/// At a mesh's edge fewer than elsewhere.
int Grid::degree_at(Rank rank) const {
  int links = wraps_ ? degree() : 0;
  for (int i = 0; i < axes() && !wraps_; ++i)
    for (const int sign : {-1, 1}) links += neighbour(rank, i, sign) >= 0;
  return links;
}

int Grid::least_degree() const {
  if (wraps_) return degree();
  return static_cast<int>(std::count_if(sides_.begin(), sides_.end(), [](Rank n) { return n > 1; }));
}

void Grid::route(Rank from, Rank to, std::vector<Link>& path) const {
  each_leg(from, to, [&](Rank at, int axis, Rank way) {
    const int sign = way < 0 ? -1 : 1;
    for (Rank left = std::abs(way); left > 0; --left) {
      path.push_back(2 * (at * axes() + axis) + (sign < 0));
      at = neighbour(at, axis, sign);
    }
  });
}

Link Grid::reverse(Link link) const {
  const int axis = axis_of(link);
  const Link direction = wraps_ && side(axis) == 2 ? 0 : 1 - link % 2;
  return 2 * (head(link) * axes() + axis) + direction;
}

/// Directed links that lead from one half of an axis to the other.
std::int64_t Grid::cut_links(int axis) const { return ranks_ / side(axis) * (wraps_ && side(axis) > 2 ? 2 : 1); }

/// The axis whose halves the fewest links join; of several one with the most even halves.
int Grid::narrowest_axis() const {
  int best = -1;
  const auto smaller = [&](int axis) { return ranks_ / side(axis) * (side(axis) / 2); };
  for (int i = 0; i < axes(); ++i) {
    if (side(i) == 1) continue;
    if (best < 0 || cut_links(i) < cut_links(best) || (cut_links(i) == cut_links(best) && smaller(i) > smaller(best)))
      best = i;
  }
  return best;
}

std::int64_t Grid::bisection() const { return ranks_ == 1 ? 0 : cut_links(narrowest_axis()); }

Rank Grid::bisection_ranks() const {
  if (ranks_ == 1) return 0;
  const Rank n = side(narrowest_axis());
  return ranks_ / n * (n / 2);
}

std::int64_t Grid::total_distance(Rank from) const {
  std::int64_t total = 0;
  for (int i = 0; i < axes(); ++i) {
    const Rank n = side(i), below = coordinate(from, i), above = n - 1 - below;
    const std::int64_t one = wraps_ ? (n / 2) * ((n + 1) / 2) : below * (below + 1) / 2 + above * (above + 1) / 2;
    total += base::checked_multiply(one, ranks_ / n, "links crossed from a rank to all others");
  }
  return total;
}

std::int64_t Grid::sum_of_distances() const {
  constexpr const char* what = "links crossed between all ranks";
  if (wraps_) return base::checked_multiply(ranks_, total_distance(0), what);
  std::int64_t total = 0;
  for (const Rank n : sides_) {
    const std::int64_t pairs = base::checked_multiply(ranks_ / n, ranks_ / n, what);
    const std::int64_t line = base::checked_multiply(base::checked_multiply(n - 1, n, what), n + 1, what) / 3;
    total = base::checked_add(total, base::checked_multiply(pairs, line, what), what);
  }
  return total;
}

double Grid::mean_distance() const {
  if (ranks_ == 1) return 0;
  double total = 0;
  for (const Rank n : sides_)
    total += wraps_ ? static_cast<double>((n / 2) * ((n + 1) / 2)) / static_cast<double>(n)
                    : static_cast<double>(n * n - 1) / static_cast<double>(3 * n);
  return total * static_cast<double>(ranks_) / static_cast<double>(ranks_ - 1);
}

std::optional<int> Grid::colour(Rank rank) const {
  Rank sum = 0;
  for (int i = 0; i < axes(); ++i) {
    if (wraps_ && side(i) > 1 && side(i) % 2 != 0) return std::nullopt;
    sum += coordinate(rank, i);
  }
  return static_cast<int>(sum % 2);
}

/// Turned by one: a torus that is a single cycle. Renamed by exclusive or: sides of 2 only, which make a cube.
bool Grid::invariant(Group group) const {
  if (group == Group::none) return true;
  const Rank longest = *std::max_element(sides_.begin(), sides_.end());
  if (group == Group::rotate) return longest == ranks_ && (wraps_ || ranks_ == 2);
  return longest == 2;
}

Link Grid::representative(Link link, Group group) const {
  if (group == Group::none) return link;
  const Rank zero = group == Group::rotate ? 0 : representative_rank(tail(link), group);
  const int axis = axis_of(link);
  const Link direction = side(axis) == 2 ? (!wraps_ && coordinate(zero, axis) == 1) : link % 2;
  return 2 * (zero * axes() + axis) + direction;
}

namespace grid {

namespace {

constexpr std::size_t most_axes = 16;

TopologyPtr make_grid(std::string_view text, bool wraps) {
  const char* name = wraps ? "torus" : "mesh";
  const std::vector<std::string_view> parts = base::split(text, 'x');
  if (parts.size() > most_axes)
    throw Error(Error::Kind::argument,
                fmt::format("{} {}: {} sides; expected at most {}", name, base::quoted(text), parts.size(), most_axes));
  std::vector<Rank> sides;
  Rank ranks = 1;
  for (const std::string_view part : parts) {
    sides.push_back(base::parse_integer(part, 1, base::bit(30), fmt::format("{} side", name)));
    ranks = ranks > base::bit(30) ? ranks : ranks * sides.back();
  }
  if (ranks > base::bit(30))
    throw Error(Error::Kind::argument, fmt::format("{} {}: more than 2^30 ranks; expected sides whose product is 1 to "
                                                   "2^30",
                                                   name, base::quoted(text)));
  return std::make_shared<Grid>(std::move(sides), wraps);
}

/// "6x8" of 48.
std::string nearly_square(Rank ranks) {
  Rank side = 1;
  for (Rank i = 1; i * i <= ranks; ++i)
    if (ranks % i == 0) side = i;
  return side == 1 ? fmt::format("{}", ranks) : fmt::format("{}x{}", side, ranks / side);
}

}  // namespace

std::vector<TopologyFamily> families() {
  return {{.name = "mesh",
           .form = "mesh:AxBxC",
           .summary = "A*B*C ranks, 1..2^30, in 1 to 16 dimensions: mesh:16, mesh:4x4; last coordinate fastest; routes "
                      "follow one axis after the other, the last first",
           .make = [](std::string_view text) { return make_grid(text, false); },
           .shape = nearly_square,
           .examples = {"4x4", "2", "5", "1x4", "2x3", "2x3x2"},
           .place = 40},
          {.name = "torus",
           .form = "torus:AxBxC",
           .summary = "a mesh whose axes wrap round; routes take the shorter way, up when half way; a side of 2 is one "
                      "wire",
           .make = [](std::string_view text) { return make_grid(text, true); },
           .shape = nearly_square,
           .examples = {"4x4", "2", "5", "2x3", "3x3", "2x2x2", "2x3x4"},
           .place = 50}};
}

}  // namespace grid

}  // namespace quadrille::topology
