// The symbolic execution behind verify().
#pragma once

#include <algorithm>

#include "quadrille/verify.hpp"
#include "traffic/traffic.hpp"
#include "verify/symbols.hpp"

namespace quadrille {

/// A bit per slot of one rank, cleared by visiting what was set.
class SlotMarks {
 public:
  explicit SlotMarks(Slot slots) : words_(static_cast<std::size_t>(slots) / 64 + 1, 0) {}
  bool test(Slot s) const { return words_[word(s)] >> (s % 64) & 1; }
  void set(Slot s) { words_[word(s)] |= std::uint64_t{1} << (s % 64); }
  void clear(Slot s) { words_[word(s)] = 0; }

 private:
  static std::size_t word(Slot s) { return static_cast<std::size_t>(s) / 64; }
  std::vector<std::uint64_t> words_;
};

/// Executes the data flow of a schedule on block names for the representatives of `group`.
class Prover {
 public:
  Prover(const Spec& spec, const Schedule& schedule, Group group, bool one_piece);

  /// The first thing that goes wrong, in round order; empty when every rank ends with what it must have.
  std::optional<Counterexample> run();
  /// A piece that some rank receives twice; empty when there is none. Only after run().
  std::optional<Counterexample> duplicate();

  std::int64_t deliveries() const { return deliveries_; }
  std::int64_t duplicates() const { return duplicates_; }
  Rank stand_for() const { return shape_.ranks / representatives_; }

 private:
  using Found = std::optional<Counterexample>;
  Found round(Round t);
  Found check_rank(Round t, Rank r);
  Found check_segment(Round t, Rank r, const Transfer& segment) const;
  Found mark(Round t, Rank r, const Summary::Message& message);
  void unmark(Round t, Rank r);
  Found receive(Round t, Rank r, const Summary::Message& message);
  /// With one piece for all: keeps the segments of piece 0, after a check that both ends list their pieces alike.
  Found keep_one_piece(Round t, Rank r, std::vector<Transfer>& sent, std::vector<Transfer>& landed) const;
  bool skips(const Transfer& x) const { return one_piece_ && x.slots.first >= shape_.blocks(x.buffer); }
  Found deliver(Round t, Rank r, Rank from, const std::vector<Transfer>& sent, const std::vector<Transfer>& landed);
  Found unmatched_send(Round t);
  Found final_state() const;
  struct Receipts {
    std::vector<std::uint64_t> names;                   ///< symbol * pieces + piece, in order of arrival
    std::vector<std::pair<Round, std::size_t>> rounds;  ///< index of the first receipt of each round
  };
  Counterexample describe_duplicate(Rank r, const Receipts& receipts, std::uint64_t twin) const;
  Slot mark_index(Buffer buffer, Slot slot) const;
  std::string block_text(Slot symbol, Slot piece) const;

  const Spec& spec_;
  const Schedule& schedule_;
  const Shape& shape_;
  bool one_piece_;
  Rank representatives_;
  Contents contents_;
  SlotMarks reads_, writes_;
  Summary summary_, other_summary_;
  std::vector<Summary::Message> messages_;
  Collected sends_, recvs_;
  std::vector<Transfer> sent_, landed_;
  std::int64_t sent_messages_ = 0, matched_messages_ = 0;
  std::int64_t deliveries_ = 0, duplicates_ = 0;
  std::vector<Receipts> receipts_;
};

}  // namespace quadrille
