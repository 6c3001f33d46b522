// Persistent and non-blocking calls of one communicator: who answers them, and by which plan.
#pragma once

#include <array>
#include <string>
#include <unordered_map>

#include "dropin/decide/proposal.hpp"
#include "dropin/later/engine.hpp"
#include "dropin/perform/answer.hpp"
#include "dropin/ranks/rank_group.hpp"

namespace quadrille::dropin {

/// A persistent call may wait for all ranks when it is made, so it is planned then, after a trial on memory of our own.
/// A non-blocking one may wait for nobody. So each rank decides on it alone, by what is the same on all: settings,
/// wisdom, the network, the request, and how many such calls there were. Its messages need a private communicator,
/// which is made at the begin of the program for all ranks, and for others in the next call in which ranks may wait.
class LaterCalls {
 public:
  LaterCalls(MPI_Comm comm, RankGroup& group, RowTable& rows);
  ~LaterCalls();
  LaterCalls(const LaterCalls&) = delete;
  LaterCalls& operator=(const LaterCalls&) = delete;

  LaterRow& row(Ending ending, Operation operation, Bytes bytes, bool rounds) {
    return table_.row(ending, operation, bytes, rounds);
  }
  const LaterTable& table() const { return table_; }

  /// Collective: MPI_..._init. An MPI error code; throws what may be this rank's error alone.
  int init(const Request& request, const Buffers& buffers, MPI_Request* handle, const Native& native);
  /// The same for an exchange that brings this rank so many bytes.
  int init(Operation operation, const ExchangeCall& call, Bytes bytes, MPI_Request* handle, const Native& native);
  /// Local: MPI_I... .
  int start(const Request& request, const Buffers& buffers, MPI_Request* handle, const Native& native);

  /// Non-blocking calls could be planned if there was a private communicator, or plans for them could be compared with
  /// MPI's own, in a call in which ranks may wait. The same on all ranks.
  bool wants_to_meet() const { return wants_communicator_ || !to_compare_.empty(); }
  /// Collective: does so, if it can be done, in a call that asks for this.
  void meet(const Request& request);
  /// Plans of it may be in use until the program ends.
  bool used() const { return used_; }

 private:
  /// Calls in one order on all ranks take turns at these.
  static constexpr std::size_t at_once = 2;
  static constexpr std::size_t most_runs = 2 * PlanStore::most_plans;
  struct Turns {
    std::array<std::shared_ptr<LaterRun>, at_once> runs;
    std::size_t next = 0;
    bool refused = false;
  };

  /// A row that a plan or MPI answers by prediction.
  struct Prediction {
    Request request;
    mpi::reduction by;
  };

  bool may_plan(const Request& request) const;
  Proposal proposed(const Request& request, Followed followed, Ending ending);
  void compare();
  std::string first_that_can_be_made(const Request& request);
  bool make_run(const Request& request, const std::string& choice, std::shared_ptr<LaterRun>& run);
  std::string choice_at_init(const Request& request, const mpi::reduction& by, LaterRow& row);
  DemandsPtr demands_at_init(const Request& any_call, const ExchangeCall& call);
  std::string choice_by_demands(Operation operation, const DemandsPtr& demands, LaterRow& row);
  bool decided_alone(const Request& request, const mpi::reduction& by, LaterRow& row);
  bool kept_for_mpi(const Request& request, const LaterRow& row) const;
  std::shared_ptr<LaterRun> next_run(const Request& request, const LaterRow& row);
  std::shared_ptr<LaterRun> run_of(std::unique_ptr<mpi::plan_handle::state> plan, std::shared_ptr<LaterRow> row,
                                   bool frees);

  RankGroup& group_;
  RowTable& rows_;
  LaterTable table_;
  std::shared_ptr<ErrorHome> errors_;
  std::unordered_map<Request, Turns, RequestHash> turns_;
  std::unordered_map<std::uint64_t, std::string> by_demands_;  ///< choices by operation and demands; empty: MPI
  std::size_t runs_ = 0;                                       ///< of non-blocking calls
  bool wants_communicator_ = false, used_ = false;
  std::vector<Prediction> to_compare_;
  std::int64_t calls_until_then_ = 1, pause_ = 1;  ///< in which ranks may wait
};

}  // namespace quadrille::dropin
