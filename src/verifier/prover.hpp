// The symbolic execution behind verify(): what all proofs check of messages and slots.
#pragma once

#include <algorithm>
#include <array>

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

/// Executes a schedule round by round: checks every message at both ends and every slot for races. What slots hold is
/// up to the class that derives from it.
class Prover {
 public:
  /// `meter` pays for the slots that are looked at.
  Prover(const Spec& spec, const Schedule& schedule, Group group, bool one_piece, schedule::Meter& meter);
  virtual ~Prover() = default;
  Prover(const Prover&) = delete;
  Prover& operator=(const Prover&) = delete;

  /// The first thing that goes wrong, in round order; empty when every rank ends with what it must have. `progress`, if
  /// any, is told the number of rounds done.
  std::optional<Counterexample> run(const std::function<void(Round)>& progress = {});
  std::int64_t deliveries() const { return deliveries_; }
  Rank stand_for() const { return spec_.topology->nodes() / representatives_; }

 protected:
  using Found = std::optional<Counterexample>;
  using Limits = std::array<Slot, 3>;  ///< slots that a rank has, by buffer
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
  /// Brings what a segment carries, slot by slot, to where `d.target` is; sets `d.wrong` when that is wrong.
  virtual void land(Delivery& d, const Transfer& segment) = 0;
  virtual Found final_state() const = 0;
  /// Of a slot at fault, where it is known what it is for.
  virtual void say_what_must_be(Counterexample::Content&) const {}

  Counterexample another_piece(const Delivery& d, Buffer buffer, Slot slot, Slot piece, Slot landing) const;
  Counterexample holds_nothing(const Delivery& d, Buffer buffer, Slot slot) const;
  Slot tracked_slots(Buffer buffer) const { return one_piece_ ? shape_.blocks(buffer) : shape_.slots(buffer); }

  const Spec& spec_;
  const Schedule& schedule_;
  const Shape& shape_;
  Group group_;
  bool one_piece_;
  Slot pieces_;  ///< that are told apart
  schedule::Meter& meter_;
  Rank representatives_;
  std::int64_t deliveries_ = 0;

 private:
  Found round(Round t);
  Found check_rank(Round t, Rank r);
  bool has(Rank r, Buffer buffer) const;
  Limits limits(Rank r) const;
  static bool fits(const Slots& slots, Buffer buffer, const Limits& limit);
  bool fits(const Transfer& segment, const Limits& limit) const;
  Counterexample unfit(Round t, Rank r, const Transfer& segment) const;
  Found check_messages(Round t, Rank r);
  Found mark(Round t, Rank r, const Transfer& segment, const Limits& limit);
  Found mark_combining(Round t, Rank r, const Transfer& segment);
  Counterexample race(Round t, Rank r, const Transfer& segment, Slot slot, bool written) const;
  void unmark(Round t, Rank r);
  Found receive(Round t, Rank r, const Summary::Message& message, const Limits& limit);
  void deliver(Delivery& d, const Transfer& segment);
  /// With one piece for all: whether the segment is of that piece. Checks that both ends list their pieces alike, and
  /// passes over the others.
  bool is_of_the_piece(Delivery& d, const Transfer& segment) const;
  bool skips(const Transfer& x) const { return one_piece_ && x.slots.first >= shape_.blocks(x.buffer); }
  Found unmatched_send(Round t);
  Slot first_mark(Buffer buffer) const;

  SlotMarks reads_, writes_, combined_;
  Summary summary_, other_summary_;
  std::vector<Summary::Message> messages_;
  Collected recvs_;
  std::int64_t sent_messages_ = 0, matched_messages_ = 0;
};

}  // namespace quadrille::verifier
