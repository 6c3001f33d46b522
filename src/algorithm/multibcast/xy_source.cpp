// Br_xy_source: a line broadcast in every row, then one in every column, or the reverse: first the dimension whose
// lines hold fewer sources, so that messages stay short for longer.
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille {

namespace {

MergePlan plan(const Spec& spec, const Params&) {
  const Region region = whole(rectangle_of(*spec.topology));
  return merge_plan(spec, rows_and_columns(region, crowding(region, spec.sources->ranks).first()));
}

}  // namespace

Algorithm multibcast_xy_source() {
  return merge_algorithm<plan, needs_rows_and_columns, odd_last>(
      "multibcast_xy_source", "rows and columns in turn, those with fewer sources in a line first; counted",
      "Hambrusch, Khokhar & Liu 1995, section 2, Br_xy_source");
}

}  // namespace quadrille
