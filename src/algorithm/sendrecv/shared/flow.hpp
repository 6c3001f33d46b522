// As many paths as a network has between two ranks that share no wire, of least total length.
#pragma once

#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::algorithm::sendrecv {

/// The ranks beside every rank, each once.
using Neighbours = std::vector<std::vector<Rank>>;

/// The ranks of each path from the source to the target. No rank is twice on one path. A wire is used in one direction
/// at most. (A flow of least cost, by shortest augmenting paths.)
std::vector<std::vector<Rank>> least_paths(const Neighbours& neighbours, Rank source, Rank target);

}  // namespace quadrille::algorithm::sendrecv
