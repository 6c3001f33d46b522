// Totals are exchanged over the bits of ranks' numbers; from those of lower ranks each makes the prefix.
#include "algorithm/scan/shared/butterfly.hpp"

#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan_butterfly {

Algorithm describe() { return scan::by_butterfly(Collective::scan, "scan_butterfly"); }

}  // namespace quadrille::algorithm::scan_butterfly
