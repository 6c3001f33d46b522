#include "algorithm/pattern/combining.hpp"

#include <algorithm>

#include "base/integer.hpp"

namespace quadrille::algorithm::pattern {

Lines rows_of(const Region& region) {
  Lines lines{.ranks = {}, .length = region.cols};
  for (Rank row = 0; row < region.rows; ++row)
    for (Rank col = 0; col < region.cols; ++col) lines.ranks.push_back(region.at(row, col));
  return lines;
}

Lines columns_of(const Region& region) {
  Lines lines{.ranks = {}, .length = region.rows};
  for (Rank col = 0; col < region.cols; ++col)
    for (Rank row = 0; row < region.rows; ++row) lines.ranks.push_back(region.at(row, col));
  return lines;
}

Lines all_in_line(const Rectangle& mesh, bool snake) {
  Lines line{.ranks = {}, .length = mesh.ranks()};
  for (Rank row = 0; row < mesh.rows; ++row)
    for (Rank x = 0; x < mesh.cols; ++x)
      line.ranks.push_back(row * mesh.cols + (snake && row % 2 == 1 ? mesh.cols - 1 - x : x));
  return line;
}

int line_rounds(Rank length) { return base::log2_ceil(length); }

Talk line_talk(Rank length, int level, Rank x, Odd odd) {
  Rank first = 0, n = length;
  for (int i = 0; i < level; ++i) {
    const Rank half = base::ceil_div(n, 2);
    if (x < first + half)
      n = half;
    else
      first += half, n -= half;
  }
  Talk talk;
  if (n < 2) return talk;
  const Rank half = base::ceil_div(n, 2), y = x - first;
  const Rank lonely = half - 1, helper = odd == Odd::neighbour ? half : n - 1;  // of an odd segment
  talk.low = y < half;
  if (!talk.low) {
    talk.partner = x - half;
    if (n % 2 == 1 && y == helper) talk.only_from = first + lonely;
  } else if (y + half < n) {
    talk.partner = x + half;
  } else {
    talk.only_to = first + helper;
  }
  return talk;
}

std::vector<Rank> ideal_positions(Rank n, Slot count) {
  const Rank half = base::ceil_div(n, 2), pairs = n - half;
  std::vector<Rank> positions;
  const auto add = [&](Rank x) {
    if (static_cast<Slot>(positions.size()) < count) positions.push_back(x);
  };
  // Alternating halves makes the messages of the first round run in both directions.
  for (Rank x = 0; x < pairs; ++x) add(x % 2 == 0 ? x : x + half);
  if (half > pairs) add(half - 1);
  for (Rank x = 0; x < pairs; ++x) add(x % 2 == 0 ? x + half : x);
  std::sort(positions.begin(), positions.end());
  return positions;
}

}  // namespace quadrille::algorithm::pattern
