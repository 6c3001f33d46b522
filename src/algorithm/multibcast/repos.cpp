// Repos: the sources first move to the rows from which columns-first spreads fastest, then Br_xy_source.
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_repos {

namespace {

pattern::MergePlan plan(const Spec& spec, const Params&) {
  const pattern::Region region = pattern::whole(rectangle_of(*spec.topology));
  const std::vector<Rank> placed = multibcast::ideal_lines(region, spec.sources->count(), multibcast::First::columns);
  pattern::MergePlan plan =
      multibcast::merge_plan(spec, multibcast::rows_and_columns(region, multibcast::crowding(region, placed).first()));
  plan.placed = placed;
  plan.repositions = true;
  return plan;
}

}  // namespace

Algorithm describe() {
  return multibcast::merge_algorithm<plan, multibcast::needs_rows_and_columns, multibcast::odd_last>(
      {.name = "multibcast_repos",
       .summary = "moves the sources to well spaced rows, then rows and columns in turn; counted",
       .source = "Hambrusch, Khokhar & Liu 1995, section 3, Repos with Br_xy_source",
       .closed_form = {.where = "at most ceil(log2(R)) + ceil(log2(C)) + 1 start-ups; counted"},
       .moves_sources = true});
}

}  // namespace quadrille::algorithm::multibcast_repos
