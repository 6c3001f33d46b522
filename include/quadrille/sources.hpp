// Which ranks broadcast in a multibcast: named one by one, or by one of the distributions of Hambrusch, Khokhar & Liu
// (1995) on a mesh of ranks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/collective.hpp"
#include "quadrille/topology.hpp"

namespace quadrille {

/// Ranks as rows and columns: rank = row * cols + col.
struct Rectangle {
  Rank rows = 1, cols = 1;
  Rank ranks() const { return rows * cols; }
};
/// The sides of a mesh or torus of two dimensions; one row of all ranks elsewhere.
Rectangle rectangle_of(const Topology& topology);

/// A pattern of sources, as in the experiments of Hambrusch, Khokhar & Liu 1995.
struct Distribution {
  enum class Kind {
    rows,            ///< R(s): evenly spaced rows, all full but the last
    columns,         ///< C(s)
    right_diagonal,  ///< DR(s): evenly spaced diagonals (a, a + o), wrapped
    left_diagonal,   ///< DL(s): diagonals (a, cols - 1 - a - o), wrapped
    equal,           ///< E(s): ranks floor(k p / s); E(every=i): ranks 0, i, 2i, ...
    cross,           ///< Cr(s): evenly spaced rows and columns
    block,           ///< B(s), B(HxW), each with an optional corner @ROW,COLUMN
  };
  Kind kind = Kind::rows;
  Slot count = 0;              ///< s; 0 where `every` or the sides of a block say it
  bool balanced = false;       ///< rows, columns: lines differ by at most one source
  Rank every = 0;              ///< equal
  Rank height = 0, width = 0;  ///< block
  Rank top = 0, left = 0;      ///< block
  bool operator==(const Distribution&) const = default;
};
/// "R(30)", "C(27,balanced)", "DR(10)", "DL(10)", "E(20)", "E(every=4)", "Cr(15)", "B(9)", "B(3x4)", "B(3x4@1,2)".
Distribution parse_distribution(std::string_view text);
std::string to_text(const Distribution& distribution);
/// The ranks of the sources in the order the distribution lists them; throws Error(argument) when they do not fit.
std::vector<Rank> places(const Distribution& distribution, const Rectangle& ranks);

/// Sources from a list "0,3,17", a list with lengths "0:100,5:2KiB", or a distribution; those without a length send
/// `bytes` each. Throws Error(argument) for what does not parse, ranks out of range and ranks named twice.
SourcesPtr parse_sources(std::string_view text, const Topology& topology, Bytes bytes);
/// The list that parse_sources reads back, with lengths where they are not `bytes`.
std::string to_text(const Sources& sources, Bytes bytes);

}  // namespace quadrille
