// What the readers of entries about reductions share.
#pragma once

#include "quadrille/algorithm.hpp"
#include "reference_check.hpp"

namespace quadrille::reference::reductions {

/// The algorithm of an entry with its parameters. Throws NotBuilt.
Choice choice_of(const Json& entry);

}  // namespace quadrille::reference::reductions
