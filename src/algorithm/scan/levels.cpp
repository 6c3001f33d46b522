// Nodes with several ranks: prefixes inside every node, and before them the totals of the nodes before.
#include "algorithm/scan/shared/levels.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan_levels {

Algorithm describe() { return scan::on_nodes(Collective::scan, "scan_levels"); }

}  // namespace quadrille::algorithm::scan_levels
