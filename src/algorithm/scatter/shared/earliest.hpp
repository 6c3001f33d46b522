// Scatters down a tree that is planned message by message, and gathers up one.
#pragma once

#include "algorithm/kit/description.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::scatter {

Algorithm by_earliest_tree(Collective collective, const kit::Description& d);

}  // namespace quadrille::algorithm::scatter
