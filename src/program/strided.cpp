#include "program/strided.hpp"

#include <algorithm>
#include <cstring>

#include "program/cursor.hpp"

namespace quadrille::program {

namespace {

/// Stretches of a length known to the compiler, so that each becomes a load and a store.
template <std::size_t Length>
void copy_short(const std::byte* from, std::byte* to, const Copy& c) {
  for (std::int64_t k = 0; k < c.count; ++k) std::memcpy(to + k * c.stride[1], from + k * c.stride[0], Length);
}

void copy_any(const std::byte* from, std::byte* to, const Copy& c) {
  for (std::int64_t k = 0; k < c.count; ++k)
    std::memcpy(to + k * c.stride[1], from + k * c.stride[0], static_cast<std::size_t>(c.length));
}

}  // namespace

void pair_up(std::span<const Extent> from, std::span<const Extent> to, std::vector<Copy>& copies) {
  StridedBuilder<2> builder(copies);
  Cursor source(from), target(to);
  while (!source.done() && !target.done()) {
    const Bytes length = std::min(source.left(), target.left());
    builder.add({source.buffer(), target.buffer()}, {source.offset(), target.offset()}, length);
    source.advance(length);
    target.advance(length);
  }
  builder.finish();
}

void perform(std::span<const Copy> copies, const Bases& from, const Bases& to) {
  for (const Copy& c : copies) {
    const std::byte* const source = from[static_cast<std::size_t>(c.buffer[0])] + c.offset[0];
    std::byte* const target = to[static_cast<std::size_t>(c.buffer[1])] + c.offset[1];
    switch (c.length) {
      case 1:
        copy_short<1>(source, target, c);
        break;
      case 2:
        copy_short<2>(source, target, c);
        break;
      case 4:
        copy_short<4>(source, target, c);
        break;
      case 8:
        copy_short<8>(source, target, c);
        break;
      case 16:
        copy_short<16>(source, target, c);
        break;
      default:
        copy_any(source, target, c);
    }
  }
}

}  // namespace quadrille::program
