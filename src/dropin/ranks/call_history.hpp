// Which calls a rank has made on a communicator, as one number for all until each of the last. Nothing here knows MPI.
#pragma once

#include <array>
#include <cstdint>

#include "base/hash.hpp"
#include "dropin/decide/operation.hpp"

namespace quadrille::dropin {

class CallHistory {
 public:
  static constexpr std::int64_t remembered = 64;  ///< the last calls

  /// The next call in order is this one. `bytes`: 0 where they differ by rank.
  void note(Operation operation, Bytes bytes, int root) {
    const std::uint64_t before = last();
    ++call_;
    hashes_[place(call_)] = base::combined(
        before, base::combined(static_cast<std::uint64_t>(bytes),
                               static_cast<std::uint64_t>(root) << 8 | static_cast<std::uint64_t>(operation)));
  }
  std::int64_t call() const { return call_; }  ///< the number of the last, from 1
  std::uint64_t last() const { return hashes_[place(call_)]; }
  /// Whether another rank's calls until this one, whose last() it was then, were not the same as here. False, too,
  /// where that cannot be told: before this rank has made the call, or when it has made too many since.
  bool differs(std::int64_t call, std::uint64_t hash) const {
    return call <= call_ && call > call_ - remembered && hashes_[place(call)] != hash;
  }

 private:
  static std::size_t place(std::int64_t call) { return static_cast<std::size_t>(call % remembered); }

  std::int64_t call_ = 0;
  std::array<std::uint64_t, remembered> hashes_{};  ///< after each call, of all until then
};

}  // namespace quadrille::dropin
