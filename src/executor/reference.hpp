// What a run of a reduction combines, by which operator, and what must come out: folded in the order of ranks from the
// contributions themselves, whatever the schedule does.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "operators/kernels.hpp"
#include "quadrille/collective.hpp"

namespace quadrille::executor {

/// Sums of unsigned integers as wide as divide the element, and where operands are ordered the composition of affine
/// maps, which does not commute. Throws Error(argument) for ordered elements of an odd number of bytes.
operators::Operator operator_of(const Spec& spec);

class Reference {
 public:
  /// Of a spec that combines, which must outlive this.
  Reference(const Spec& spec, std::uint64_t seed);

  /// Rank r's contribution, from byte `first` of the vector on, a multiple of 8.
  void contribution(Rank r, Bytes first, std::span<std::byte> to) const;
  /// What rank r's `out` must hold, from its byte `first` on, a multiple of chunk.
  void result(Rank r, Bytes first, std::span<std::byte> to) const;
  static constexpr Bytes chunk = 4096;
  /// Bytes that are kept: the whole result where it is one for all.
  static Bytes memory(const Spec& spec);

 private:
  void fold(Contributions of, Bytes first, std::span<std::byte> to) const;

  const Spec& spec_;
  std::uint64_t seed_;
  operators::Operator operator_;
  std::vector<std::byte> whole_;
};

}  // namespace quadrille::executor
