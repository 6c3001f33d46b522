// Where the sources of a distribution sit: the generators of Hambrusch, Khokhar & Liu (1995), section 4, with what they
// leave open decided as docs/reference/errata.md says.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/integer.hpp"
#include "quadrille/sources.hpp"

namespace quadrille {

namespace {

/// floor(k n / i) for k = 0 .. i-1: evenly spaced lines, the first always among them.
std::vector<Rank> spaced(Rank n, Rank i) {
  std::vector<Rank> lines;
  for (Rank k = 0; k < i; ++k) lines.push_back(k * n / i);
  return lines;
}

[[noreturn]] void refuse(const Distribution& d, const std::string& why) {
  throw Error(Error::Kind::argument, fmt::format("sources {}: {}", to_text(d), why));
}

/// Lines one after another, `cell(line, x)` for x = 0 .. length-1. Filled, all lines are full but the last; balanced,
/// they differ by at most one.
template <class Cell>
std::vector<Rank> along_lines(const Distribution& d, const std::vector<Rank>& lines, Rank length, Cell cell) {
  const auto count = static_cast<Rank>(lines.size());
  std::vector<Rank> ranks;
  for (Rank k = 0; k < count; ++k) {
    const Rank share = d.balanced ? d.count / count + (k < d.count % count ? 1 : 0)
                                  : std::min(length, d.count - static_cast<Rank>(ranks.size()));
    for (Rank x = 0; x < share; ++x) ranks.push_back(cell(lines[static_cast<std::size_t>(k)], x));
  }
  return ranks;
}

std::vector<Rank> equal(const Distribution& d, Rank p) {
  std::vector<Rank> ranks;
  if (d.every > 0)
    for (Rank r = 0; r < p; r += d.every) ranks.push_back(r);
  for (Rank k = 0; k < d.count; ++k) ranks.push_back(k * p / d.count);
  return ranks;
}

/// Rows and columns in turn, cells that are taken left out, until there are enough.
std::vector<Rank> cross(const Distribution& d, const Rectangle& m) {
  const auto cells = [&](Rank i) {
    const Rank a = std::min(i, m.rows), b = std::min(i, m.cols);
    return a * m.cols + b * m.rows - a * b;
  };
  Rank i = 1;
  while (cells(i) < d.count) ++i;
  const std::vector<Rank> rows = spaced(m.rows, std::min(i, m.rows)), cols = spaced(m.cols, std::min(i, m.cols));
  std::vector<Rank> ranks;
  std::vector<bool> taken(static_cast<std::size_t>(m.ranks()), false);
  const auto take = [&](Rank r) {
    if (static_cast<Slot>(ranks.size()) == d.count || taken[static_cast<std::size_t>(r)]) return;
    taken[static_cast<std::size_t>(r)] = true;
    ranks.push_back(r);
  };
  for (std::size_t k = 0; k < static_cast<std::size_t>(i); ++k) {
    if (k < rows.size())
      for (Rank x = 0; x < m.cols; ++x) take(rows[k] * m.cols + x);
    if (k < cols.size())
      for (Rank x = 0; x < m.rows; ++x) take(x * m.cols + cols[k]);
  }
  return ranks;
}

Rank square_root(Rank n) {
  auto root = static_cast<Rank>(std::sqrt(static_cast<double>(n)));
  while (root * root > n) --root;
  while ((root + 1) * (root + 1) <= n) ++root;
  return root;
}

std::vector<Rank> block(const Distribution& d, const Rectangle& m) {
  Rank height = d.height, width = d.width;
  if (d.count > 0) {
    height = std::max(base::ceil_div(d.count, m.cols), std::min(m.rows, square_root(d.count)));
    width = base::ceil_div(d.count, height);
  }
  if (height > m.rows - d.top || width > m.cols - d.left)
    refuse(d, fmt::format("{} x {} sources with the corner at row {}, column {} do not fit {} x {} ranks", height,
                          width, d.top, d.left, m.rows, m.cols));
  const Slot count = d.count > 0 ? d.count : height * width;
  std::vector<Rank> ranks;
  for (Slot k = 0; k < count; ++k) ranks.push_back((d.top + k / width) * m.cols + d.left + k % width);
  return ranks;
}

}  // namespace

std::vector<Rank> places(const Distribution& d, const Rectangle& m) {
  const Rank p = m.ranks();
  constexpr Slot most = Slot{1} << 24;
  const Slot count = d.kind == Distribution::Kind::equal && d.every > 0 ? base::ceil_div(p, d.every) : d.count;
  if (count > p) refuse(d, fmt::format("there are {} ranks", p));
  if (count > most) refuse(d, fmt::format("expected at most {} sources", most));
  switch (d.kind) {
    case Distribution::Kind::rows:
      return along_lines(d, spaced(m.rows, base::ceil_div(d.count, m.cols)), m.cols,
                         [&](Rank row, Rank x) { return row * m.cols + x; });
    case Distribution::Kind::columns:
      return along_lines(d, spaced(m.cols, base::ceil_div(d.count, m.rows)), m.rows,
                         [&](Rank col, Rank x) { return x * m.cols + col; });
    case Distribution::Kind::right_diagonal:
      return along_lines(d, spaced(m.cols, base::ceil_div(d.count, m.rows)), m.rows,
                         [&](Rank o, Rank a) { return a * m.cols + (a + o) % m.cols; });
    case Distribution::Kind::left_diagonal:
      return along_lines(d, spaced(m.cols, base::ceil_div(d.count, m.rows)), m.rows,
                         [&](Rank o, Rank a) { return a * m.cols + base::wrap(m.cols - 1 - a - o, m.cols); });
    case Distribution::Kind::equal:
      return equal(d, p);
    case Distribution::Kind::cross:
      return cross(d, m);
    case Distribution::Kind::block:
      return block(d, m);
  }
  return {};
}

}  // namespace quadrille
