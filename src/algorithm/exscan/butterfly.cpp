// Totals are exchanged over the bits of ranks' numbers; from those of lower ranks each makes the prefix of the ranks
// before it.
#include "algorithm/scan/shared/butterfly.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::exscan_butterfly {

Algorithm describe() { return scan::by_butterfly(Collective::exscan, "exscan_butterfly"); }

}  // namespace quadrille::algorithm::exscan_butterfly
