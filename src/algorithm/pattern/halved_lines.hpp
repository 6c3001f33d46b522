// Lines of a ring, mesh or torus that are halved and halved again while one rank hands something on: along the first
// axis from the root, then along the next one from every rank that has it. Messages go past ranks, and no two of a
// round meet on a link: each stays within the stretch that it halves.
#pragma once

#include <string>

#include "algorithm/pattern/axes.hpp"

namespace quadrille::algorithm::pattern {

/// Some of a line, and the position in it that has something to hand on to the others.
struct Stretch {
  Rank low = 0, size = 1, holder = 0;
  /// Where the upper half begins; the holder's half is the larger one.
  Rank middle() const;
  /// Who gets the other half: the nearest rank there.
  Rank receiver() const { return holder < middle() ? middle() : middle() - 1; }
  Stretch half_of(Rank position) const;
};

/// Rounds along all axes, and where a rank stands in one of them.
class HalvedLines {
 public:
  explicit HalvedLines(const Spec& spec);

  const Axes& axes() const { return axes_; }
  Rank root() const { return root_; }
  Round rounds() const { return rounds_; }
  /// Axis and stretch that rank r belongs to in round t, before it is halved; a rank whose line has nothing yet has
  /// none.
  struct Place {
    int axis = 0;
    bool served = false;  ///< the line has what is handed on
    Stretch stretch;
  };
  Place place(Round t, Rank r) const;
  /// The rank at a position of r's line.
  Rank at(Rank r, int axis, Rank position) const { return axes_.with(r, axis, position); }
  /// Links of the longest message of every round, added up, and the longest of all.
  struct Hops {
    std::int64_t all = 0, most = 0;
  };
  Hops hops() const;

 private:
  Axes axes_;
  Rank root_;
  Round rounds_ = 0;
};

/// Why lines cannot be halved here; empty when they can.
std::string halving_illegal(const Spec& spec, const Machine& machine);

}  // namespace quadrille::algorithm::pattern
