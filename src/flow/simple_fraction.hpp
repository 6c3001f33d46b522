// The fraction that a number stands for.
#pragma once

#include "flow/ratio.hpp"

namespace quadrille::flow {

/// The simplest fraction near a number of 0 or more, with a denominator of at most 2^20.
Ratio simple_fraction(double number);

}  // namespace quadrille::flow
