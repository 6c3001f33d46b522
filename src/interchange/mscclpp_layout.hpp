// How a schedule becomes the thread blocks of an execution plan: puts, signals, waits, and what joins thread blocks.
#pragma once

#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "interchange/chunks.hpp"
#include "interchange/mscclpp.hpp"

namespace quadrille::interchange {

/// Throws Error(illegal) with what a plan cannot say.
[[noreturn]] void refuse_plan(const std::string& why);

/// Chunks of a buffer of one's own, or of a peer's.
struct PlanBuffer {
  Chunk chunk = {};
  Slot count = 1;
  Rank peer = -1;  ///< -1: one's own
};

struct PlanOp {
  std::string_view name;  ///< "put"
  bool port = false;      ///< through a port channel, between nodes; else a peer's memory is written
  std::vector<Rank> peers = {};
  std::vector<PlanBuffer> sources = {}, targets = {};
  std::size_t semaphore = 0;  ///< of sem_acquire and sem_release
  Round round = -1;
  bool left = false;  ///< the second source is the left operand

  bool is(std::string_view wanted) const { return name == wanted; }
  bool moves() const { return !targets.empty(); }
};

/// A thread block, and what it reaches: each list is numbered in its own order.
struct PlanBlock {
  std::vector<PlanOp> ops = {};
  std::set<std::pair<bool, Rank>> channels = {};        ///< through a port, to whom
  std::set<std::tuple<bool, Rank, char>> buffers = {};  ///< through a port, whose, which
};

struct PlanLayout {
  std::vector<std::vector<PlanBlock>> ranks;  ///< each rank's blocks perform its operations one after the other
  Slot in = 0, out = 0, scratch = 0;          ///< chunks of a rank's buffers
  std::int64_t messages = 0;
};

/// The operations of all ranks, round after round. A receiver signals that a place is free, and the sender that it is
/// filled. What combines lands in scratch first. No operation moves more than `most` chunks in a row. Throws
/// Error(illegal) for what has no place.
PlanLayout plan_layout(const Written& written, Slot most);

/// The largest number of which all runs of chunks, and the places where they start, are multiples.
Slot common_unit(const PlanLayout& layout);
/// Whether all runs of chunks are that long.
bool all_runs_are(const PlanLayout& layout, Slot count);

}  // namespace quadrille::interchange
