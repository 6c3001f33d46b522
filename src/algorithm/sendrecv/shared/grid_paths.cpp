#include "algorithm/sendrecv/shared/grid_paths.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/grid_tree.hpp"
#include "algorithm/sendrecv/shared/flow.hpp"

namespace quadrille::algorithm::sendrecv {

namespace {

/// Links from the source along two axes.
struct Corner {
  Rank y, x;
};
using Corners = std::vector<Corner>;

/// A torus of two dimensions seen from the source such that the target is at (b, a), 0 <= b, a <= half a side; axes
/// exchanged or not.
class Frame {
 public:
  Frame(const Spec& spec, bool exchanged)
      : topology_(spec.topology), grid_(kit::grid(spec)), axis_{exchanged ? 1 : 0, exchanged ? 0 : 1} {
    const pattern::GridView view(spec);
    for (const std::size_t i : {0U, 1U}) {
      const Rank offset = view.offset(spec.target, axis_[i]);
      sign_[i] = offset < 0 ? -1 : 1;
      target_[i] = std::abs(offset);
      side_[i] = grid_->sides()[static_cast<std::size_t>(axis_[i])];
      source_[i] = grid_->coordinate(spec.root, axis_[i]);
    }
  }
  Rank rows() const { return side_[0]; }
  Rank columns() const { return side_[1]; }
  Rank b() const { return target_[0]; }
  Rank a() const { return target_[1]; }
  Rank rank(Rank y, Rank x) const {
    const Rank first = base::wrap(source_[0] + sign_[0] * y, side_[0]),
               second = base::wrap(source_[1] + sign_[1] * x, side_[1]);
    return axis_[0] == 0 ? first * side_[1] + second : second * side_[0] + first;
  }
  Corner place(Rank r) const {
    const auto along = [&](std::size_t i) {
      return base::wrap(sign_[i] * (grid_->coordinate(r, axis_[i]) - source_[i]), side_[i]);
    };
    return {along(0), along(1)};
  }

 private:
  TopologyPtr topology_;
  const topology::Grid* grid_;
  std::array<int, 2> axis_;
  std::array<Rank, 2> sign_{}, target_{}, side_{}, source_{};
};

/// A straight piece of a path.
struct Segment {
  Corner from;
  bool across;  ///< along x
  Rank sign, length, before;
};

std::vector<Segment> segments(const Corners& corners) {
  std::vector<Segment> all;
  Rank before = 0;
  for (std::size_t i = 1; i < corners.size(); ++i) {
    const Rank y = corners[i].y - corners[i - 1].y, x = corners[i].x - corners[i - 1].x;
    if (y + x == 0) continue;
    all.push_back({corners[i - 1], x != 0, y + x > 0 ? 1 : -1, std::abs(y + x), before});
    before += all.back().length;
  }
  return all;
}

Path path_along(const Frame& frame, const Corners& corners) {
  const auto list = std::make_shared<const std::vector<Segment>>(segments(corners));
  const auto at = [=](std::int64_t i) {
    const Segment* s = list->data();
    while (s != &list->back() && i > s->before + s->length) ++s;
    const Rank go = s->sign * (i - s->before);
    return s->across ? frame.rank(s->from.y, s->from.x + go) : frame.rank(s->from.y + go, s->from.x);
  };
  const auto position = [=](Rank r) -> std::int64_t {
    const Corner here = frame.place(r);
    for (const Segment& s : *list) {
      const Rank rows = frame.rows(), columns = frame.columns();
      const bool on_line = s.across ? here.y == base::wrap(s.from.y, rows) : here.x == base::wrap(s.from.x, columns);
      const Rank go =
          s.across ? base::wrap(s.sign * (here.x - s.from.x), columns) : base::wrap(s.sign * (here.y - s.from.y), rows);
      if (on_line && go <= s.length) return s.before + go;
    }
    return -1;
  };
  return {list->back().before + list->back().length, at, position};
}

/// Whether no wire is in two segments (and no segment goes all the way round).
bool disjoint(const Frame& frame, const std::vector<Corners>& paths) {
  struct Stretch {
    bool across;
    Rank line, first, length;
  };
  std::vector<Stretch> all;
  for (const Corners& corners : paths)
    for (const Segment& s : segments(corners)) {
      const Rank start = s.across ? s.from.x : s.from.y, side = s.across ? frame.columns() : frame.rows();
      if (s.length >= side) return false;
      const Rank first = base::wrap(s.sign > 0 ? start : start - s.length, side);
      const Rank line = s.across ? base::wrap(s.from.y, frame.rows()) : base::wrap(s.from.x, frame.columns());
      for (const Stretch& other : all) {
        if (other.across != s.across || other.line != line) continue;
        if (base::wrap(first - other.first, side) < other.length || base::wrap(other.first - first, side) < s.length)
          return false;
      }
      all.push_back({s.across, line, first, s.length});
    }
  return true;
}

/// Both offsets at least 1. R rows, C columns, d = a + b; the lengths are those of the four paths in turn.
std::vector<std::vector<Corners>> across_a_corner(Rank R, Rank C, Rank b, Rank a) {
  const Corners east{{0, 0}, {0, a}, {b, a}}, north{{0, 0}, {b, 0}, {b, a}};
  const Corners south{{0, 0}, {-1, 0}, {-1, a}, {b, a}}, over{{0, 0}, {b + 1, 0}, {b + 1, a}, {b, a}};
  const Corners round_west{{0, 0}, {0, -1}, {b, -1}, {b, a - C}};
  std::vector<std::vector<Corners>> sets{
      // d + 2 each: round a box one larger on every side
      {{{0, 0}, {0, a + 1}, {b, a + 1}, {b, a}}, over, {{0, 0}, {0, -1}, {b, -1}, {b, a}}, south},
      // d, d, d + 4, d + 4
      {east,
       north,
       {{0, 0}, {0, -1}, {b + 1, -1}, {b + 1, a}, {b, a}},
       {{0, 0}, {-1, 0}, {-1, a + 1}, {b, a + 1}, {b, a}}},
      // d, d, then twice R + C - d: to antipodes all are shortest
      {east, north, {{0, 0}, {0, a - C}, {b - R, a - C}}, {{0, 0}, {b - R, 0}, {b - R, a - C}}},
      // d, d, C + b - a, R + a - b
      {east, north, round_west, {{0, 0}, {-1, 0}, {-1, a}, {b - R, a}}}};
  // d, d + 2, d + 2, C + b - a
  if (a >= 2) sets.push_back({{{0, 0}, {0, 1}, {b, 1}, {b, a}}, over, south, round_west});
  return sets;
}

/// The target d links along x.
std::vector<std::vector<Corners>> along_a_row(Rank R, Rank C, Rank d) {
  const Corners straight{{0, 0}, {0, d}}, north{{0, 0}, {1, 0}, {1, d}, {0, d}};
  const Corners south{{0, 0}, {-1, 0}, {-1, d}, {0, d}}, west{{0, 0}, {0, -1}, {-1, -1}, {-1, d}, {0, d}};
  std::vector<std::vector<Corners>> sets{
      // d, d + 2, d + 2, C - d
      {straight, north, south, {{0, 0}, {0, d - C}}},
      // d, d + 4, d + 4, d + R
      {straight, {{0, 0}, {1, 0}, {1, d + 1}, {0, d + 1}, {0, d}}, west, {{0, 0}, {2 - R, 0}, {2 - R, d}, {-R, d}}}};
  if (d == 1)  // 1, 3, 5, 7
    sets.push_back({straight, north, west, {{0, 0}, {-2, 0}, {-2, 2}, {0, 2}, {0, 1}}});
  else  // d + 4 each
    sets.push_back({{{0, 0}, {0, -1}, {1, -1}, {1, d}, {0, d}},
                    {{0, 0}, {2, 0}, {2, d - 1}, {0, d - 1}, {0, d}},
                    {{0, 0}, {-1, 0}, {-1, d + 1}, {0, d + 1}, {0, d}},
                    {{0, 0}, {0, 1}, {-2, 1}, {-2, d}, {0, d}}});
  return sets;
}

std::vector<PathSet> plane_sets(const Spec& spec) {
  std::vector<PathSet> sets;
  for (const bool exchanged : {false, true}) {
    const Frame frame(spec, exchanged);
    const Rank rows = frame.rows(), columns = frame.columns(), b = frame.b(), a = frame.a();
    std::vector<std::vector<Corners>> drawn;
    if (a > 0 && b > 0) drawn = across_a_corner(rows, columns, b, a);
    if (b == 0) drawn = along_a_row(rows, columns, a);
    for (const std::vector<Corners>& paths : drawn) {
      if (!disjoint(frame, paths)) continue;
      sets.emplace_back();
      for (const Corners& corners : paths) sets.back().push_back(path_along(frame, corners));
    }
  }
  return sets;
}

}  // namespace

std::vector<PathSet> grid_path_sets(const Spec& spec) {
  const auto* grid = kit::grid(spec);
  const std::vector<Rank>& sides = grid->sides();
  if (grid->wraps() && sides.size() == 2 && std::min(sides[0], sides[1]) >= 3) return plane_sets(spec);
  constexpr Rank most_searched = 4096;
  if (spec.ranks() > most_searched) return {};
  Neighbours neighbours(static_cast<std::size_t>(spec.ranks()));
  for (Rank r = 0; r < spec.ranks(); ++r)
    for (int axis = 0; axis < static_cast<int>(sides.size()); ++axis)
      for (const int sign : {1, -1})
        if (const Rank next = grid->neighbour(r, axis, sign); next >= 0 && next != r)
          if (auto& list = neighbours[static_cast<std::size_t>(r)];
              std::find(list.begin(), list.end(), next) == list.end())
            list.push_back(next);
  PathSet found;
  for (const std::vector<Rank>& ranks : least_paths(neighbours, spec.root, spec.target))
    found.push_back(path_through(ranks));
  return {found};
}

}  // namespace quadrille::algorithm::sendrecv
