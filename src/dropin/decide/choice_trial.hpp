// MPI's own collective against plans, in turns, until it is clear which is fastest. Nothing here knows MPI: how ranks
// agree on the times is the caller's.
#pragma once

#include <string>
#include <vector>

namespace quadrille::dropin {

/// One way to answer calls of a row, and how long it took.
struct TriedChoice {
  std::string name;             ///< "native", or an algorithm with its parameters
  std::vector<double> times{};  ///< seconds per byte, of the slowest rank; sorted
  double per_byte = 0;          ///< their median; 0 before there are any
  bool out = false;             ///< clearly slower than another: gets no further turns
};

/// All ranks go through the same turns: which is next follows from times that all have agreed on.
///
/// A round is `turns` for each choice that is still in. The first turn of each warms up and does not count. After a
/// round a choice is out when three quarters of its times are longer than three quarters of the fastest one's. The
/// trial is over when one choice is in, or each has had most_turns.
///
/// The scheduler's share of short times is large. So a choice is out after two rounds at the earliest there, and gets
/// twice as many turns. Where a plan is the fastest then, it has to win once more against native alone: of many choices
/// and sizes some plan is the fastest by chance. Before that one of very short calls has to win with `in_a_row` calls
/// for a turn: a single short call takes as long as it takes to find its code in memory, and in loops ranks do not
/// start alike.
///
/// Where an operation is tried in a row (OperationFacts), short calls are from the second round on, and the first does
/// not count. While ranks agree between turns, idle links save up what they let through at once, and a plan with too
/// many bytes for them looks as fast as another. Of calls that are not very short a row is two: one that comes alone
/// and one right after another count alike. Where ranks need not wait, as in a broadcast, calls in a row overlap, and a
/// plan that gains by that alone would lose where they come one by one.
class ChoiceTrial {
 public:
  static constexpr std::size_t turns = 4, most_turns = 16, few_in_a_row = 2, in_a_row = 8;
  static constexpr double short_time = 5e-3;    ///< seconds of the fastest choice
  static constexpr double short_call = 500e-6;  ///< seconds of a very short one
  /// What a plan takes besides, before it starts: seconds that turns do not show.
  static constexpr double finding_a_plan = 0.1e-6;
  /// Seconds for a choice that has no plan, a second per byte: never the fastest.
  static constexpr double refused(double bytes) { return bytes; }
  /// Of native's time; a plan that takes longer than this part of it is not worth its memory. A very short one, whose
  /// calls differ by more than that from one run of the program to the next, has to be faster still.
  static constexpr double must_win = 0.95, must_win_short = 0.9;

  /// `known`: the first plan is best, as was found out before. `short_calls_in_a_row`: as OperationFacts says.
  void begin(const std::vector<std::string>& plans, bool known, bool short_calls_in_a_row = false);
  bool begun() const { return !choices_.empty(); }
  bool running() const { return running_; }
  /// Ends it with native as the winner.
  void stop();

  /// The place of the choice whose turn it is; 0 is native.
  std::size_t next() const { return order_[pending_.size() % order_.size()]; }
  /// How many calls its turn is.
  std::size_t calls() const { return calls_; }
  /// What its turn took on this rank, in seconds of one call, and the bytes of the call. True when the round is over.
  bool took(double seconds, double bytes);
  /// This rank's times of the round. The caller replaces each by the largest of all ranks', then calls judge().
  std::vector<double>& pending() { return pending_; }
  void judge();

  /// What part of native's time the best plan may still win, as far as is known: all of it before the first times.
  double could_win() const;

  /// Of a trial that ends early, after a round: the plan that is clearly faster so far; empty: none.
  std::string best_until_now() const;

  const std::vector<TriedChoice>& choices() const { return choices_; }  ///< native first
  std::size_t winner() const { return winner_; }

 private:
  void next_round();
  void start_anew(std::size_t calls);

  bool running_ = false, tried_in_a_row_ = false;
  bool confirming_ = false;  ///< the last time that a plan has to win
  std::vector<TriedChoice> choices_;
  std::vector<std::size_t> order_;  ///< choices that are in
  std::vector<double> pending_;
  double bytes_ = 0;      ///< of the last turn
  std::size_t held_ = 0;  ///< turns of each choice that is in, in earlier rounds
  std::size_t winner_ = 0;
  std::size_t calls_ = 1;
};

}  // namespace quadrille::dropin
