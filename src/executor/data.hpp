// The data of a run: every block has contents that follow from its name alone, so that whoever holds a copy can tell.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>

#include "executor/reference.hpp"
#include "program/strided.hpp"
#include "quadrille/collective.hpp"

namespace quadrille::executor {

/// The buffers of one rank.
class RankData {
 public:
  /// `size`: bytes of in, out and tmp. `reference`: of a reduction, for all ranks. Throws Error(budget) when the system
  /// has no memory.
  RankData(const Spec& spec, Rank rank, const std::array<Bytes, 3>& size, std::uint64_t seed,
           const Reference* reference = nullptr);

  program::Bases bases() const;
  /// Blocks held before into place; every other byte of out gets a value that is certainly wrong there, and tmp is
  /// filled with the contents of no block.
  void fill();
  /// A result that is the rank's own contribution alone gets into its place: no schedule moves it. Nobody else may read
  /// `out` any more.
  void take_own();
  /// Compares out with what the collective must leave there; returns the bytes compared. Throws Error(transport) naming
  /// the first difference.
  Bytes check() const;

 private:
  void fill_reduction();
  Bytes check_reduction() const;
  [[noreturn]] void report(Slot index, Bytes byte) const;
  [[noreturn]] void report_result(Bytes byte, std::byte right) const;
  std::byte* buffer(Buffer b) const { return buffers_[static_cast<std::size_t>(b)].get(); }

  const Spec& spec_;
  Rank rank_;
  std::array<Bytes, 3> size_;
  std::uint64_t seed_;
  const Reference* reference_;
  /// Aligned, so that no two ranks write to one cache line and copies start where the hardware likes them to.
  static constexpr std::align_val_t alignment{64};
  struct Free {
    void operator()(std::byte* bytes) const { operator delete[](bytes, alignment); }
  };
  std::array<std::unique_ptr<std::byte[], Free>, 3> buffers_;
};

}  // namespace quadrille::executor
