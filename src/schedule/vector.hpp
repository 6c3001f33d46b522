// The vector of a reduction, in bytes, where a base counts elements.
#pragma once

#include "schedule/dual.hpp"

namespace quadrille::schedule {

/// The shape of a base that counts elements, in bytes and with the blocks of the vector.
Shape counted_in_bytes(Shape shape, const Vector& vector);

}  // namespace quadrille::schedule
