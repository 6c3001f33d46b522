// The symbolic execution behind verify().
#pragma once

#include <algorithm>
#include <array>
#include <deque>

#include "quadrille/verify.hpp"
#include "schedule/metered.hpp"
#include "traffic/traffic.hpp"
#include "verifier/symbols.hpp"

namespace quadrille::verifier {

/// A bit per slot of one rank, cleared by visiting what was set.
class SlotMarks {
 public:
  explicit SlotMarks(Slot slots) : words_(static_cast<std::size_t>(slots) / 64 + 1, 0) {}
  bool test(Slot s) const { return words_[word(s)] >> (s % 64) & 1; }
  void set(Slot s) { words_[word(s)] |= std::uint64_t{1} << (s % 64); }
  void clear(Slot s) { words_[word(s)] = 0; }
  void clear_all() { std::fill(words_.begin(), words_.end(), 0); }
  Slot words() const { return static_cast<Slot>(words_.size()); }

 private:
  static std::size_t word(Slot s) { return static_cast<std::size_t>(s) / 64; }
  std::vector<std::uint64_t> words_;
};

/// Executes the data flow of a schedule on block names for the representatives of `group`.
class Prover {
 public:
  /// `meter` pays for the slots that are looked at.
  Prover(const Spec& spec, const Schedule& schedule, Group group, bool one_piece, schedule::Meter& meter);

  /// The first thing that goes wrong, in round order; empty when every rank ends with what it must have. `progress`, if
  /// any, is told the number of rounds done.
  std::optional<Counterexample> run(const std::function<void(Round)>& progress = {});
  std::int64_t deliveries() const { return deliveries_; }
  /// Deliveries of what the rank had received before. Only after run(), and once.
  std::int64_t duplicates();
  /// One of those, found by a second run: only after duplicates(), which was not 0.
  Counterexample first_duplicate() const;
  Rank stand_for() const { return spec_.topology->nodes() / representatives_; }

 private:
  using Found = std::optional<Counterexample>;
  Found round(Round t);
  Found check_rank(Round t, Rank r);
  using Limits = std::array<Slot, 3>;  ///< slots that a rank has, by buffer
  bool has(Rank r, Buffer buffer) const;
  Limits limits(Rank r) const;
  static bool fits(const Transfer& segment, const Limits& limit);
  Counterexample unfit(Round t, Rank r, const Transfer& segment) const;
  Found check_messages(Round t, Rank r);
  Found mark(Round t, Rank r, const Transfer& segment, const Limits& limit);
  Counterexample race(Round t, Rank r, const Transfer& segment, Slot slot, bool written) const;
  void unmark(Round t, Rank r);
  /// A message on its way: segment by segment, as the sender lists them.
  struct Delivery {
    Round t;
    Rank to, from;
    Limits limit;  ///< the sender's
    SlotCursor target;
    Contents::View view = {};
    Slot sent = 0;
    Found unfit = {}, wrong = {};
  };
  Found receive(Round t, Rank r, const Summary::Message& message, const Limits& limit);
  void deliver(Delivery& d, const Transfer& segment);
  bool deliver_slot(Delivery& d, Buffer buffer, Slot slot);
  /// With one piece for all: whether the segment is of that piece. Checks that both ends list their pieces alike, and
  /// passes over the others.
  bool is_of_the_piece(Delivery& d, const Transfer& segment) const;
  bool skips(const Transfer& x) const { return one_piece_ && x.slots.first >= shape_.blocks(x.buffer); }
  Found unmatched_send(Round t);
  Found final_state() const;
  using Name = std::uint64_t;  ///< symbol * pieces + piece
  void note_receipt(Round t, Rank r, Name name);
  /// All rounds up to `last` in which rank r receives `name`, by a second execution.
  std::vector<Round> rounds_of(Rank r, Name name) const;
  Slot tracked_slots(Buffer buffer) const { return one_piece_ ? shape_.blocks(buffer) : shape_.slots(buffer); }
  Slot first_mark(Buffer buffer) const;
  std::string block_text(Slot symbol, Slot piece) const;

  const Spec& spec_;
  const Schedule& schedule_;
  const Shape& shape_;
  Group group_;
  bool one_piece_;
  Slot pieces_;  ///< that are told apart
  schedule::Meter& meter_;
  Rank representatives_;
  Contents contents_;
  SlotMarks reads_, writes_;
  Summary summary_, other_summary_;
  std::vector<Summary::Message> messages_;
  Collected recvs_;
  std::int64_t sent_messages_ = 0, matched_messages_ = 0;
  std::int64_t deliveries_ = 0, duplicates_ = 0;
  // What each representative received: a bit per name where there are few names, else all names for a later look.
  Name names_;
  std::vector<bool> received_;
  std::vector<std::deque<Name>> receipts_;  // empty with bits: a deque takes memory before it holds anything
  std::optional<std::pair<Rank, Name>> first_twin_;
  std::optional<std::pair<Rank, Name>> watched_;
  std::vector<Round> watched_rounds_;
};

}  // namespace quadrille::verifier
