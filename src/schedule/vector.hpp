// The vector of a reduction, in bytes, where a base counts elements.
#pragma once

#include "schedule/dual.hpp"

namespace quadrille::schedule {

/// The shape of a base that counts elements, in bytes and with the blocks of the vector.
Shape counted_in_bytes(Shape shape, const Vector& vector);

/// How many slots have bytes, where these are the first ones of every buffer with as many blocks as `out`; else all.
Slot filled_slots(const Shape& shape);
/// Those that come before `end`, of slots in rising order.
Slots slots_before(const Slots& slots, Slot end);

}  // namespace quadrille::schedule
