// Paths between two ranks of a mesh or torus that share no wire.
#pragma once

#include <vector>

#include "algorithm/sendrecv/shared/paths.hpp"

namespace quadrille::algorithm::sendrecv {

/// On a torus of two dimensions with sides of at least 3: sets of four, each the best for some message; among them one
/// of the least total length and one whose longest path is as short as possible (found equal to exhaustive search).
/// [Saad & Schultz 1986, Prop. 3.1, or better] On other grids: as many paths as there are, of least total
/// length; none where the grid is too large to search.
std::vector<PathSet> grid_path_sets(const Spec& spec);

}  // namespace quadrille::algorithm::sendrecv
