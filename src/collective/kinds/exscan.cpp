// Every rank gets what an operator makes of the contributions of the ranks below it.
#include <fmt/format.h>

#include "base/integer.hpp"
#include "collective/reduction.hpp"

namespace quadrille::collective::exscan {

namespace {

class Exscan final : public Reduction {
 public:
  Exscan()
      : Reduction(
            {.name = "exscan",
             .papers = "exclusive-prefix-sums",
             .line =
                 "every rank gets the vectors of the ranks below it, combined by an operator (exclusive prefix sums)",
             .flow = Flow::all_to_all,
             .whole = true,
             .combines = true,
             .calls = {"exscan"}}) {}

  Contributions wanted(const Spec&, Rank r, Slot) const override { return {0, r}; }

  int farthest(const Spec& spec) const override { return reach(*spec.topology, 0); }
  /// All ranks but the last send their vector, all but the first receive one, and those between do both.
  PortNeed port(const Spec& spec) const override {
    const Bytes moved = spec.ranks() > 1 ? spec.bytes : 0;
    return {spec.ranks() > 2 ? moved : 0, moved, PortNeed::Whose::best};
  }
  Crossings crossings(const Spec& spec) const override { return {spec.ranks() - 1, spec.bytes}; }
  Accesses accesses(const Spec& spec) const override {
    const Rank p = spec.ranks();
    const Bytes all = all_others(spec), own = p > 1 ? spec.bytes : 0;
    return {p - 1, p - 1, all, all, own, p > 2 ? own : 0};  // of two ranks one sends and the other one receives
  }

  std::string need(const Spec& spec, const std::string& size, const std::string& ranks) const override {
    (void)spec;
    return fmt::format("each of {} ranks to get the vectors of {} of the ranks below it, combined", ranks, size);
  }

 protected:
  bool has_result(const Spec&, Rank r) const override { return r > 0; }
  bool by_rank(const Spec&) const override { return true; }
};

}  // namespace

const Traits& describe() {
  static const Exscan traits;
  return traits;
}

}  // namespace quadrille::collective::exscan
