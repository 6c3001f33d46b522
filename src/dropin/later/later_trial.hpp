// MPI's own persistent or non-blocking collective against plans, in a call in which ranks may wait.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dropin/decide/choice_trial.hpp"
#include "dropin/later/engine.hpp"
#include "dropin/ranks/rank_group.hpp"

namespace quadrille::dropin {

/// What is on trial: a call on memory of our own, as the program's must not be touched. That stays as long as the
/// trial.
struct TrialCall {
  Ending ending = Ending::persistent;
  Operation operation{};
  Bytes bytes = 0;    ///< the same on all ranks
  bool user = false;  ///< by an operator of the program, which MPI may do otherwise than for ours
  /// MPI's own call: inactive where it is persistent. An MPI error code; MPI_ERR_OTHER where it has none that works.
  std::function<int(MPI_Request*)> native = {};
  /// Collective: a plan for it; null on all ranks where it cannot be made.
  std::function<std::unique_ptr<mpi::plan_handle::state>(const std::string&)> plan = {};
  std::shared_ptr<const KeptBuffers> kept = {};
};

/// Collective, as is all of it.
class LaterTrial {
 public:
  /// What is found is kept behind what is found of rows: RowTable::place() and so many more.
  static constexpr std::size_t places_before = 2 * operations * size_classes;
  /// A trial may take so long. Those of persistent calls may take ten times that in all, besides the user's share of
  /// the run: whoever makes a persistent call means to start it often. Those of others, as little as all other trials.
  static constexpr Seconds longest = 2;

  LaterTrial(TrialCall call, RankGroup& group);
  ~LaterTrial();
  LaterTrial(const LaterTrial&) = delete;
  LaterTrial& operator=(const LaterTrial&) = delete;

  /// Whether a round with these plans takes no longer than it may: by prediction, then by a call of MPI's.
  bool affordable(const std::vector<std::string>& plans);
  /// The plan that is clearly faster; empty: MPI.
  std::string winner(const std::vector<std::string>& plans);
  /// Seconds per byte of all that took part, by name, MPI's own as "native", once there is a winner; empty where time
  /// was up before that, and of the program's operators, for which MPI may do otherwise than for its own.
  const std::vector<std::pair<std::string, double>>& tried() const { return tried_; }

 private:
  /// One that takes turns.
  struct Contestant {
    MPI_Request handle = MPI_REQUEST_NULL;  ///< persistent, inactive between turns
    bool native = true;
    bool refused = false;
  };

  bool add_native();
  void add_plan(const std::string& choice);
  Seconds turn(Contestant& contestant, std::size_t calls);
  void perform(Contestant& contestant);
  Seconds longest_of_all(Seconds here) const;
  Seconds limit() const;

  const TrialCall call_;
  RankGroup& group_;
  std::vector<Contestant> contestants_;  ///< MPI first
  std::vector<std::pair<std::string, double>> tried_;
  std::shared_ptr<LaterRow> row_ = std::make_shared<LaterRow>();
  std::shared_ptr<ErrorHome> errors_;
};

}  // namespace quadrille::dropin
