#include "algorithm/pattern/cycle.hpp"

#include <algorithm>

#include "base/integer.hpp"

namespace quadrille::algorithm::pattern {

namespace {

/// A walk through `rows` x `columns` places, named row * columns + column.
struct Walk {
  Rank rows, columns;
  bool transposed;  ///< rows and columns exchange their roles

  Rank name(Rank row, Rank column) const { return transposed ? column * rows + row : row * columns + column; }
  Rank row(Rank place) const { return transposed ? place % rows : place / columns; }
  Rank column(Rank place) const { return transposed ? place / rows : place % columns; }
};

/// Each row is walked through in its direction, round the end, then one step leads down. The first `right` rows go
/// right and the others left, or they alternate; after the last row the walk has turned as often right as left, modulo
/// the columns, and its step down closes it. [docs/reference/errata.md, E-24: also odd x odd]
schedule::Renaming torus_walk(Rank rows, Rank columns) {
  Walk w{rows, columns, false};
  if (rows % 2 != 0 && (columns % 2 == 0 || rows < columns)) w = {columns, rows, true};
  // The least number with rows - 2*right divisible by the columns.
  const Rank right =
      w.columns % 2 == 0 ? w.rows / 2 % (w.columns / 2) : w.rows % w.columns * ((w.columns + 1) / 2) % w.columns;
  const bool alternate = 2 * right == w.rows;
  const auto leads_right = [=](Rank row) { return alternate ? row % 2 == 0 : row < right; };
  const auto start = [=](Rank row) {  // each row before moved it one place against its direction
    return base::wrap(alternate ? -(row % 2) : std::max<Rank>(0, row - right) - std::min(row, right), w.columns);
  };
  return {[=](Rank i) {
            const Rank row = i / w.columns, step = i % w.columns;
            return w.name(row, base::wrap(start(row) + (leads_right(row) ? step : -step), w.columns));
          },
          [=](Rank place) {
            const Rank row = w.row(place), from_start = w.column(place) - start(row);
            return row * w.columns + base::wrap(leads_right(row) ? from_start : -from_start, w.columns);
          }};
}

/// To and fro through an even number of rows but their first column, by which the walk returns; it begins in the
/// corner.
schedule::Renaming mesh_walk(Rank rows, Rank columns) {
  const Walk w = rows % 2 == 0 ? Walk{rows, columns, false} : Walk{columns, rows, true};
  const Rank inner = w.columns - 1;
  return {[=](Rank i) {
            if (i == 0) return w.name(0, 0);
            const Rank row = (i - 1) / inner, step = (i - 1) % inner;
            if (row >= w.rows) return w.name(w.rows * w.columns - i, 0);
            return w.name(row, row % 2 == 0 ? step + 1 : inner - step);
          },
          [=](Rank place) {
            const Rank row = w.row(place), column = w.column(place);
            if (column == 0) return row == 0 ? 0 : w.rows * w.columns - row;
            return row * inner + (row % 2 == 0 ? column : inner - column + 1);
          }};
}

/// A walk through all ranks of a mesh, not closed: the last axis to and fro.
schedule::Renaming snake(const Axes& axes) {
  const Rank n = axes.sides.back();
  const auto turned = [=](Rank i) { return i / n % 2 == 0 ? i : i / n * n + n - 1 - i % n; };
  if (axes.count() == 1) return {[](Rank i) { return i; }, [](Rank r) { return r; }};
  const schedule::Renaming outer = snake(axes_of({axes.sides.begin(), axes.sides.end() - 1}, false));
  return {[=](Rank i) {
            const Rank place = turned(i);
            return outer.to(place / n) * n + place % n;
          },
          [=](Rank r) { return turned(outer.from(r / n) * n + r % n); }};
}

}  // namespace

bool has_cycle(const Axes& axes) {
  return axes.wraps || axes.ranks() == 2 || (axes.count() > 1 && axes.ranks() % 2 == 0);
}

schedule::Renaming cycle_of(const Axes& axes) {
  const Rank n = axes.sides.back();
  if (axes.count() == 1) return {[](Rank i) { return i; }, [](Rank r) { return r; }};
  // All axes but the last are one longer one: a cycle through them, or on a mesh a walk.
  const Axes rest = axes_of({axes.sides.begin(), axes.sides.end() - 1}, axes.wraps);
  const schedule::Renaming outer = axes.wraps ? cycle_of(rest) : snake(rest);
  const schedule::Renaming walk = axes.wraps ? torus_walk(rest.ranks(), n) : mesh_walk(rest.ranks(), n);
  return {[=](Rank i) {
            const Rank place = walk.to(i);
            return outer.to(place / n) * n + place % n;
          },
          [=](Rank r) { return walk.from(outer.from(r / n) * n + r % n); }};
}

}  // namespace quadrille::algorithm::pattern
