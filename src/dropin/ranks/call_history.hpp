// Which calls a rank has made on a communicator, as one number for all until each of the last. Nothing here knows MPI.
#pragma once

#include <array>
#include <cstdint>

#include "base/hash.hpp"
#include "dropin/decide/operation.hpp"

namespace quadrille::dropin {

/// What a call is to its history. Bytes that differ by rank are none.
inline std::uint64_t kind_of(Operation operation, Bytes bytes, int root) {
  return base::combined(static_cast<std::uint64_t>(differs_by_rank(operation) ? 0 : bytes),
                        static_cast<std::uint64_t>(root) << 8 | static_cast<std::uint64_t>(operation));
}

/// As runs of calls that are alike: one more of them is only counted, as it may take MPI no more than a seventh of a
/// microsecond.
class CallHistory {
 public:
  static constexpr std::uint64_t remembered = 64;  ///< the last runs

  /// The next call in order is of this kind.
  [[gnu::always_inline]] void note(std::uint64_t kind) {
    if (kind != kind_) [[unlikely]]
      begin_run(kind);
    ++call_;
  }
  std::int64_t call() const { return call_; }  ///< the number of the last, from 1
  std::uint64_t last() const { return until(last_run(), call_); }
  /// Whether another rank's calls until this one, whose last() it was then, were not the same as here. False, too,
  /// where that cannot be told: before this rank has made the call, or when many runs have begun since.
  bool differs(std::int64_t call, std::uint64_t hash) const {
    if (call > call_) return false;
    for (std::uint64_t back = 0; back < remembered && back < begun_; ++back) {
      const Run& run = runs_[(begun_ - 1 - back) % remembered];
      if (run.first <= call) return until(run, call) != hash;
    }
    return false;
  }

 private:
  struct Run {
    std::uint64_t before;  ///< the hash of all calls before it
    std::uint64_t kind;    ///< of each of its calls
    std::int64_t first;    ///< the number of the first
  };

  const Run& last_run() const { return runs_[(begun_ - 1) % remembered]; }
  static std::uint64_t until(const Run& run, std::int64_t call) {
    return base::combined(base::combined(run.before, run.kind), static_cast<std::uint64_t>(call - run.first));
  }
  [[gnu::noinline]] void begin_run(std::uint64_t kind) {
    const Run run{.before = last(), .kind = kind, .first = call_ + 1};
    runs_[begun_++ % remembered] = run;
    kind_ = kind;
  }

  std::int64_t call_ = 0;
  std::uint64_t kind_ = 0;   ///< of the last run
  std::uint64_t begun_ = 1;  ///< runs; the first is of calls of kind 0, mostly none
  std::array<Run, remembered> runs_{Run{.before = 0, .kind = 0, .first = 1}};
};

}  // namespace quadrille::dropin
