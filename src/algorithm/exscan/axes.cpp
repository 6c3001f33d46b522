// Along every row ranks keep what comes and pass on what comes with their own; so do the rows' totals along the other
// axes, and what is before a row goes back along it.
#include "algorithm/scan/shared/axes.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::exscan_axes {

Algorithm describe() {
  return scan::along_axes(
      Collective::exscan,
      {.name = "exscan_axes",
       .summary =
           "prefixes of rows, then of the rows' totals along one axis after the other, which go back along the rows",
       .source = "extra",
       .closed_form = {.startups = "nu + 2 (C - 1) + R - 2",
                       .bytes = "(nu + 2 (C - 1) + R - 2) m/nu",
                       .further = "nu + R - 2",
                       .where = "torus, full duplex, nu divides m"}});
}

}  // namespace quadrille::algorithm::exscan_axes
