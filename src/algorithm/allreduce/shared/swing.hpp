// Swing: on a ring of 2^q ranks partners are 1, -1, 3, -5, 11, ... places apart, which crosses fewer links than xor.
#pragma once

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::allreduce {

/// (1 - (-2)^(step + 1)) / 3.
Rank swing_distance(int step);

/// Whom ranks of a ring or torus talk with in each step; steps take the axes in turn from `first` on, and ranks of even
/// coordinate go by `sign` times the distance, the others back.
class SwingPeers {
 public:
  SwingPeers(const Spec& spec, int first, int sign);
  int steps() const { return static_cast<int>(order_.size()); }
  Rank peer(int step, Rank r) const;

 private:
  struct Step {
    Rank side, stride;
    int number;  ///< among those of the axis
  };
  std::vector<Step> order_;
  int sign_;
};

/// Axes longer than 1 of a ring or torus.
int swing_axes(const Spec& spec);
/// Empty on rings and tori of sides 2^k with circuits; `most` ranks are priced.
std::string swing_illegal(const Spec& spec, const Machine& machine, Rank most);

}  // namespace quadrille::algorithm::allreduce
