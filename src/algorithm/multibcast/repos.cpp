// Repos: the sources first move to the rows from which columns-first spreads fastest, then Br_xy_source.
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille {

namespace {

MergePlan plan(const Spec& spec, const Params&) {
  const Region region = whole(rectangle_of(*spec.topology));
  const std::vector<Rank> placed = ideal_lines(region, spec.sources->count(), First::columns);
  MergePlan plan = merge_plan(spec, rows_and_columns(region, crowding(region, placed).first()));
  plan.placed = placed;
  plan.repositions = true;
  return plan;
}

}  // namespace

Algorithm multibcast_repos() {
  return merge_algorithm<plan, needs_rows_and_columns, odd_last>(
      "multibcast_repos", "moves the sources to well spaced rows, then rows and columns in turn; counted",
      "Hambrusch, Khokhar & Liu 1995, section 3, Repos with Br_xy_source");
}

}  // namespace quadrille
