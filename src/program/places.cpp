// Where the slots of a schedule lie in a rank's buffers.
#include <fmt/format.h>

#include <algorithm>

#include "program/program.hpp"

namespace quadrille::program {

void Compiler::check_vector() const {
  Bytes bytes = 0;
  for (Slot label = 0; label < shape_.in; ++label)
    bytes += shape_.block_offset(Buffer::in, label + 1) - shape_.block_offset(Buffer::in, label);
  if (shape_.in == shape_.out && bytes == vector_bytes(spec_)) return;
  throw Error(
      Error::Kind::internal,
      fmt::format("a schedule for vectors of {} B in {} parts, {} of them results, cannot perform a reduction of "
                  "{} B",
                  bytes, shape_.in, shape_.out, vector_bytes(spec_)));
}

Slot Compiler::existing(Round t, Buffer buffer, Slot slot) const {
  if (slot < 0 || slot >= shape_.slots(buffer))
    refuse(Error::Kind::internal, t,
           fmt::format("names slot {} of {}, which has {}", slot, name(buffer), shape_.slots(buffer)));
  return slot;
}

void Compiler::add_slot(Round t, Buffer buffer, Slot slot, StridedBuilder<1>& builder) {
  const Bytes length = schedule_.bytes(buffer, contiguous(slot, 1));
  builder.add({buffer}, {place(t, buffer, slot, length)}, length);
}

/// Where a slot starts in its buffer. In reductions a label is a part of the vector, as long as the schedule makes it.
Bytes Compiler::place(Round t, Buffer buffer, Slot slot, Bytes length) {
  const Slot count = shape_.blocks(buffer), piece = slot / count, label = slot % count;
  if (combines(spec_) && length % spec_.element != 0)
    refuse(Error::Kind::internal, t,
           fmt::format("uses slot {} of {}, {} B, which cuts an element of {}", slot, name(buffer), length,
                       spec_.element));
  if (buffer == Buffer::tmp) return scratch(label, piece, length);
  const Bytes size = program_.size[index(buffer)], start = shape_.piece_offset(buffer, label, piece);
  Bytes offset = start;
  if (combines(spec_) && length == 0) return 0;
  if (whole_vector_)
    offset += shape_.block_offset(buffer, label);
  else if (count > 1)
    offset += block_offset(spec_, schedule_.block(buffer, label, piece));
  if (buffer == Buffer::out) offset -= before_out_;
  if (offset < 0 || offset + length > size)
    refuse(Error::Kind::internal, t,
           fmt::format("uses slot {} of {}, bytes {} .. {}, and has only {} there", slot, name(buffer), offset,
                       offset + length, size));
  return offset;
}

/// tmp holds no blocks that anybody names, so there neighbouring slots are neighbours.
Bytes Compiler::scratch(Slot label, Slot piece, Bytes length) {
  const Bytes start = shape_.piece_offset(Buffer::tmp, label, piece);
  const Bytes offset = shape_.uneven(Buffer::tmp) ? shape_.block_offset(Buffer::tmp, label) + start
                                                  : start * shape_.tmp + label * length;
  Bytes& size = program_.size[index(Buffer::tmp)];
  size = std::max(size, offset + length);
  return offset;
}

}  // namespace quadrille::program
