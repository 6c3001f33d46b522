// Algorithms that plug-ins add to the registry.
#pragma once

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm {

/// Into algorithms(), whose entries move.
void add_to_registry(Algorithm added);

}  // namespace quadrille::algorithm
