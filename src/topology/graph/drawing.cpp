#include "topology/graph/drawing.hpp"

#include <algorithm>
#include <cmath>

namespace quadrille::topology {

std::vector<Drawing> row_of(std::int64_t first, std::int64_t count) {
  std::vector<Drawing> row;
  for (std::int64_t v = first; v < first + count; ++v) row.push_back({.vertex = v});
  return row;
}

Drawing::Rows rows_of(std::vector<Drawing> parts, double wide) {
  constexpr std::size_t always_in_one_row = 4;
  const auto columns = static_cast<std::size_t>(std::ceil(std::sqrt(wide * static_cast<double>(parts.size()))));
  const std::size_t most = std::max(columns, always_in_one_row);
  Drawing::Rows rows;
  for (Drawing& part : parts) {
    if (rows.empty() || rows.back().size() == most) rows.emplace_back();
    rows.back().push_back(std::move(part));
  }
  return rows;
}

}  // namespace quadrille::topology
