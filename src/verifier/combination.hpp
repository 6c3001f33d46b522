// Proofs of reductions: slots hold expressions over contributions, at every rank.
#pragma once

#include "verifier/expressions.hpp"
#include "verifier/prover.hpp"

namespace quadrille::verifier {

/// What results are made of, beyond being right.
struct Findings {
  bool in_order = true;   ///< every result takes its contributions in the order of ranks
  bool canonical = true;  ///< every result is the canonical expression
  Identical identical = Identical::strictly;
  int depth = 0;           ///< most operations from a contribution to a result
  std::uint64_t tree = 0;  ///< of equal trees equal, up to operands that change places; 0: unknown
  bool exact = true;       ///< not only very probable
};

class Combination final : public Prover {
 public:
  /// What a slot holds: nothing, or an expression over one element of the vector.
  struct Value {
    Expression expression = no_expression;
    std::int32_t piece = 0;
    Slot block = no_block;
    bool operator==(const Value&) const = default;
  };
  Combination(const Spec& spec, const Schedule& schedule, schedule::Meter& meter);

  /// At the end of the last round that was executed; a slot that was sent in it also held that as it was sent.
  Value held(Rank r, Buffer buffer, Slot slot) const;
  const Expressions& expressions() const { return expressions_; }
  /// Whether there were too many expressions to keep: then nothing is known.
  bool too_many() const { return too_many_; }
  /// Of a schedule that holds.
  Findings results();

 private:
  void land(Delivery& d, const Transfer& segment) override;
  Found final_state() const override;
  bool land_slot(Delivery& d, Buffer buffer, Slot slot);
  bool use(Delivery& d, const Value& value, const Transfer& target, Slot landing, Slot operand);
  Expression canonical(Rank first, Rank end);
  Value& place(Rank r, Buffer buffer, Slot slot);
  Found wrong_result(Rank r, Slot slot, const Value& value, Contributions wanted) const;
  Counterexample doubled(const Delivery& d, const Value& incoming, const Value& own) const;
  std::string text(const Value& value) const;
  template <class Use>
  void each_result(Use use) const;

  Expressions expressions_;
  Slot out_slots_, slots_;  ///< of out, of out and tmp: at a rank
  std::vector<Value> values_;
  bool too_many_ = false;
};

/// The slots that such a proof keeps; throws Error(budget) beyond 63 bits.
std::int64_t kept_values(const Spec& spec, const Shape& shape);

}  // namespace quadrille::verifier
