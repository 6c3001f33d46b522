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

/// Reductions of which all ranks get the result: what must be moved for that.
class ReductionToAll : public Reduction {
 public:
  using Reduction::Reduction;

  PortNeed port(const Spec& spec) const override {
    const Bytes moved = spec.ranks() > 1 ? spec.bytes : 0;
    return {moved, moved};
  }
  CutNeed cut(const Spec& spec, std::int64_t, std::int64_t) const override { return {spec.bytes, spec.bytes}; }
  /// The first rank that has an element's result is preceded by a send of each other rank, and each of these receives
  /// afterwards. [docs/how-it-works/prices.md]
  Crossings crossings(const Spec& spec) const override { return {2 * (spec.ranks() - 1), spec.bytes}; }
  Accesses accesses(const Spec& spec) const override;
};

/// What a question about a reduction may add, as text: " element=8 operands=ordered bits=any counts=3,4"; what has its
/// default is left out.
std::string reduction_words(const Spec& spec);
/// The keys of these words; none where there is no operator.
std::vector<std::string_view> reduction_keys(const Facts& facts);
/// Reads one of them; leaves the question alone where the key is another. Throws Error(argument) naming what is
/// accepted.
void read_reduction_word(std::string_view key, std::string_view value, Spec& spec);

}  // namespace quadrille::collective
