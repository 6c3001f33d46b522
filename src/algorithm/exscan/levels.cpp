// Nodes with several ranks: prefixes of lower ranks inside every node, and before them the totals of the nodes before.
#include "algorithm/scan/shared/levels.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::exscan_levels {

Algorithm describe() { return scan::on_nodes(Collective::exscan, "exscan_levels"); }

}  // namespace quadrille::algorithm::exscan_levels
