// Values of parameters with which an algorithm does what another one does without any.
#pragma once

#include <string_view>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm {

/// The algorithm that runs the same schedule under a name of its own; empty: none. A plan lists each schedule once.
std::string_view other_name(const Algorithm& algorithm, const Spec& spec, const Params& params);

}  // namespace quadrille::algorithm
