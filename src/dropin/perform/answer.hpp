// How one call is answered, and counted: by MPI, or by the plan in use.
#pragma once

#include <functional>
#include <utility>

#include "dropin/decide/row.hpp"
#include "dropin/timing/timed.hpp"

namespace quadrille::dropin {

/// MPI's own call with the program's arguments. An MPI error code.
using Native = std::function<int()>;

inline int by_mpi(Row& row, const Native& native) { return row.native.due() ? timed(row.native, native) : native(); }

/// By the plan in use, or by MPI where both are compared or plan() says that it does not answer this call; and how long
/// it took.
template <class Plan>
std::pair<int, Seconds> by_plan_or_mpi(Row& row, Plan plan, const Native& native) {
  int code = 0;  // MPI_SUCCESS
  const auto begin = Clock::now();
  const bool by_plan = !row.decision.watch.native_turn() && plan();
  if (!by_plan) code = native();
  const Seconds took = since(begin);
  (by_plan ? row.planned_time : row.native_time) += took;
  if (by_plan) ++row.planned;
  look_if_due(ticks());
  return {code, took};
}

}  // namespace quadrille::dropin
