// A rank of an MSCCL program while it is written: its thread blocks, and what steps must wait for.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "interchange/msccl_layout.hpp"

namespace quadrille::interchange {

struct StepAt {
  std::size_t block = 0;
  std::size_t step = 0;
};

/// One rank: its thread blocks, and who touched which chunk last.
class MscclRank {
 public:
  std::vector<ThreadBlock> blocks;

  /// What must be done before chunks are read, or written: the latest step of each other block.
  void wait_for(const Chunk& chunk, Slot count, bool writes, std::map<std::size_t, std::size_t>& waits) const {
    for (Slot i = 0; i < count; ++i) {
      const auto found = touched_.find({chunk.buffer, chunk.at + i});
      if (found == touched_.end()) continue;
      for (const StepAt& at : found->second.writes) note(at, waits);
      if (!writes) continue;
      for (const StepAt& at : found->second.reads) note(at, waits);
    }
  }
  /// Notes what a round's step has done; seen by steps of later rounds.
  void touch(const Chunk& chunk, Slot count, bool writes, StepAt at) { pending_.push_back({chunk, count, writes, at}); }
  /// Whether a step of this round writes one of the chunks.
  bool written_now(const Chunk& chunk, Slot count) const {
    return std::any_of(pending_.begin(), pending_.end(), [&](const Touch& t) {
      return t.writes && t.chunk.buffer == chunk.buffer && t.chunk.at < chunk.at + count &&
             chunk.at < t.chunk.at + t.count;
    });
  }
  void end_round() {
    for (const Touch& t : pending_) apply(t);
    pending_.clear();
  }

 private:
  struct Uses {
    std::vector<StepAt> writes, reads;
  };
  struct Touch {
    Chunk chunk;
    Slot count;
    bool writes;
    StepAt at;
  };
  static void note(const StepAt& at, std::map<std::size_t, std::size_t>& waits) {
    auto [place, added] = waits.emplace(at.block, at.step);
    if (!added) place->second = std::max(place->second, at.step);
  }
  void apply(const Touch& t) {
    for (Slot i = 0; i < t.count; ++i) {
      Uses& uses = touched_[{t.chunk.buffer, t.chunk.at + i}];
      if (t.writes)
        uses = {{t.at}, {}};
      else
        uses.reads.push_back(t.at);
    }
  }
  std::map<Chunk, Uses> touched_;
  std::vector<Touch> pending_;
};

}  // namespace quadrille::interchange
