// Br_xy_dim: a line broadcast in every row, then one in every column, or the reverse: first along the longer side,
// wherever the sources are.
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_xy_dim {

namespace {

pattern::MergePlan plan(const Spec& spec, const Params& params) {
  const Rectangle mesh = rectangle_of(*spec.topology);
  return multibcast::merge_plan(
      spec, multibcast::rows_and_columns(pattern::whole(mesh),
                                         multibcast::by_dimension(mesh, params.get("literal", 0) == 1)));
}

}  // namespace

Algorithm describe() {
  return multibcast::merge_algorithm<plan, multibcast::needs_rows_and_columns, multibcast::literal,
                                     multibcast::odd_last>(
      {.name = "multibcast_xy_dim",
       .summary = "rows and columns in turn, the longer lines first; counted",
       .source = "Hambrusch, Khokhar & Liu 1995, section 2, Br_xy_dim",
       .closed_form = {.where = "at most ceil(log2(R)) + ceil(log2(C)) start-ups; counted"}});
}

}  // namespace quadrille::algorithm::multibcast_xy_dim
