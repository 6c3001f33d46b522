// Along every row ranks keep what comes and pass on what comes with their own; so do the rows' totals along the other
// axes, and what is before a row goes back along it.
#include "algorithm/scan/shared/axes.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::exscan_axes {

Algorithm describe() { return scan::along_axes(Collective::exscan, "exscan_axes"); }

}  // namespace quadrille::algorithm::exscan_axes
