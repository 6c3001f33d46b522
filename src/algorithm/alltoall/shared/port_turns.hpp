// Complete exchange by neighbours only, on a ring or along one axis of a torus after the other: bundles turn round the
// lines of an axis and lose, at every rank, what is for it or for ranks that it will hand it on to.
#pragma once

#include <string>

#include "algorithm/pattern/axes.hpp"

namespace quadrille::algorithm::alltoall {

/// How far bundles travel each way along an axis; all of its ranks are reached when clockwise + back == side - 1.
struct Turn {
  Rank clockwise, back;
};

/// A share of every block: the axes in the order it goes along them, and how far along each.
struct TurnPart {
  std::vector<int> order;
  std::vector<Turn> turns;  ///< by phase
};

/// `together`: both directions in the same rounds, else one after the other. `ways` parts in a row share their order;
/// parts of another order go along another axis in every phase.
struct Turning {
  pattern::Axes axes;
  std::vector<TurnPart> parts;
  int ways = 1;
  bool together = false;
};

std::string turning_illegal(const Spec& spec, const Machine& machine, const Params& params);
/// Both directions at once, where wires and ports allow it.
bool turns_together(const Machine& machine);
/// Every rank by the shorter way; half way round clockwise.
Turn shorter_way(Rank side);
/// One part per order; `turn_of` says how far to go along a side.
Turning turning_of(const pattern::Axes& axes, const std::vector<std::vector<int>>& orders, Turn (*turn_of)(Rank side),
                   bool together);
/// The same with every part once more, the rank half way round reached clockwise by one and the other way by the other.
Turning both_ways(Turning turning);

/// In round q of a direction with reach a every message has a - q + 1 bundles: a (a+1) / 2 in all. [1986, (3.43)]
Cost turning_cost(const Spec& spec, const Machine& machine, const Turning& turning);
SchedulePtr turning_build(const Spec& spec, const Machine& machine, const Turning& turning);

}  // namespace quadrille::algorithm::alltoall
