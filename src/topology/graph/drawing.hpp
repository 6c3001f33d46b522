// How people draw a network: parts in parts, or like another network.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quadrille/topology.hpp"

namespace quadrille::topology {

/// A vertex, or parts in rows; nothing where structure() says how the network is drawn, or nobody does.
struct Drawing {
  using Rows = std::vector<std::vector<Drawing>>;
  /// No drawing has more vertices: more cannot be told apart.
  static constexpr std::int64_t most_vertices = 2048;

  std::int64_t vertex = -1;
  Rows rows = {};         ///< from top to bottom
  bool ring = false;      ///< the first row is in the middle, the parts of the second are around it
  std::string name = {};  ///< of a frame around the part; empty: it has none

  TopologyPtr like = nullptr;             ///< drawn as this is, in place of rows
  std::vector<std::int32_t> places = {};  ///< of vertices, there; none: their numbers
  Rank per_node = 0;                      ///< so many ranks in each place of a rank there, and its vertices behind them

  bool none() const { return rows.empty() && like == nullptr; }
};

/// Vertices `first` to `first + count - 1`, a part each.
std::vector<Drawing> row_of(std::int64_t first, std::int64_t count);
/// Parts in rows: a few in one, more of them `wide` times as many in a row as there are rows.
Drawing::Rows rows_of(std::vector<Drawing> parts, double wide);

}  // namespace quadrille::topology
