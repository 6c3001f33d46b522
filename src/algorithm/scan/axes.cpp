// Along every row ranks make their prefixes; along the other axes the rows' totals do, and go back along the rows.
#include "algorithm/scan/shared/axes.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan_axes {

Algorithm describe() { return scan::along_axes(Collective::scan, "scan_axes"); }

}  // namespace quadrille::algorithm::scan_axes
