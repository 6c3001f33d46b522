// How a schedule becomes MSCCL's thread blocks: chunks, steps, and what each step waits for.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "interchange/chunks.hpp"
#include "interchange/msccl.hpp"

namespace quadrille::interchange {

/// Throws Error(illegal) with what MSCCL's XML cannot say.
[[noreturn]] void refuse_msccl(const std::string& why);

struct MscclStep {
  std::string_view type;
  ChunkRun run;
  Round round = 0;
  std::int64_t block = -1, step = -1;  ///< what it waits for
  bool waited_for = false;
};

struct ThreadBlock {
  Rank send = -1, recv = -1;
  std::int64_t channel = 0;
  std::vector<MscclStep> steps = {};
};

struct MscclLayout {
  std::vector<std::vector<ThreadBlock>> ranks;
  Slot in = 0, out = 0, scratch = 0;  ///< chunks of a rank's buffers
  std::int64_t channels = 1, messages = 0;
};

/// Rounds become the order of steps and what they wait for. Throws Error(illegal) for pieces of different sizes and for
/// more messages than thread blocks hold.
MscclLayout msccl_layout(const Written& written);

}  // namespace quadrille::interchange
