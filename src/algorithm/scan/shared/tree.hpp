// Prefixes up and down one binary tree, with and without the rank's own contribution.
#pragma once

#include "algorithm/kit/vectors.hpp"

namespace quadrille::algorithm::scan {

Algorithm in_a_tree(Collective collective, const kit::Description& description);

}  // namespace quadrille::algorithm::scan
