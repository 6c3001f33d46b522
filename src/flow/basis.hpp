// The basis of a linear program in equations, with its inverse: what the simplex method changes column by column.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace quadrille::flow {

/// A column of the program: rows and what stands there, each row once.
using Column = std::vector<std::pair<std::int32_t, double>>;

class Basis {
 public:
  /// Unit columns, which a caller replaces.
  explicit Basis(std::vector<double> right_side);

  std::int32_t rows() const { return static_cast<std::int32_t>(columns_.size()); }
  const Column& column(std::int32_t row) const { return columns_[static_cast<std::size_t>(row)]; }
  double value(std::int32_t row) const { return values_[static_cast<std::size_t>(row)]; }
  /// Row of the inverse: prices of all rows where only this basic variable has a cost, of 1.
  std::vector<double> prices(std::int32_t row) const;
  /// The row whose variable falls to 0 first when this column enters; -1 where none does.
  std::int32_t leaving(const Column& entering);
  /// The column takes the place of the one of this row.
  void exchange(std::int32_t row, const Column& entering);
  /// Inverts anew, so that rounding does not add up; then values are those of this right side. False: the columns
  /// depend on each other.
  bool refresh(std::vector<double> right_side);
  const std::vector<double>& right_side() const { return right_side_; }

 private:
  void turn(const Column& column);  ///< direction_ = inverse * column
  void pivot(std::int32_t row);
  void evaluate();
  double* inverse_column(std::int32_t j) { return inverse_.data() + static_cast<std::size_t>(j) * columns_.size(); }

  std::vector<double> right_side_, values_, direction_;
  std::vector<double> inverse_;  ///< column after column
  std::vector<Column> columns_;
};

}  // namespace quadrille::flow
