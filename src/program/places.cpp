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
  if (slot < 0 || slot >= layouts_[index(buffer)].slots)
    refuse(Error::Kind::internal, t,
           fmt::format("names slot {} of {}, which has {}", slot, to_string(buffer), shape_.slots(buffer)));
  return slot;
}

void Compiler::add_slot(Round t, Buffer buffer, Slot slot, StridedBuilder<1>& builder) {
  const Part one = part(buffer, slot);
  builder.add({buffer}, {place(t, buffer, slot, one)}, one.length);
}

Compiler::Part Compiler::part(Buffer buffer, Slot slot) const {
  const Layout& layout = layouts_[index(buffer)];
  const Slot piece = layout.blocks == 1 ? slot : slot / layout.blocks, label = slot - piece * layout.blocks;
  if (layout.uneven)
    return {label, piece, shape_.piece_offset(buffer, label, piece), schedule_.bytes(buffer, contiguous(slot, 1))};
  const Bytes start = starts_[static_cast<std::size_t>(piece)];
  return {label, piece, start, starts_[static_cast<std::size_t>(piece) + 1] - start};
}

/// Where a slot starts in its buffer. In reductions a label is a part of the vector, as long as the schedule makes it.
Bytes Compiler::place(Round t, Buffer buffer, Slot slot, const Part& part) {
  const auto [label, piece, start, length] = part;
  if (combines_ && length % spec_.element != 0)
    refuse(Error::Kind::internal, t,
           fmt::format("uses slot {} of {}, {} B, which cuts an element of {}", slot, to_string(buffer), length,
                       spec_.element));
  if (buffer == Buffer::tmp) return scratch(part);
  const Bytes size = program_.size[index(buffer)];
  Bytes offset = start;
  if (combines_ && length == 0) return 0;
  if (whole_vector_)
    offset += shape_.block_offset(buffer, label);
  else if (layouts_[index(buffer)].blocks > 1)
    offset += block_offset(spec_, schedule_.block(buffer, label, piece));
  if (buffer == Buffer::out) offset -= before_out_;
  if (offset < 0 || offset + length > size)
    refuse(Error::Kind::internal, t,
           fmt::format("uses slot {} of {}, bytes {} .. {}, and has only {} there", slot, to_string(buffer), offset,
                       offset + length, size));
  return offset;
}

/// tmp holds no blocks that anybody names, so there neighbouring slots are neighbours.
Bytes Compiler::scratch(const Part& part) {
  const Bytes offset = shape_.uneven(Buffer::tmp) ? shape_.block_offset(Buffer::tmp, part.label) + part.start
                                                  : part.start * shape_.tmp + part.label * part.length;
  Bytes& size = program_.size[index(Buffer::tmp)];
  size = std::max(size, offset + part.length);
  return offset;
}

}  // namespace quadrille::program
