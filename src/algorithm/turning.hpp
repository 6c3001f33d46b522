// Complete exchange on a ring by neighbours only: bundles that turn round it and lose a block at every rank.
#pragma once

#include <string>

#include "quadrille/algorithm.hpp"

namespace quadrille {

/// Blocks for the ranks 1 .. clockwise places on travel clockwise, those for 1 .. back places back the other way; all
/// ranks are reached when clockwise + back == P - 1. `together`: both directions in the same rounds, else one after the
/// other.
struct Turns {
  Rank clockwise, back;
  bool together;
};

std::string turns_illegal(const Spec& spec, const Machine& machine);
/// In round q of a direction with reach a every message has a - q + 1 blocks: a (a+1) / 2 in all. [461:(3.43)]
/// a - 1 of them are moved to their place by the rank.
Cost turns_cost(const Spec& spec, const Machine& machine, const Turns& turns);
SchedulePtr turns_build(const Spec& spec, const Machine& machine, const Turns& turns);

}  // namespace quadrille
