// Along every row ranks make their prefixes; along the other axes the rows' totals do, and go back along the rows.
#include "algorithm/scan/shared/axes.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan_axes {

Algorithm describe() {
  return scan::along_axes(
      Collective::scan,
      {.name = "scan_axes",
       .summary =
           "prefixes of rows, then of the rows' totals along one axis after the other, which go back along the rows",
       .source = "extra",
       .closed_form = {.startups = "nu + 2 (C - 1) + R - 2",
                       .bytes = "(nu + 2 (C - 1) + R - 2) m/nu",
                       .further = "nu + R - 2",
                       .where = "torus, full duplex, nu divides m"}});
}

}  // namespace quadrille::algorithm::scan_axes
