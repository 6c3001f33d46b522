// What an execution plan of MSCCL++ says, before it is a schedule.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "interchange/json_parts.hpp"
#include "interchange/mscclpp_layout.hpp"

namespace quadrille::interchange {

/// Chunks of a GPU's buffer.
struct PlanRef {
  Rank rank = 0;
  Chunk chunk = {};
  Slot count = 0;
  bool operator==(const PlanRef&) const = default;
  auto operator<=>(const PlanRef&) const = default;
};

/// A channel by its place among those of its type at the GPU.
struct PlanChannel {
  bool port = false;
  std::size_t place = 0;
  auto operator<=>(const PlanChannel&) const = default;
};

/// One of nop, put, copy, re, signal, wait, rlxsignal, rlxwait, flush, barrier, sem_acquire and sem_release. A copy and
/// a re may take what a peer has.
struct PlanStep {
  std::string name = {};
  std::vector<PlanChannel> channels = {};
  std::vector<PlanRef> sources = {}, targets = {};
  Slot share = 0, shares = 1;  ///< of each run, this block's part
  std::vector<std::size_t> semaphores = {};
  Round round = -1;
  bool says_round = false, left = false;
  bool fused = false;  ///< of the operation of the step before: the threads need not meet in between
  std::int64_t barrier = 0;
  std::size_t blocks = 0;     ///< that meet at the barrier
  std::size_t operation = 0;  ///< its number in the file

  bool moves() const { return !targets.empty(); }
};

struct PlanThreads {
  Rank gpu = 0;
  std::vector<PlanStep> steps = {};
};

struct PlanGpuText {
  Slot in = 0, out = 0, scratch = 0;          ///< chunks
  std::vector<Rank> peers[2] = {};            ///< of memory channels, of port channels
  std::vector<std::int64_t> semaphores = {};  ///< first values
};

struct PlanText {
  std::string file;
  PlanCollective kind = plan_collectives[0];
  std::optional<ScheduleFile> head = {};  ///< what `export mscclpp` adds: the question, and how blocks are cut
  bool in_place = false;
  std::vector<PlanGpuText> gpus = {};
  std::vector<PlanThreads> blocks = {};
  Slot shares = 1;

  /// "gpu 3, thread block 1, operation 5: <why>". An Error(format).
  [[noreturn]] void refuse(const PlanThreads& block, std::size_t step, const std::string& why) const;
};

/// Throws Error(format) naming the place for what is no such plan, for packets, and for switch channels.
PlanText parse_plan(const Json& json, const std::string& name);

}  // namespace quadrille::interchange
