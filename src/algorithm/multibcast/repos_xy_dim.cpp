// Repos with Br_xy_dim: the sources first move to full columns when rows go first, to full rows when columns do.
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille {

namespace {

MergePlan plan(const Spec& spec, const Params&) {
  const Rectangle mesh = rectangle_of(*spec.topology);
  const First first = by_dimension(mesh, false);
  MergePlan plan = merge_plan(spec, rows_and_columns(whole(mesh), first));
  plan.placed = ideal_lines(whole(mesh), spec.sources->count(), first);
  plan.repositions = true;
  return plan;
}

}  // namespace

Algorithm multibcast_repos_xy_dim() {
  return merge_algorithm<plan, needs_rows_and_columns, odd_last>(
      "multibcast_repos_xy_dim", "moves the sources to well spaced lines, then rows and columns in turn; counted",
      "Hambrusch, Khokhar & Liu 1995, section 3, Repos with Br_xy_dim");
}

}  // namespace quadrille
