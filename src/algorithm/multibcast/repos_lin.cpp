// Repos_Lin: the sources first move to the positions on the line from which Br_Lin spreads fastest.
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_repos_lin {

namespace {

pattern::MergePlan plan(const Spec& spec, const Params& params) {
  pattern::Lines line = pattern::all_in_line(rectangle_of(*spec.topology), params.get("row_major", 0) == 0);
  std::vector<Rank> placed = multibcast::ideal_in_line(line.ranks, spec.sources->count());
  pattern::MergePlan plan = multibcast::merge_plan(spec, {std::move(line)});
  plan.placed = std::move(placed);
  plan.repositions = true;
  return plan;
}

}  // namespace

Algorithm describe() {
  return multibcast::merge_algorithm<plan, multibcast::runs_anywhere, multibcast::row_major, multibcast::odd_last>(
      {.name = "multibcast_repos_lin",
       .summary = "moves the sources to well spaced places on one line, then along the line; counted",
       .source = "Hambrusch, Khokhar & Liu 1995, section 3, Repos with Br_Lin",
       .closed_form = {.where = "at most ceil(log2(P)) + 1 start-ups; counted"},
       .moves_sources = true});
}

}  // namespace quadrille::algorithm::multibcast_repos_lin
