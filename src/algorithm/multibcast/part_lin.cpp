// Part_Lin: the line of all ranks is cut in two, the sources move to the best places of both halves in proportion, each
// half runs Br_Lin by itself, and rank x of one exchanges everything with rank x of the other.
#include "algorithm/multibcast/shared/halving.hpp"
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"
#include "base/integer.hpp"

namespace quadrille {

namespace {

Half half(std::vector<Rank> ranks, Slot sources) {
  Half group{.ranks = ranks, .placed = ideal_in_line(ranks, sources), .phases = {}};
  const auto length = static_cast<Rank>(ranks.size());
  if (length > 0) group.phases.push_back({std::move(ranks), length});
  return group;
}

MergePlan plan(const Spec& spec, const Params& params) {
  const Lines line = all_in_line(rectangle_of(*spec.topology), params.get("row_major", 0) == 0);
  const Rank cut = ceil_div(line.length, 2);
  const Slot first = share_of_first(spec.sources->count(), cut, line.length);
  const auto middle = line.ranks.begin() + cut;
  return in_two_groups(spec, half({line.ranks.begin(), middle}, first),
                       half({middle, line.ranks.end()}, spec.sources->count() - first));
}

}  // namespace

Algorithm multibcast_part_lin() {
  return merge_algorithm<plan, runs_anywhere, row_major, odd_last>(
      "multibcast_part_lin",
      "moves the sources, broadcasts in two half lines at once, then the halves exchange; counted",
      "Hambrusch, Khokhar & Liu 1995, section 3, Part_Lin");
}

}  // namespace quadrille
