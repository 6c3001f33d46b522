// Two Hamiltonian cycles of a torus that share no wire. [docs/how-it-works/derivations.md]
#pragma once

#include <array>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::algorithm::pattern {

/// Rows of the squares that are switched, one for each column from 0 on, for 3 <= rows <= columns: the edges along
/// rows are one set of cycles and those along columns another; where a square's edges change sides, cycles join.
std::vector<Rank> switched_squares(Rank rows, Rank columns);

/// Ranks in the order of each cycle, from rank 0 to its smaller neighbour on the cycle; both sides at least 3.
std::array<std::vector<Rank>, 2> two_cycles(Rank rows, Rank columns);

}  // namespace quadrille::algorithm::pattern
