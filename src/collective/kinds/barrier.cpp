// Nobody leaves before all have entered: every rank learns that every rank has come.
#include <fmt/format.h>

#include "collective/reduction.hpp"

namespace quadrille::collective::barrier {

namespace {

/// A reduction to all of one byte that every rank brings with it. A rank may be counted more than once.
class Barrier final : public ReductionToAll {
 public:
  Barrier()
      : ReductionToAll({.name = "barrier",
                        .papers = "barrier-synchronisation",
                        .line = "no rank leaves before all ranks have entered (barrier)",
                        .flow = Flow::all_to_all,
                        .whole = true,
                        .combines = true,
                        .token = true,
                        .calls = {"barrier"}}) {}

  /// Its messages have no size to be chosen, and a truth is not rounded.
  void check(Spec& spec) const override {
    spec.bytes = spec.element = 1;
    spec.operands = Operands::commutative;
    spec.identical = spec.canonical = false;
    spec.offsets = nullptr;
  }

  std::string block_text(const Spec& spec, Slot block) const override {
    return block == spec.ranks() ? "word of all ranks" : fmt::format("the word of rank {}", block);
  }
  std::string need(const Spec&, const std::string&, const std::string& ranks) const override {
    return fmt::format("all {} ranks to know that all have come", ranks);
  }
};

}  // namespace

const Traits& describe() {
  static const Barrier traits;
  return traits;
}

}  // namespace quadrille::collective::barrier
