// Part_Lin: the line of all ranks is cut in two, the sources move to the best places of both halves in proportion, each
// half runs Br_Lin by itself, and rank x of one exchanges everything with rank x of the other.
#include "algorithm/multibcast/shared/halving.hpp"
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"
#include "base/integer.hpp"

namespace quadrille::algorithm::multibcast_part_lin {

namespace {

multibcast::Half half(std::vector<Rank> ranks, Slot sources) {
  multibcast::Half group{.ranks = ranks, .placed = multibcast::ideal_in_line(ranks, sources), .phases = {}};
  const auto length = static_cast<Rank>(ranks.size());
  if (length > 0) group.phases.push_back({std::move(ranks), length});
  return group;
}

pattern::MergePlan plan(const Spec& spec, const Params& params) {
  const pattern::Lines line = pattern::all_in_line(rectangle_of(*spec.topology), params.get("row_major", 0) == 0);
  const Rank cut = base::ceil_div(line.length, 2);
  const Slot first = multibcast::share_of_first(spec.sources->count(), cut, line.length);
  const auto middle = line.ranks.begin() + cut;
  return multibcast::in_two_groups(spec, half({line.ranks.begin(), middle}, first),
                                   half({middle, line.ranks.end()}, spec.sources->count() - first));
}

}  // namespace

Algorithm describe() {
  return multibcast::merge_algorithm<plan, multibcast::runs_anywhere, multibcast::row_major, multibcast::odd_last>(
      {.name = "multibcast_part_lin",
       .summary = "moves the sources, broadcasts in two half lines at once, then the halves exchange; counted",
       .source = "Hambrusch, Khokhar & Liu 1995, section 3, Part_Lin",
       .closed_form = {.where = "at most ceil(log2(P)) + 2 start-ups; counted"},
       .moves_sources = true});
}

}  // namespace quadrille::algorithm::multibcast_part_lin
