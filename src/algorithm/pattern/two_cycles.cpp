#include "algorithm/pattern/two_cycles.hpp"

#include <algorithm>

namespace quadrille::algorithm::pattern {

namespace {

/// The wires that lead from a place to the next column and to the next row: whether each is on the first cycle.
struct Sides {
  Rank rows, columns;
  std::vector<bool> right, down;

  Rank place(Rank row, Rank column) const { return row % rows * columns + column % columns; }
  void switch_square(Rank row, Rank column) {
    for (const Rank i : {row, row + 1}) right[static_cast<std::size_t>(place(i, column))] = false;
    for (const Rank j : {column, column + 1}) down[static_cast<std::size_t>(place(row, j))] = true;
  }
  /// The two neighbours of a place on the cycle.
  std::vector<Rank> neighbours(Rank at, bool first) const {
    const Rank row = at / columns, column = at % columns;
    const Rank left = place(row, column + columns - 1), up = place(row + rows - 1, column);
    std::vector<Rank> found;
    if (right[static_cast<std::size_t>(at)] == first) found.push_back(place(row, column + 1));
    if (right[static_cast<std::size_t>(left)] == first) found.push_back(left);
    if (down[static_cast<std::size_t>(at)] == first) found.push_back(place(row + 1, column));
    if (down[static_cast<std::size_t>(up)] == first) found.push_back(up);
    return found;
  }
};

}  // namespace

std::vector<Rank> switched_squares(Rank rows, Rank columns) {
  std::vector<Rank> squares;
  for (Rank j = 0; j + 1 < rows; ++j) squares.push_back(j);
  const bool even = (columns - rows) % 2 == 0, odd_rows = rows % 2 != 0;
  const Rank more = columns - rows + (even || odd_rows ? 0 : 1);
  const Rank start = !even && odd_rows ? rows - 1 : 0, other = !even && odd_rows ? 0 : 1;
  for (Rank i = 0; i < more; ++i) squares.push_back(i % 2 == 0 ? start : other);
  return squares;
}

std::array<std::vector<Rank>, 2> two_cycles(Rank rows, Rank columns) {
  const bool turned = rows > columns;
  const Rank r = std::min(rows, columns), c = std::max(rows, columns);
  const auto places = static_cast<std::size_t>(r * c);
  Sides sides{r, c, std::vector<bool>(places, true), std::vector<bool>(places, false)};
  const std::vector<Rank> squares = switched_squares(r, c);
  for (std::size_t j = 0; j < squares.size(); ++j) sides.switch_square(squares[j], static_cast<Rank>(j));
  std::array<std::vector<Rank>, 2> cycles;
  for (std::size_t cycle = 0; cycle < 2; ++cycle) {
    Rank before = -1, at = 0;
    do {
      cycles[cycle].push_back(turned ? at % c * r + at / c : at);
      const std::vector<Rank> next = sides.neighbours(at, cycle == 0);
      const Rank to = before < 0 ? next.front() : next[0] == before ? next[1] : next[0];
      before = at, at = to;
    } while (at != 0);
  }
  return cycles;
}

}  // namespace quadrille::algorithm::pattern
