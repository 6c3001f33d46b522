// A GPU's operations in an execution plan while they are listed: where its threads meet, and where a block is full.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "interchange/mscclpp_layout.hpp"

namespace quadrille::interchange {

/// Takes one operation after the other. Threads of a block run ahead of each other: a "nop", at which they meet, stands
/// between operations that depend on each other.
class PlanRank {
 public:
  void put(PlanOp op) { data(std::move(op)); }

  /// Signals to these peers, waits for them, or waits until they have taken what was put; as many operations as there
  /// are eights of them.
  void tell(std::string_view name, const std::vector<Rank>& peers, bool port, Round round) {
    const bool signals = name == "signal";
    for (std::size_t i = 0; i < peers.size(); i += plan_channels_at_once) {
      if (signals && (!touched_.empty() || waited_)) meet();
      const auto end = std::min(peers.size(), i + plan_channels_at_once);
      add({.name = name,
           .port = port,
           .peers = {peers.begin() + static_cast<std::ptrdiff_t>(i), peers.begin() + static_cast<std::ptrdiff_t>(end)},
           .round = round});
      waited_ |= !signals;
    }
  }

  std::vector<PlanBlock> take() {
    if (blocks_.back().ops.empty()) blocks_.back().ops.push_back({.name = "nop"});
    return std::move(blocks_);
  }

 private:
  struct Use {
    Chunk chunk;
    Slot count;
    bool writes;
  };

  void data(PlanOp op) {
    std::vector<Use> uses;
    for (const PlanBuffer& b : op.sources) uses.push_back({b.chunk, b.count, false});
    for (const PlanBuffer& b : op.targets)
      if (b.peer < 0) uses.push_back({b.chunk, b.count, true});
    if (waited_ || conflicts(uses)) meet();
    add(std::move(op));
    touched_.insert(touched_.end(), uses.begin(), uses.end());
  }
  bool conflicts(const std::vector<Use>& uses) const {
    return std::any_of(uses.begin(), uses.end(), [&](const Use& now) {
      return std::any_of(touched_.begin(), touched_.end(), [&](const Use& before) {
        return (now.writes || before.writes) && now.chunk.buffer == before.chunk.buffer &&
               now.chunk.at < before.chunk.at + before.count && before.chunk.at < now.chunk.at + now.count;
      });
    });
  }

  void meet() {
    touched_.clear();
    waited_ = false;
    if (!blocks_.back().ops.empty() && blocks_.back().ops.back().is("nop")) return;
    add({.name = "nop"});
  }

  /// Into the block at hand, or where that is full into another, which waits for it.
  void add(PlanOp op) {
    PlanBlock grown{{}, blocks_.back().channels, blocks_.back().buffers};
    reach(grown, op);
    constexpr std::size_t kept = 2;  // for the end: a nop and a release
    if (blocks_.back().ops.size() + 1 + kept > plan_operations || grown.channels.size() > plan_channels ||
        grown.buffers.size() > plan_buffers) {
      const std::size_t semaphore = blocks_.size() - 1;
      if (semaphore == plan_semaphores)
        refuse_plan(
            fmt::format("{} semaphores of a GPU join {} thread blocks of {} operations, and its rounds need "
                        "more; expected fewer ranks, or an algorithm of fewer rounds",
                        plan_semaphores, plan_semaphores + 1, plan_operations));
      if (!blocks_.back().ops.back().is("nop")) blocks_.back().ops.push_back({.name = "nop"});
      blocks_.back().ops.push_back({.name = "sem_release", .semaphore = semaphore});
      blocks_.push_back({.ops = {{.name = "sem_acquire", .semaphore = semaphore}, {.name = "nop"}}});
      touched_.clear();
      waited_ = false;
      if (op.is("nop")) return;
    }
    reach(blocks_.back(), op);
    blocks_.back().ops.push_back(std::move(op));
  }
  static void reach(PlanBlock& block, const PlanOp& op) {
    for (const Rank peer : op.peers) block.channels.insert({op.port, peer});
    for (const PlanBuffer& b : op.targets)
      if (b.peer >= 0) block.buffers.insert({op.port, b.peer, b.chunk.buffer});
  }

  std::vector<PlanBlock> blocks_{1};
  std::vector<Use> touched_;  ///< since the threads met
  bool waited_ = false;       ///< since then
};

}  // namespace quadrille::interchange
