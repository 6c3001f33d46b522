// Ranks that wait long for each other find out whether they wait in the same call. MPI leaves it to the program that
// they do; where they do not, a plan must not hang longer than MPI would.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "dropin/ranks/call_history.hpp"
#include "dropin/ranks/wait_notices.hpp"
#include "dropin/timing/ticks.hpp"
#include "mpi/peers.hpp"

namespace quadrille::dropin {

/// Of one communicator, on one rank.
class MismatchWatch {
 public:
  /// `places`: which ranks of MPI_COMM_WORLD its ranks are. `said_so`: somebody in this process has said that it waits.
  MismatchWatch(int rank, std::vector<int> places, WaitNotices* notices, std::atomic<bool>& said_so)
      : rank_(rank), places_(std::move(places)), notices_(notices), said_so_(said_so) {}

  /// As CallHistory::note().
  void note(std::uint64_t kind) { history_.note(kind); }
  /// Which communicator notices are about: the same number on all ranks, and of no other in the program.
  void set_number(std::int64_t number) { number_ = number; }
  /// Waits until ready(), and meanwhile compares with those who have waited long, too. Throws Error(argument) where
  /// ranks are in different calls.
  template <class Ready>
  void await(Ready ready) {
    constexpr int tries_between = 256;  // looks at the clock
    constexpr Seconds patience = 2;     // until a rank asks what the others wait for
    constexpr Seconds long_time = 60;   // until it says so
    Clock::time_point begin{};
    int tries = 0;
    mpi::wait_until([&] {
      if (ready()) return true;
      if (++tries % tries_between != 0) return false;
      if (begin == Clock::time_point{}) begin = Clock::now();
      if (since(begin) > patience) compare();
      if (since(begin) > long_time) say_that_it_waits();
      return false;
    });
  }
  /// Tells the others once which call this rank waits in, and compares what they have told with its own calls. Throws
  /// as await().
  void compare();
  /// Nobody waits on this communicator any more.
  void end() { notices_->forget(number_); }

 private:
  void say_that_it_waits();

  const int rank_;
  const std::vector<int> places_;
  WaitNotices* const notices_;  ///< null: no plan is possible, so nobody waits here
  std::atomic<bool>& said_so_;
  CallHistory history_;
  std::int64_t number_ = 0;
  std::int64_t told_ = -1;  ///< the call that the others were told of
};

}  // namespace quadrille::dropin
