// How a channel waits, and answers a call by a plan that it has.
#pragma once

#include "dropin/channel.hpp"

namespace quadrille::dropin {

template <class Ready>
void Channel::await(Ready ready) {
  constexpr int tries_between = 256;  // looks at the clock
  constexpr Seconds patience = 2;     // until a rank asks what the others wait for
  constexpr Seconds long_time = 60;   // until it says so
  Clock::time_point begin{};
  int tries = 0;
  mpi::wait_until([&] {
    if (ready()) return true;
    if (++tries % tries_between != 0) return false;
    if (begin == Clock::time_point{}) begin = Clock::now();
    if (since(begin) > patience) look_around();
    if (since(begin) > long_time) complain();
    return false;
  });
}

template <class Plan>
std::pair<int, Seconds> Channel::by_plan_or_mpi(Row& row, Plan plan, const std::function<int()>& native) {
  const bool by_plan = !row.watch.native_turn();
  int code = MPI_SUCCESS;
  const auto begin = Clock::now();
  if (by_plan)
    plan();
  else
    code = native();
  const Seconds took = since(begin);
  (by_plan ? row.planned_time : row.native_time) += took;
  if (by_plan) ++row.planned;
  look_if_due(ticks());
  return {code, took};
}

}  // namespace quadrille::dropin
