// Byte ranges with a rhythm: what a rank sends, receives or copies, in as few entries as the schedule's regularity
// allows.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "quadrille/schedule.hpp"

namespace quadrille::program {

/// `count` stretches of `length` bytes at the same time in N places; in place i the first one starts at offset[i] of
/// buffer[i] and each next one stride[i] further.
template <std::size_t N>
struct Strided {
  std::array<Buffer, N> buffer{};
  std::array<Bytes, N> offset{}, stride{};
  Bytes length = 0;
  std::int64_t count = 1;
  bool operator==(const Strided&) const = default;
};

using Extent = Strided<1>;  ///< bytes of one rank
using Copy = Strided<2>;    ///< from place 0 to place 1

/// Appends stretches to `list`: adjacent ones become one, equal ones at equal distances become one entry. Entries that
/// `list` had before are left alone. The last stretch is in the list after finish().
template <std::size_t N>
class StridedBuilder {
 public:
  explicit StridedBuilder(std::vector<Strided<N>>& list) : list_(list), first_(list.size()) {}

  void add(const std::array<Buffer, N>& buffer, const std::array<Bytes, N>& offset, Bytes length) {
    if (length == 0) return;
    if (adjacent(buffer, offset)) {
      open_.length += length;
      return;
    }
    finish();
    open_ = {buffer, offset, {}, length, 1};
  }

  void finish() {
    if (open_.length > 0 && !folded()) list_.push_back(open_);
    open_.length = 0;
  }

 private:
  bool adjacent(const std::array<Buffer, N>& buffer, const std::array<Bytes, N>& offset) const {
    if (open_.length == 0 || open_.buffer != buffer) return false;
    for (std::size_t i = 0; i < N; ++i)
      if (open_.offset[i] + open_.length != offset[i]) return false;
    return true;
  }

  bool folded() {
    if (list_.size() == first_) return false;
    Strided<N>& last = list_.back();
    if (last.buffer != open_.buffer || last.length != open_.length) return false;
    for (std::size_t i = 0; i < N; ++i) {
      if (last.count == 1) last.stride[i] = open_.offset[i] - last.offset[i];
      if (last.offset[i] + last.count * last.stride[i] != open_.offset[i]) return false;
    }
    ++last.count;
    return true;
  }

  std::vector<Strided<N>>& list_;
  std::size_t first_;
  Strided<N> open_;
};

/// Appends to `copies` what takes the bytes of `from`, in order, to the places of `to`, in order. Both name the same
/// number of bytes.
void pair_up(std::span<const Extent> from, std::span<const Extent> to, std::vector<Copy>& copies);

/// Appends to `pieces` the same in pieces of at most `most` bytes.
template <std::size_t N>
void cut_up(const Strided<N>& entry, Bytes most, std::vector<Strided<N>>& pieces) {
  const std::int64_t together = std::max<std::int64_t>(1, most / entry.length);
  for (std::int64_t k = 0; k < entry.count; k += together) {
    Strided<N> part = entry;
    part.count = std::min(together, entry.count - k);
    for (std::size_t i = 0; i < N; ++i) part.offset[i] += k * entry.stride[i];
    for (Bytes at = 0; at < entry.length; at += most) {
      Strided<N> piece = part;
      for (std::size_t i = 0; i < N; ++i) piece.offset[i] += at;
      piece.length = std::min(most, entry.length - at);
      pieces.push_back(piece);
    }
  }
}

/// Where a rank's buffers are, indexed by Buffer.
using Bases = std::array<std::byte*, 3>;

/// Performs the copies from one rank's buffers to another's (or the same rank's).
void perform(std::span<const Copy> copies, const Bases& from, const Bases& to);

}  // namespace quadrille::program
