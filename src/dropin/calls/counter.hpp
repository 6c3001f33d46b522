// Counts and times calls of collectives that are left to MPI, by name.
#pragma once

#include <atomic>
#include <string>

#include "dropin/session.hpp"
#include "dropin/timing/timed.hpp"

namespace quadrille::dropin {

/// One for each name, from when the library is loaded.
struct Counter {
  std::string name;
  std::atomic<std::int64_t> calls{0};
  std::atomic_flag in_use;  ///< the stopwatch, by one thread; calls of others meanwhile are counted alone
  Stopwatch time;
};
/// That of this name. Called while the library is loaded.
Counter& counter(const char* name);

template <class Native>
int counted_alone(Counter& counter, const Native& native) {
  return counter.time.due() ? timed(counter.time, native) : native();
}

/// What MPI answers. It may call another collective's name, and so come here again.
template <class Native>
int counted(Counter& counter, const Native& native) {
  if (!watching) return native();
  if (!threads_at_once) {  // what is atomic costs more than all else
    counter.calls.store(counter.calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    return counted_alone(counter, native);
  }
  counter.calls.fetch_add(1, std::memory_order_relaxed);
  if (counter.in_use.test_and_set(std::memory_order_acquire)) return native();
  const int code = counted_alone(counter, native);
  counter.in_use.clear(std::memory_order_release);
  return code;
}

}  // namespace quadrille::dropin
