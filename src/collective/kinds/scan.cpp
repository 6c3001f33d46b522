// Every rank gets what an operator makes of the contributions of the ranks up to itself.
#include "collective/prefixes.hpp"

namespace quadrille::collective::scan {

namespace {

class Scan final : public Prefixes {
 public:
  Scan()
      : Prefixes(
            {.name = "scan",
             .papers = "prefix-sums",
             .line = "every rank gets the vectors of the ranks up to itself, combined by an operator (prefix sums)",
             .flow = Flow::all_to_all,
             .whole = true,
             .combines = true,
             .calls = {"scan"}},
            "the ranks up to itself") {}

  Contributions wanted(const Spec&, Rank r, Slot) const override { return {0, r + 1}; }
};

}  // namespace

const Traits& describe() {
  static const Scan traits;
  return traits;
}

}  // namespace quadrille::collective::scan
