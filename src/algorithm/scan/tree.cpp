// Totals go up a binary tree whose left parts are the lower ranks, and what is before a part comes down to it.
#include "algorithm/scan/shared/tree.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan_tree {

Algorithm describe() {
  return scan::in_a_tree(Collective::scan,
                         {.name = "scan_tree",
                          .summary = "packets of totals go up a binary tree, and packets of prefixes come down it",
                          .source = "Sanders & Traeff 2006, Parallel Prefix (Scan) Algorithms for MPI",
                          .closed_form = {.where = "crossbar: 3 nu rounds of m/nu, and about 3 log2(P) more"}});
}

}  // namespace quadrille::algorithm::scan_tree
