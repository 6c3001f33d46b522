// Every rank gets what an operator makes of the contributions of the ranks below it.
#include "collective/prefixes.hpp"

namespace quadrille::collective::exscan {

namespace {

class Exscan final : public Prefixes {
 public:
  Exscan()
      : Prefixes(
            {.name = "exscan",
             .papers = "exclusive-prefix-sums",
             .line =
                 "every rank gets the vectors of the ranks below it, combined by an operator (exclusive prefix sums)",
             .flow = Flow::all_to_all,
             .whole = true,
             .combines = true,
             .calls = {"exscan"}},
            "the ranks below it") {}

  Contributions wanted(const Spec&, Rank r, Slot) const override { return {0, r}; }

 protected:
  bool has_result(const Spec&, Rank r) const override { return r > 0; }
};

}  // namespace

const Traits& describe() {
  static const Exscan traits;
  return traits;
}

}  // namespace quadrille::collective::exscan
