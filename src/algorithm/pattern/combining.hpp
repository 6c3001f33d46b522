// Broadcasts along lines of ranks that combine what meets: Br_Lin of Hambrusch, Khokhar & Liu (1995), section 2, and
// the lines and placements it runs on.
#pragma once

#include <vector>

#include "quadrille/sources.hpp"

namespace quadrille::algorithm::pattern {

/// Ranks of a mesh within some rows and columns.
struct Region {
  Rank top = 0, left = 0, rows = 1, cols = 1;
  Rank pitch = 1;  ///< columns of the whole mesh
  Rank at(Rank row, Rank col) const { return (top + row) * pitch + left + col; }
  Rank ranks() const { return rows * cols; }
};
inline Region whole(const Rectangle& m) { return {0, 0, m.rows, m.cols, m.cols}; }

/// Lines of equal length, one after another; no rank is on two.
struct Lines {
  std::vector<Rank> ranks;
  Rank length = 1;
};
Lines rows_of(const Region& region);
Lines columns_of(const Region& region);
/// One line through all ranks, row by row: every row left to right, or with `snake` the odd ones right to left.
Lines all_in_line(const Rectangle& mesh, bool snake);

/// Where the middle rank of an odd line, which has no partner, sends what it holds: the first rank of the upper half,
/// its neighbour, or the last one.
enum class Odd { neighbour, last };

/// Whom a rank talks with in a round; -1: nobody.
struct Talk {
  Rank partner = -1;    ///< each sends the other all it holds
  Rank only_to = -1;    ///< the rank sends there and gets nothing back
  Rank only_from = -1;  ///< the rank gets from there and sends nothing back
  bool low = true;      ///< of the lower half: of two that talk exactly one is
};
/// Rounds of a broadcast on a line: ceil(log2 n).
int line_rounds(Rank length);
/// Round `level` on a line of n ranks, for position x, in positions. The line is halved, the lower half larger when n
/// is odd; position x talks with x + ceil(n/2); then both halves do the same. Afterwards ranks of a segment hold
/// disjoint sets, and all of them together what the line held: nothing is ever delivered twice.
Talk line_talk(Rank length, int level, Rank x, Odd odd);

/// `count` positions on a line of n from which the ranks that hold something grow as fast as possible, increasing:
/// lexicographically the largest numbers of holders after round 1, 2, ...
std::vector<Rank> ideal_positions(Rank n, Slot count);

}  // namespace quadrille::algorithm::pattern
