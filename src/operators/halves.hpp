// Sums, products and extremes of numbers of 16 bits, eight at a time: compilers convert them one by one.
#pragma once

#include "operators/kernels.hpp"

namespace quadrille::operators {

/// Null where the processor or the compiler has no conversion of eight halves, and for other operations. Results have
/// the bits that the compiler's own numbers of 16 bits have; which of its bits a result that is no number keeps is left
/// open.
Kernel halves_kernel(Operation operation);

}  // namespace quadrille::operators
