#include "flow/basis.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace quadrille::flow {

namespace {

constexpr double smallest_pivot = 1e-9;

}  // namespace

Basis::Basis(std::vector<double> right_side)
    : right_side_(std::move(right_side)), values_(right_side_), direction_(right_side_.size()) {
  const std::size_t rows = right_side_.size();
  inverse_.assign(rows * rows, 0);
  for (std::size_t i = 0; i < rows; ++i) {
    inverse_[i * rows + i] = 1;
    columns_.push_back({{static_cast<std::int32_t>(i), 1.0}});
  }
}

std::vector<double> Basis::prices(std::int32_t row) const {
  const std::size_t rows = columns_.size();
  std::vector<double> prices(rows);
  for (std::size_t j = 0; j < rows; ++j) prices[j] = inverse_[j * rows + static_cast<std::size_t>(row)];
  return prices;
}

void Basis::turn(const Column& column) {
  std::fill(direction_.begin(), direction_.end(), 0.0);
  for (const auto& [row, factor] : column) {
    const double* from = inverse_column(row);
    for (std::size_t i = 0; i < direction_.size(); ++i) direction_[i] += factor * from[i];
  }
}

/// Of rows that fall to 0 at nearly the same step the one that falls fastest: small divisors spoil the inverse. [Harris
/// 1973]
std::int32_t Basis::leaving(const Column& entering) {
  constexpr double room = 1e-10;
  turn(entering);
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < direction_.size(); ++i)
    if (direction_[i] > smallest_pivot) least = std::min(least, (std::max(0.0, values_[i]) + room) / direction_[i]);
  std::int32_t best = -1;
  for (std::size_t i = 0; i < direction_.size(); ++i)
    if (direction_[i] > smallest_pivot && std::max(0.0, values_[i]) / direction_[i] <= least &&
        (best < 0 || direction_[i] > direction_[static_cast<std::size_t>(best)]))
      best = static_cast<std::int32_t>(i);
  return best;
}

void Basis::pivot(std::int32_t row) {
  const auto at = static_cast<std::size_t>(row);
  const double by = direction_[at];
  direction_[at] = 0;
  for (std::int32_t j = 0; j < rows(); ++j) {
    double* column = inverse_column(j);
    const double there = column[at] / by;
    if (there == 0) continue;
    for (std::size_t i = 0; i < direction_.size(); ++i) column[i] -= there * direction_[i];
    column[at] = there;
  }
  const double steps = values_[at] / by;
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i] -= steps * direction_[i];
  values_[at] = steps;
}

void Basis::exchange(std::int32_t row, const Column& entering) {
  turn(entering);
  pivot(row);
  columns_[static_cast<std::size_t>(row)] = entering;
}

void Basis::evaluate() {
  std::fill(values_.begin(), values_.end(), 0.0);
  for (std::int32_t j = 0; j < rows(); ++j)
    if (const double amount = right_side_[static_cast<std::size_t>(j)]; amount != 0) {
      const double* column = inverse_column(j);
      for (std::size_t i = 0; i < values_.size(); ++i) values_[i] += amount * column[i];
    }
}

/// Columns enter one by one, each at the row where it is largest of those that are left.
bool Basis::refresh(std::vector<double> right_side) {
  const std::vector<Column> columns = columns_;
  Basis fresh(std::move(right_side));
  std::vector<char> taken(columns.size(), 0);
  for (const Column& column : columns) {
    fresh.turn(column);
    std::int32_t at = -1;
    for (std::int32_t i = 0; i < rows(); ++i)
      if (!taken[static_cast<std::size_t>(i)] &&
          (at < 0 || std::abs(fresh.direction_[static_cast<std::size_t>(i)]) >
                         std::abs(fresh.direction_[static_cast<std::size_t>(at)])))
        at = i;
    if (std::abs(fresh.direction_[static_cast<std::size_t>(at)]) < smallest_pivot) return false;
    taken[static_cast<std::size_t>(at)] = 1;
    fresh.pivot(at);
    fresh.columns_[static_cast<std::size_t>(at)] = column;
  }
  fresh.evaluate();
  *this = std::move(fresh);
  return true;
}

}  // namespace quadrille::flow
