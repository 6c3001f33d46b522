// Rows: the calls of one operation and size class on one communicator. They are counted together, and answered alike.
// Reductions whose operator rounds have rows of their own, because changing the plan may change their bits.
#pragma once

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "dropin/decide/choice_trial.hpp"
#include "dropin/decide/plan_watch.hpp"
#include "dropin/decide/request.hpp"
#include "dropin/decide/trial_pace.hpp"
#include "dropin/timing/stopwatch.hpp"

namespace quadrille::dropin {

/// What ranks have decided on a row, or are about to. The same on all ranks.
struct Decision {
  bool native_only = false;  ///< MPI answers, and nothing is to be decided any more
  TrialPace pace = {};
  ChoiceTrial trial = {};  ///< not of an alltoallv, whose trial belongs to its plan
  PlanWatch watch = {};    ///< of the plan in use
  std::string lost = {};   ///< the plan that was in use, and was slower than MPI then
  bool mpi_keeps = false;  ///< MPI has answered first, and bits are kept: trials are held beside its answers

  /// What was decided on another communicator of the same ranks.
  void take_over(Decision& other) {
    native_only = other.native_only;
    pace.take_over(other.pace);
    trial = std::move(other.trial);
    watch = other.watch;
    lost = std::move(other.lost);
    mpi_keeps = other.mpi_keeps;
  }
};

struct Row {
  std::int64_t calls = 0, planned = 0;
  std::int64_t twice = 0;                     ///< of these, answered by MPI and by a plan
  Bytes bytes = 0;                            ///< of all calls
  Seconds native_time = 0, planned_time = 0;  ///< of trials, and of plans
  Stopwatch native;                           ///< calls that were MPI's without any trial
  std::int64_t failed = 0;                    ///< calls for which MPI returned an error
  Decision decision = {};
};

/// All rows of a communicator.
class RowTable {
 public:
  /// `deciding`: plans are possible there, for the calls of a row after the first `before`.
  explicit RowTable(bool deciding = false, std::int64_t before = TrialPace::calls_before)
      : deciding_(deciding), before_(before) {}

  /// Of an operation whose bytes differ by rank, for all calls. `rounds`: as OperatorFacts.
  static std::size_t place(Operation operation, Bytes bytes, bool rounds = false) {
    return (static_cast<std::size_t>(operation) + (rounds ? operations : 0)) * size_classes +
           static_cast<std::size_t>(differs_by_rank(operation) ? 0 : size_class(bytes));
  }
  static std::size_t place(const Request& request) {
    return place(request.operation, request.bytes, request.by.rounds);
  }
  Row& row(Operation operation, Bytes bytes, bool rounds = false) {
    std::unique_ptr<Row>& known = rows_[place(operation, bytes, rounds)];
    if (known == nullptr) [[unlikely]]
      add(known, operation, bytes);
    return *known;
  }
  /// Calls use(operation, rounds, size class, row) for every row with a call.
  template <class Use>
  void each(Use use) const {
    for (std::size_t i = 0; i < rows_.size(); ++i)
      if (rows_[i] && rows_[i]->calls > 0)
        use(static_cast<Operation>(i / size_classes % operations), i / size_classes >= operations,
            static_cast<int>(i % size_classes), std::as_const(*rows_[i]));
  }
  void take_over(RowTable& other) {
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      if (!other.rows_[i]) continue;
      if (!rows_[i]) rows_[i] = std::make_unique<Row>();
      rows_[i]->decision.take_over(other.rows_[i]->decision);
    }
  }

 private:
  [[gnu::noinline]] void add(std::unique_ptr<Row>& row, Operation operation, Bytes bytes) const {
    row = std::make_unique<Row>();
    row->decision.pace = TrialPace(before_);
    const bool nothing_moves = bytes == 0 && !differs_by_rank(operation);
    row->decision.native_only = !deciding_ || !has_plans(operation) || nothing_moves;
  }

  bool deciding_;
  std::int64_t before_;
  std::array<std::unique_ptr<Row>, 2 * operations * size_classes> rows_;
};

}  // namespace quadrille::dropin
