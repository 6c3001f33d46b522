// Br_xy_source: a line broadcast in every row, then one in every column, or the reverse: first the dimension whose
// lines hold fewer sources, so that messages stay short for longer.
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_xy_source {

namespace {

pattern::MergePlan plan(const Spec& spec, const Params&) {
  const pattern::Region region = pattern::whole(rectangle_of(*spec.topology));
  return multibcast::merge_plan(
      spec, multibcast::rows_and_columns(region, multibcast::crowding(region, spec.sources->ranks).first()));
}

}  // namespace

Algorithm describe() {
  return multibcast::merge_algorithm<plan, multibcast::needs_rows_and_columns, multibcast::odd_last>(
      {.name = "multibcast_xy_source",
       .summary = "rows and columns in turn, those with fewer sources in a line first; counted",
       .source = "Hambrusch, Khokhar & Liu 1995, section 2, Br_xy_source",
       .closed_form = {.where = "at most ceil(log2(R)) + ceil(log2(C)) start-ups; counted"}});
}

}  // namespace quadrille::algorithm::multibcast_xy_source
