// What earlier programs found out by a clock, kept in a text file for the next one: the answers of plans that were
// simulated or measured, and the results of the drop-in's trials.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/plan.hpp"
#include "quadrille/verify.hpp"

namespace quadrille {

/// What was asked: what for, on which machine (its constants; names do not count), by which clock.
struct Question {
  Spec spec;
  Machine machine;
  Effort effort = Effort::simulate;
  Order order = Order::dataflow;
  Network network = Network::cut_through;
  std::string place = {};  ///< where it was measured; else empty, as the network is of no account then
};

struct Answer {
  Choice choice;
  Seconds time = 0;
};

/// An answer that can be used, or why there is none.
struct Recalled {
  std::optional<Answer> answer;
  std::string why_not;
  bool undecided = false;   ///< it may hold: the proof took more than the budget
  std::string result = {};  ///< of a reduction that is proven: results_text()
};

/// What the drop-in holds a trial of: calls of an MPI operation of similar sizes, by ranks on one network.
struct Trial {
  std::string operation;   ///< one of trial_operations()
  std::string topology;    ///< "crossbar:4"; with the nodes of ranks that are not in order: "ring:4@1,0,2,3"
  Bytes from = 0, to = 0;  ///< 0, or a power of 2 and the last number before the next one; alltoallv: any_size
  std::string mpi;         ///< "Open MPI v4.1.4"
  Bytes segment = 0;       ///< plans' messages travel in pieces of this; 0: whole

  static constexpr Bytes any_size = std::numeric_limits<Bytes>::max();  ///< as `to`, from 0
};
/// The operations that trials are held of: "bcast", "allgatherv", ...; persistent ones as "bcast_init", non-blocking
/// ones as "ibcast".
const std::vector<std::string>& trial_operations();

struct TrialResult {
  Trial trial;
  std::string choice = "native";  ///< MPI's own collective, or an algorithm
  Seconds native = 0;             ///< measured, of a call of this size
  Seconds chosen = 0;
};

/// Whether what a trial chose does its work: MPI's own does, an algorithm is proven for the smallest size of the trial,
/// on localhost with one port or all, whichever it is for.
struct TrialProof {
  bool holds = false;
  std::string why_not = {};
  bool undecided = false;  ///< it may hold: the proof took more than the budget
};
TrialProof prove(const TrialResult& result, const VerifyBudget& budget = {.visits = std::int64_t{1} << 26});

class Wisdom {
 public:
  struct Entry {
    Question question;
    Answer answer;
  };

  /// The form of text(). Throws Error(format) in one line for what another program or version wrote, what was cut or
  /// changed since it was written, what is there twice, and answers with an algorithm that is unknown or cannot run;
  /// `where` names the file in it.
  static Wisdom parse(std::string_view text, const std::string& where);
  /// Sorted lines between a header with the version and a last line with their number and checksum. Equal wisdom is
  /// equal text. docs/decisions/0009 has the form.
  std::string text() const;

  /// Nothing is taken on trust: the answer's schedule is proven again, within the budget.
  Recalled recall(const Question& question, const VerifyBudget& budget = {.visits = std::int64_t{1} << 26}) const;
  /// Replaces an earlier answer. Throws Error(argument) for one whose algorithm cannot run there.
  void put(const Question& question, const Answer& answer);
  /// Null where no such trial was held.
  const TrialResult* find(const Trial& trial) const;
  /// Replaces an earlier result. Throws Error(argument) for one that is none.
  void put(const TrialResult& result);
  /// Takes the other's answers and results of trials; where both have one the faster, so that the order of merging is
  /// of no account.
  void merge(const Wisdom& other);
  /// Drops the entries for which `unwanted` holds; how many.
  std::size_t forget(const std::function<bool(const Entry&)>& unwanted);
  std::size_t forget_trials(const std::function<bool(const TrialResult&)>& unwanted);

  std::size_t size() const { return entries_.size(); }                          ///< answers
  const std::map<std::string, Entry>& entries() const { return entries_; }      ///< by the text of their questions
  const std::map<std::string, TrialResult>& trials() const { return trials_; }  ///< by the text of what they are of

 private:
  void add_line(std::string_view line, const std::map<std::string, Machine, std::less<>>& machines);

  void add_trial(std::string_view line);

  std::map<std::string, Entry> entries_;
  std::map<std::string, TrialResult> trials_;
};

/// Throws Error(argument) when there is no such file, otherwise as Wisdom::parse.
Wisdom load_wisdom(const std::string& path);
/// Reads the file (none: no answers yet), changes what it says and replaces it in one step, while others who update it
/// wait: of two writers neither loses a line. When this throws, or the program is killed, the file is as it was.
void update_wisdom(const std::string& path, const std::function<void(Wisdom&)>& change);

/// Sixteen digits that name a machine's constants.
std::string fingerprint(const Machine& machine);

}  // namespace quadrille
