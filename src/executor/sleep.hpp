// How ranks wait: a short spin where every rank has a core, then asleep in the kernel. No wake-up is lost and none is
// sent to a rank that waits for something else.
#pragma once

#include <atomic>
#include <cstdint>

namespace quadrille::executor {

/// Thrown out of every wait once the run is cancelled; the rank itself has nothing to report.
struct Cancelled {};

/// How long to look before sleeping.
struct Patience {
  int spins = 0;   ///< looks with a pause between: only where every rank has a core to itself
  int yields = 0;  ///< looks that let other threads run in between
};

inline void pause_briefly() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// Lets other threads run. Where other programs have the cores, calls do nothing for a tenth of a second, whoever makes
/// them: a thread that sleeps is put before those programs when it is woken, one that yields waits for them.
void yield_core();

/// Sleeps in the kernel while the word has this value, and perhaps not even then.
void sleep_while(const std::atomic<std::uint32_t>& word, std::uint32_t value);
void wake_one(std::atomic<std::uint32_t>& word);
void wake_all(std::atomic<std::uint32_t>& word);

/// Looks at `ready` as long as `patience` allows; false: still not ready.
template <class Ready>
bool look(const Patience& patience, Ready ready) {
  if (ready()) return true;
  for (int i = 0; i < patience.spins; ++i) {
    pause_briefly();
    if (ready()) return true;
  }
  for (int i = 0; i < patience.yields; ++i) {
    yield_core();
    if (ready()) return true;
  }
  return false;
}

/// Where one rank sleeps. Others change what it waits for first, then call wake(); the rank writes down what it waits
/// for first, then looks once more, then sleeps: one of the two always sees the other (all of it in one total order).
class Bed {
 public:
  /// Returns when `ready` holds. `what` is never 0.
  template <class Ready>
  void wait(std::uint64_t what, const Patience& patience, const std::atomic<bool>& cancelled, Ready ready) {
    if (look(patience, ready)) return;
    for (;;) {
      const std::uint32_t seen = bell_.load();
      awaited_.store(what);
      const bool done = ready();
      if (done || cancelled.load()) {
        awaited_.store(0, std::memory_order_relaxed);
        if (done) return;
        throw Cancelled();
      }
      sleep_while(bell_, seen);
    }
  }
  /// To be called after what it waits for has been stored.
  void wake(std::uint64_t what) {
    if (awaited_.load() == what) ring();
  }
  void ring() {
    bell_.fetch_add(1);
    wake_one(bell_);
  }

 private:
  std::atomic<std::uint64_t> awaited_{0};
  std::atomic<std::uint32_t> bell_{0};
};

/// All ranks meet; used again and again.
class Gathering {
 public:
  explicit Gathering(std::int64_t ranks) : ranks_(ranks) {}
  void arrive(const Patience& patience, const std::atomic<bool>& cancelled) {
    const std::uint32_t round = round_.load();
    if (arrived_.fetch_add(1) + 1 == ranks_) {
      arrived_.store(0);
      release();
      return;
    }
    const auto over = [&] { return round_.load() != round; };
    if (!look(patience, over)) {
      asleep_.fetch_add(1);
      while (!over() && !cancelled.load()) sleep_while(round_, round);
      asleep_.fetch_sub(1);
    }
    if (cancelled.load()) throw Cancelled();
  }
  void release() {
    round_.fetch_add(1);
    if (asleep_.load() > 0) wake_all(round_);
  }

 private:
  const std::int64_t ranks_;
  alignas(64) std::atomic<std::int64_t> arrived_{0};
  alignas(64) std::atomic<std::uint32_t> round_{0};
  std::atomic<std::int64_t> asleep_{0};
};

}  // namespace quadrille::executor
