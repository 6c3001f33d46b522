// The algorithms that a composition is put together from, between nodes and inside them.
#pragma once

#include <vector>

#include "algorithm/kit/levels.hpp"

namespace quadrille::algorithm::kit {

struct PricedChoice {
  Choice choice;
  Seconds time = 0;
};
/// So many of the fastest that can be a level, the fastest first, by their price on a crossbar.
std::vector<PricedChoice> picked(const Level& level, const Machine& machine, std::size_t most);

/// The same machine, where a level moves so many times what it is asked for, shares links, and crosses several.
Machine slowed(Machine machine, const Level& level);

/// A piece of what a rank carries between nodes, and the levels inside, as they work on it.
struct PieceLevels {
  Range range;
  Form form;
  std::vector<Built> levels;
};
struct Composed {
  OnNodes on;
  Form form;
  std::vector<Built> levels;  ///< of a pipeline those inside are the first piece's
  std::vector<PieceLevels> pieces = {};
};
/// As the parameters have it; what they leave open is the fastest. Throws Error(illegal) with the reason.
Composed composed(Forms forms, const Spec& spec, const Machine& machine, const Params& params);
SchedulePtr schedule_of(const Composed& whole, const Spec& spec);

/// Pieces of a level between nodes that may be asked for: as many as it cuts its vector in.
std::int64_t pieces_it_cuts(const Spec& spec, const Level& between, const SchedulePtr& schedule);
/// So many ranges, which end where the level cuts.
std::vector<Range> ranges_of(const Spec& spec, const Level& between, const Built& built, std::int64_t pieces);

[[noreturn]] void refuse(const std::string& reason);

}  // namespace quadrille::algorithm::kit
