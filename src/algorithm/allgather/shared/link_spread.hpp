// The sets F_j of the total exchange: which blocks cross which link, so that each crosses once and all links carry
// equally many.
#pragma once

#include <cstdint>
#include <vector>

#include "base/integer.hpp"
#include "quadrille/base.hpp"

namespace quadrille::algorithm::allgather {

/// Blocks are named by z = owner xor receiver, a step handles all z of one weight (of `low` to `high` ones, when steps
/// are grouped), and a block may cross the links j with z_j = 1. Least-loaded rule: with r the smallest turn of z, the
/// turn of r by j goes over link j if all n turns differ; of the other classes, longest period first, each member goes
/// to the least loaded of its links (of the places where the class repeats), ties to the lowest. The most on a link is
/// then ceil(members / n). Keeps one word per class of turns: 2^n / n, whatever the number of steps.
class Spread {
 public:
  struct Weights {
    int low, high;  ///< within 1 .. n
  };
  Spread(int n, const std::vector<Weights>& steps);

  /// F_j of a step, always in the same order.
  void members(std::size_t step, int j, std::vector<std::uint32_t>& z) const;

 private:
  int n_;
  std::vector<Weights> steps_;
  std::vector<std::vector<std::uint32_t>> full_;  ///< by weight: smallest members of the classes of n turns
  std::vector<std::vector<std::uint32_t>> rest_;  ///< by step * n + j: members of shorter classes
};

}  // namespace quadrille::algorithm::allgather
