#include "algorithm/pattern/grid_loads.hpp"

#include <algorithm>

namespace quadrille::algorithm::pattern {

/// The load rises or falls by `by` at the link that leaves a coordinate of the line; beyond the end there is none.
void GridLoads::change(Rank line, int axis, Rank coordinate, bool down, Bytes by) {
  if (coordinate == grid_.sides()[static_cast<std::size_t>(axis)]) return;
  steps_[static_cast<std::size_t>(link(line + coordinate * grid_.step(axis), axis, down))] += by;
}

void GridLoads::add(Rank from, Rank to, Bytes bytes) {
  grid_.each_leg(from, to, [&](Rank start, int axis, Rank way) {
    const Rank n = grid_.sides()[static_cast<std::size_t>(axis)], here = grid_.coordinate(start, axis);
    const Rank line = start - here * grid_.step(axis);
    const bool down = way < 0;
    const Rank first = down ? here + way + 1 : here, end = down ? here + 1 : here + way;  // of the links' tails
    change(line, axis, base::wrap(first, n), down, bytes);
    if (first < 0 || end > n) change(line, axis, 0, down, bytes);
    change(line, axis, end > n ? end - n : end, down, -bytes);
  });
}

Bytes GridLoads::busiest(bool wires) {
  const auto axes = static_cast<int>(grid_.sides().size());
  for (Rank r = 0; r < grid_.ranks(); ++r)
    for (int axis = 0; axis < axes; ++axis)
      if (grid_.coordinate(r, axis) > 0)
        for (const bool down : {false, true})
          steps_[static_cast<std::size_t>(link(r, axis, down))] +=
              steps_[static_cast<std::size_t>(link(r - grid_.step(axis), axis, down))];
  Bytes most = 0;
  for (Link l = 0; l < grid_.links(); ++l) {
    const Bytes load = steps_[static_cast<std::size_t>(l)];
    if (load == 0) continue;
    const Link back = wires ? grid_.reverse(l) : l;
    most = std::max(most, load + (back == l ? 0 : steps_[static_cast<std::size_t>(back)]));
  }
  std::fill(steps_.begin(), steps_.end(), 0);
  return most;
}

}  // namespace quadrille::algorithm::pattern
