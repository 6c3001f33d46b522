// Repos with Br_xy_dim: the sources first move to full columns when rows go first, to full rows when columns do.
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_repos_xy_dim {

namespace {

pattern::MergePlan plan(const Spec& spec, const Params&) {
  const Rectangle mesh = rectangle_of(*spec.topology);
  const multibcast::First first = multibcast::by_dimension(mesh, false);
  pattern::MergePlan plan = multibcast::merge_plan(spec, multibcast::rows_and_columns(pattern::whole(mesh), first));
  plan.placed = multibcast::ideal_lines(pattern::whole(mesh), spec.sources->count(), first);
  plan.repositions = true;
  return plan;
}

}  // namespace

Algorithm describe() {
  return multibcast::merge_algorithm<plan, multibcast::needs_rows_and_columns, multibcast::odd_last>(
      {.name = "multibcast_repos_xy_dim",
       .summary = "moves the sources to well spaced lines, then rows and columns in turn; counted",
       .source = "Hambrusch, Khokhar & Liu 1995, section 3, Repos with Br_xy_dim",
       .closed_form = {.where = "at most ceil(log2(R)) + ceil(log2(C)) + 1 start-ups; counted"},
       .moves_sources = true});
}

}  // namespace quadrille::algorithm::multibcast_repos_xy_dim
