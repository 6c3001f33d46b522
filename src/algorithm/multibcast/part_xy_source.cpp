// Part_xy_source: the mesh is cut across its longer side, the sources move to the best rows of both halves in
// proportion, each half runs Br_xy_source by itself, and then ranks at the same place in their halves exchange
// everything.
#include "algorithm/multibcast/shared/halving.hpp"
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"
#include "base/integer.hpp"

namespace quadrille::algorithm::multibcast_part_xy_source {

namespace {

multibcast::Half half(const pattern::Region& region, Slot sources, bool by_rows) {
  multibcast::Half group{
      .ranks = (by_rows ? pattern::rows_of(region) : pattern::columns_of(region)).ranks, .placed = {}, .phases = {}};
  if (region.ranks() == 0) return group;
  group.placed = multibcast::ideal_lines(region, sources, multibcast::First::columns);
  group.phases = multibcast::rows_and_columns(region, multibcast::crowding(region, group.placed).first());
  return group;
}

pattern::MergePlan plan(const Spec& spec, const Params&) {
  const pattern::Region all = pattern::whole(rectangle_of(*spec.topology));
  const bool by_rows = all.rows >= all.cols;
  pattern::Region low = all, high = all;
  if (by_rows) {
    low.rows = base::ceil_div(all.rows, 2);
    high.top = low.rows, high.rows = all.rows - low.rows;
  } else {
    low.cols = base::ceil_div(all.cols, 2);
    high.left = low.cols, high.cols = all.cols - low.cols;
  }
  const Slot first = multibcast::share_of_first(spec.sources->count(), low.ranks(), all.ranks());
  return multibcast::in_two_groups(spec, half(low, first, by_rows), half(high, spec.sources->count() - first, by_rows));
}

}  // namespace

Algorithm describe() {
  return multibcast::merge_algorithm<plan, multibcast::needs_rows_and_columns, multibcast::odd_last>(
      {.name = "multibcast_part_xy_source",
       .summary = "moves the sources, broadcasts in two half meshes at once, which then exchange; counted",
       .source = "Hambrusch, Khokhar & Liu 1995, section 3, Part_xy_source",
       .closed_form = {.where = "at most ceil(log2(R)) + ceil(log2(C)) + 2 start-ups; counted"},
       .moves_sources = true});
}

}  // namespace quadrille::algorithm::multibcast_part_xy_source
