// Br_xy_dim: a line broadcast in every row, then one in every column, or the reverse: first along the longer side,
// wherever the sources are.
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille {

namespace {

MergePlan plan(const Spec& spec, const Params& params) {
  const Rectangle mesh = rectangle_of(*spec.topology);
  return merge_plan(spec, rows_and_columns(whole(mesh), by_dimension(mesh, params.get("literal", 0) == 1)));
}

}  // namespace

Algorithm multibcast_xy_dim() {
  return merge_algorithm<plan, needs_rows_and_columns, literal, odd_last>(
      "multibcast_xy_dim", "rows and columns in turn, the longer lines first; counted",
      "Hambrusch, Khokhar & Liu 1995, section 2, Br_xy_dim");
}

}  // namespace quadrille
