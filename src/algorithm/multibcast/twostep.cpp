// 2-Step: every source sends its block to rank 0, which broadcasts all of them along one line. Sources get their own
// block back.
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_twostep {

namespace {

pattern::MergePlan plan(const Spec& spec, const Params& params) {
  pattern::MergePlan plan = multibcast::merge_plan(
      spec, {pattern::all_in_line(rectangle_of(*spec.topology), params.get("row_major", 0) == 0)});
  plan.placed.assign(plan.placed.size(), 0);
  return plan;
}

}  // namespace

Algorithm describe() {
  return multibcast::merge_algorithm<plan, multibcast::runs_anywhere, multibcast::row_major, multibcast::odd_last>(
      {.name = "multibcast_twostep",
       .summary = "every source sends to rank 0, which broadcasts all blocks as one message; counted",
       .source = "Hambrusch, Khokhar & Liu 1995, section 2, 2-Step",
       .closed_form = {.where = "a message from every source, then ceil(log2(P)) of all blocks; counted"}});
}

}  // namespace quadrille::algorithm::multibcast_twostep
