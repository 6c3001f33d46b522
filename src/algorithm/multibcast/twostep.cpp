// 2-Step: every source sends its block to rank 0, which broadcasts all of them along one line. Sources get their own
// block back.
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille {

namespace {

MergePlan plan(const Spec& spec, const Params& params) {
  MergePlan plan = merge_plan(spec, {all_in_line(rectangle_of(*spec.topology), params.get("row_major", 0) == 0)});
  plan.placed.assign(plan.placed.size(), 0);
  return plan;
}

}  // namespace

Algorithm multibcast_twostep() {
  return merge_algorithm<plan, runs_anywhere, row_major, odd_last>(
      "multibcast_twostep", "every source sends to rank 0, which broadcasts all blocks as one message; counted",
      "Hambrusch, Khokhar & Liu 1995, section 2, 2-Step");
}

}  // namespace quadrille
