// Every rank gets what an operator makes of the contributions of the ranks up to itself.
#include <fmt/format.h>

#include "base/integer.hpp"
#include "collective/reduction.hpp"

namespace quadrille::collective::scan {

namespace {

class Scan final : public Reduction {
 public:
  Scan()
      : Reduction(
            {.name = "scan",
             .papers = "prefix-sums",
             .line = "every rank gets the vectors of the ranks up to itself, combined by an operator (prefix sums)",
             .flow = Flow::all_to_all,
             .whole = true,
             .combines = true,
             .calls = {"scan"}}) {}

  Contributions wanted(const Spec&, Rank r, Slot) const override { return {0, r + 1}; }

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
    return fmt::format("each of {} ranks to get the vectors of {} of the ranks up to itself, combined", ranks, size);
  }

 protected:
  bool by_rank(const Spec&) const override { return true; }
};

}  // namespace

const Traits& describe() {
  static const Scan traits;
  return traits;
}

}  // namespace quadrille::collective::scan
