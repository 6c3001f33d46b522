// Part_xy_source: the mesh is cut across its longer side, the sources move to the best rows of both halves in
// proportion, each half runs Br_xy_source by itself, and then ranks at the same place in their halves exchange
// everything.
#include "algorithm/multibcast/shared/halving.hpp"
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"
#include "base/integer.hpp"

namespace quadrille {

namespace {

Half half(const Region& region, Slot sources, bool by_rows) {
  Half group{.ranks = (by_rows ? rows_of(region) : columns_of(region)).ranks, .placed = {}, .phases = {}};
  if (region.ranks() == 0) return group;
  group.placed = ideal_lines(region, sources, First::columns);
  group.phases = rows_and_columns(region, crowding(region, group.placed).first());
  return group;
}

MergePlan plan(const Spec& spec, const Params&) {
  const Region all = whole(rectangle_of(*spec.topology));
  const bool by_rows = all.rows >= all.cols;
  Region low = all, high = all;
  if (by_rows) {
    low.rows = ceil_div(all.rows, 2);
    high.top = low.rows, high.rows = all.rows - low.rows;
  } else {
    low.cols = ceil_div(all.cols, 2);
    high.left = low.cols, high.cols = all.cols - low.cols;
  }
  const Slot first = share_of_first(spec.sources->count(), low.ranks(), all.ranks());
  return in_two_groups(spec, half(low, first, by_rows), half(high, spec.sources->count() - first, by_rows));
}

}  // namespace

Algorithm multibcast_part_xy_source() {
  return merge_algorithm<plan, needs_rows_and_columns, odd_last>(
      "multibcast_part_xy_source",
      "moves the sources, broadcasts in two half meshes at once, which then exchange; counted",
      "Hambrusch, Khokhar & Liu 1995, section 3, Part_xy_source");
}

}  // namespace quadrille
