// Two spanning trees of a square torus that share no wire.
#pragma once

#include <vector>

#include "algorithm/pattern/tree.hpp"

namespace quadrille::algorithm::bcast {

/// Graph X: every wire (r,c)-(r,c+1) with c != r + shift and every wire (r,c)-(r+1,c) with r == c + shift, modulo the
/// side; graph Y: all others. Of each the tree that a search in breadth from (0,0) finds, neighbours by number, moved
/// to the root.
std::vector<pattern::Tree> edst_trees(Rank side, Rank root, Rank shift);

/// The least shift that makes the deeper tree as shallow as any does, and the depth of both trees then. Found by trying
/// all shifts of sides 3 .. 40, of which these are the formulas.
Rank edst_shift(Rank side);
Rank edst_depth(Rank side);

}  // namespace quadrille::algorithm::bcast
