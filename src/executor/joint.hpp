// A long message that its sender may help to copy once it has nothing else to do. Where every rank has a core, a core
// would otherwise idle while the other one copies.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace quadrille::executor {

/// Two ranks take one piece after the other until none is left. Runs are numbered from 1, and no rank is in another run
/// than the rest.
class Joint {
 public:
  explicit Joint(std::size_t pieces) : pieces_(pieces) {}

  /// The receiver is there: its bytes may be written.
  void open(std::uint32_t run) { next_.store(std::uint64_t{run} << 32); }
  bool is_open(std::uint32_t run) const { return next_.load() >> 32 == run; }

  /// Calls copy(i) for pieces that nobody has taken yet, as long as there are any.
  template <class CopyPiece>
  void work(CopyPiece copy) {
    for (;;) {
      const std::size_t piece = next_.fetch_add(1) & 0xffffffffU;
      if (piece >= pieces_) return;
      copy(piece);
      done_.fetch_add(1);
    }
  }
  /// All pieces of all runs up to this one have been copied.
  bool is_done(std::uint32_t run) const { return done_.load() == std::uint64_t{run} * pieces_; }

 private:
  const std::size_t pieces_;
  alignas(64) std::atomic<std::uint64_t> next_{0};  ///< run << 32 | next piece
  std::atomic<std::uint64_t> done_{0};              ///< pieces, over all runs
};

}  // namespace quadrille::executor
