// Br_Lin: all ranks form one line, ranks half a line apart exchange all they hold, and both halves go on alike.
// Invariant: the ranks of a segment hold disjoint sets of blocks, together all that the line held.
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_lin {

namespace {

pattern::MergePlan plan(const Spec& spec, const Params& params) {
  return multibcast::merge_plan(spec,
                                {pattern::all_in_line(rectangle_of(*spec.topology), params.get("row_major", 0) == 0)});
}

}  // namespace

Algorithm describe() {
  return multibcast::merge_algorithm<plan, multibcast::runs_anywhere, multibcast::row_major, multibcast::odd_last>(
      {.name = "multibcast_lin",
       .summary = "all ranks as one line: the halves exchange what they hold, then each half by itself; counted",
       .source = "Hambrusch, Khokhar & Liu 1995, section 2, Br_Lin",
       .closed_form = {.where = "at most ceil(log2(P)) start-ups; counted"}});
}

}  // namespace quadrille::algorithm::multibcast_lin
