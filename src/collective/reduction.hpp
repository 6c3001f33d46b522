// What reductions share: every rank contributes a vector, and results are made of contributions by an operator.
#pragma once

#include "collective/traits.hpp"

namespace quadrille::collective {

/// Names: rank r's contribution is r, a result is the number of ranks.
class Reduction : public Traits {
 public:
  explicit Reduction(Facts facts) : Traits(std::move(facts)) {}

  void check(Spec& spec) const override;
  Spec placed(const Spec& spec, const std::function<Rank(Rank)>& node) const override;

  BlockNames names(const Spec& spec) const override { return {BlockKind::plain, spec.ranks() + 1}; }
  Slot blocks(const Spec& spec, Buffer buffer, Rank r) const override {
    return buffer == Buffer::in || has_result(spec, r) ? 1 : 0;
  }
  Slot before(const Spec&, Buffer buffer, Rank r, Slot) const override { return buffer == Buffer::in ? r : no_block; }
  Slot after(const Spec& spec, Rank, Slot) const override { return spec.ranks(); }
  std::string block_text(const Spec& spec, Slot block) const override;
  Contributions wanted(const Spec& spec, Rank r, Slot) const override {
    return has_result(spec, r) ? Contributions{0, spec.ranks()} : Contributions{};
  }

 protected:
  virtual bool has_result(const Spec&, Rank) const { return true; }
  /// Whether results take the contributions in the order of ranks, whatever the operator is.
  virtual bool by_rank(const Spec& spec) const { return spec.operands == Operands::ordered; }
};

}  // namespace quadrille::collective
