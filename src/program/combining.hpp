// Bytes that come in and are combined with a rank's own, as a program has them and as an executor performs them.
#pragma once

#include <cstring>
#include <span>
#include <vector>

#include "program/strided.hpp"

namespace quadrille::program {

/// What a rank makes of some of the bytes that a message brings.
struct Use {
  Bytes at = 0;  ///< where in the message they start; the same again: they are used a second time
  Combine::Incoming incoming = Combine::Incoming::stored;
  /// Extents of the program: results in `result` .. operand-1, the rank's own operand in `operand` .. end-1.
  std::size_t result = 0, operand = 0, end = 0;
};

/// Stretches that come in (place 0, in their sender's buffers) and a rank's own operand (place 1) make its results
/// (place 2). Where what comes in is stored, place 1 is place 2.
struct Combining {
  Combine::Incoming incoming = Combine::Incoming::stored;
  Strided<3> at;
};

/// Appends to `list` what the uses make of the bytes of `from`, in order. `extents`: those of the receiver's program.
void combine_up(std::span<const Extent> from, std::span<const Use> uses, std::span<const Extent> extents,
                std::vector<Combining>& list);

/// Performs them one after the other. `from`: the sender's buffers, `to`: the receiver's own. `combine(left, right,
/// result, bytes)` is the operator, on whole elements; the result may lie where either operand does.
template <class Operator>
void perform(std::span<const Combining> list, const Operator& combine, const Bases& from, const Bases& to) {
  for (const Combining& c : list) {
    const auto length = static_cast<std::size_t>(c.at.length);
    for (std::int64_t k = 0; k < c.at.count; ++k) {
      const auto place = [&](const Bases& bases, std::size_t i) {
        return bases[static_cast<std::size_t>(c.at.buffer[i])] + c.at.offset[i] + k * c.at.stride[i];
      };
      const std::byte *const incoming = place(from, 0), *const own = place(to, 1);
      std::byte* const result = place(to, 2);
      if (c.incoming == Combine::Incoming::stored)
        std::memcpy(result, incoming, length);
      else if (c.incoming == Combine::Incoming::left)
        combine(incoming, own, result, length);
      else
        combine(own, incoming, result, length);
    }
  }
}

}  // namespace quadrille::program
