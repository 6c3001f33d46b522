// Proofs of collectives that move blocks: slots hold the names of blocks.
#pragma once

#include <deque>

#include "verifier/prover.hpp"

namespace quadrille::verifier {

/// Executes the data flow of a schedule on block names for the representatives of `group`.
class Movement final : public Prover {
 public:
  Movement(const Spec& spec, const Schedule& schedule, Group group, bool one_piece, schedule::Meter& meter);

  /// Deliveries of what the rank had received before. Only after run(), and once.
  std::int64_t duplicates();
  /// One of those, found by a second run: only after duplicates(), which was not 0.
  Counterexample first_duplicate() const;

 private:
  void land(Delivery& d, const Transfer& segment) override;
  Found final_state() const override;
  bool land_slot(Delivery& d, Buffer buffer, Slot slot);
  using Name = std::uint64_t;  ///< symbol * pieces + piece
  void note_receipt(Round t, Rank r, Name name);
  /// All rounds up to `last` in which rank r receives `name`, by a second execution.
  std::vector<Round> rounds_of(Rank r, Name name) const;
  std::string block_text(Slot symbol, Slot piece) const;
  void say_what_must_be(Counterexample::Content& content) const override;

  Contents contents_;
  std::int64_t duplicates_ = 0;
  // What each representative received: a bit per name where there are few names, else all names for a later look.
  Name names_;
  std::vector<bool> received_;
  std::vector<std::deque<Name>> receipts_;  // empty with bits: a deque takes memory before it holds anything
  std::optional<std::pair<Rank, Name>> first_twin_;
  std::optional<std::pair<Rank, Name>> watched_;
  std::vector<Round> watched_rounds_;
};

}  // namespace quadrille::verifier
