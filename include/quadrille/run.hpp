// Schedules on real data: compiled per-rank programs on a transport. Here ranks are threads of one process.
#pragma once

#include <vector>

#include "quadrille/algorithm.hpp"
#include "quadrille/order.hpp"

namespace quadrille {

struct RunOptions {
  int repetitions = 1;            ///< timed runs after one that is not timed; the median is reported
  bool check = true;              ///< compare every byte with an independent reference
  bool trace = false;             ///< keep the times of every round of one more run
  Order order = Order::eager;     ///< of messages: by data, or by rounds (dataflow); see order_to_perform()
  bool barriers = true;           ///< keep the barriers of the schedule; false: ranks wait for data only
  std::uint64_t seed = 1;         ///< of the data
  Bytes memory = Bytes{8} << 30;  ///< refuse with Error(budget) beyond
};

struct RunResult {
  Rank ranks = 0;
  int cores = 0;       ///< hardware threads the process may use
  Seconds median = 0;  ///< one collective, slowest rank, over the repetitions
  Seconds least = 0, most = 0;
  Seconds in_a_row = 0;        ///< run_threads() only: a loop's time, barriers and all, by repetition
  std::vector<Seconds> times;  ///< all of them, the shortest first
  std::int64_t messages = 0;   ///< moved in one run
  Bytes moved = 0;             ///< bytes copied from rank to rank in one run
  Bytes permuted = 0;          ///< bytes copied within ranks in one run
  Bytes combined = 0;          ///< bytes of results computed in one run
  Bytes checked = 0;           ///< bytes compared with the reference
  struct RoundTime {
    Round round;
    Seconds begin, end;  ///< first entry of a rank, last exit, since the run's start
  };
  std::vector<RoundTime> trace;
};

/// Performs the schedule with one thread per rank. Throws Error(transport) naming rank, block and byte when data
/// arrive wrong; an exception in one rank ends all ranks.
RunResult run_threads(const Spec& spec, const Schedule& schedule, const RunOptions& options = {});

}  // namespace quadrille
