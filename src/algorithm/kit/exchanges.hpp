// Networks on which all ranks exchange messages along a dimension of a cube, and none meets another: hypercubes, and
// butterflies with ranks on both sides, whose corners have other numbers.
#pragma once

#include "algorithm/kit/support.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::kit {

/// Ranks on both sides of 2^n places are the corners of a cube of n + 1 dimensions. An exchange along one of them goes
/// from side to side, and there from x to x xor c, which a butterfly passes in either direction. 0: no such network.
inline int exchange_dimensions(const Spec& spec) {
  if (is_cube(spec)) return dimension(spec);
  const std::optional<Topology::Stages> stages = spec.topology->structure().stages;
  return stages && stages->two_sided && base::is_power_of_two(stages->arity) ? base::log2_floor(spec.ranks()) : 0;
}

/// Bit 0 of a corner says whether an even number of the other ones differs from the rank's side.
inline schedule::Renaming exchange_corners(const Spec& spec) {
  if (is_cube(spec)) return {[](Rank corner) { return corner; }, [](Rank r) { return r; }};
  const Rank places = spec.ranks() / 2;
  return {.to = [=](Rank corner) { return corner / 2 + (base::popcount(corner) % 2) * places; },
          .from =
              [=](Rank r) {
                const Rank place = r % places;
                return 2 * place + (base::popcount(place) + r / places) % 2;
              }};
}

}  // namespace quadrille::algorithm::kit
