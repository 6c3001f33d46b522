// The memory of GPUs that execute a plan on symbols: what an element holds, and who touched it last.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

namespace quadrille::testing {

/// Who contributed to an element, sorted: one symbol each.
using Symbols = std::vector<std::int64_t>;

/// Thrown for what an executor would not do, or would do wrongly.
struct PlanFault : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void plan_require(bool holds, const std::string& what) {
  if (!holds) throw PlanFault(what);
}

/// Of every block, how many of its operations are known to be over.
using PlanClock = std::vector<std::uint32_t>;

struct PlanAccess {
  std::size_t block = 0;
  std::uint32_t time = 0;
  std::int64_t phase = -1;  ///< of the block, between two operations at which its threads meet
};

struct PlanCell {
  Symbols value;
  PlanAccess written;
  bool ever_written = false;
  std::vector<PlanAccess> read;
};

}  // namespace quadrille::testing
