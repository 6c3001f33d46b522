// Where slots are in the buffers of GPU programs, whose chunks are all of one size.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "interchange/schedule_file.hpp"

namespace quadrille::interchange {

/// A chunk of a buffer: i, o or s.
struct Chunk {
  char buffer = 'i';
  Slot at = 0;
  bool operator==(const Chunk&) const = default;
  auto operator<=>(const Chunk&) const = default;
};

/// A run of chunks from one place to another: one step at each end.
struct ChunkRun {
  Chunk from = {}, to = {}, with = {};  ///< with: the operand, of a receive that combines
  Slot count = 1;
  Combine::Incoming incoming = Combine::Incoming::stored;
  Slot first = 0;      ///< which chunk of its message the first one is
  bool again = false;  ///< its chunks have been taken by a run before it
};

/// The buffers of a GPU program that performs a schedule: block after block, and in a block piece after piece.
class ChunkPlaces {
 public:
  /// Throws Error(illegal), which `form` opens, for pieces or blocks of different sizes.
  ChunkPlaces(const Written& written, std::string_view form);
  Chunk of(Buffer buffer, Slot slot, Rank r) const;
  Slot pieces() const { return pieces_; }
  /// Chunks of a rank's buffer: i, o or s.
  Slot chunks(char buffer) const;
  /// The block that is in place here before a schedule begins and that a program has to copy there, if the rank has
  /// one.
  std::optional<ChunkRun> own(Rank r) const;
  /// A message in runs that are in a row at both ends, of at most `most` chunks.
  std::vector<ChunkRun> message(Round t, Rank from, Rank to, Slot most);

 private:
  static bool joins(const ChunkRun& run, const ChunkRun& next, Slot most);

  const Written& w_;
  const Shape& shape_;
  Slot pieces_;
  Collected collected_;
};

/// Ranks to which one sends in a round, in the order of the schedule.
std::vector<Rank> receivers_of(const std::vector<Transfer>& all);

}  // namespace quadrille::interchange
