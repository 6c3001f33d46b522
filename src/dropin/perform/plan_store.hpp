// The plans of a communicator, on the private communicator that their messages travel on. When a communicator is freed,
// the next one of the same ranks gets them.
#pragma once

#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "dropin/decide/alltoallv_trial.hpp"
#include "dropin/decide/choice_trial.hpp"
#include "dropin/decide/request.hpp"
#include "dropin/perform/alltoallv_plan.hpp"
#include "dropin/perform/demand_plan.hpp"
#include "mpi/state.hpp"

namespace quadrille::dropin {

class PlanStore {
 public:
  static constexpr std::size_t most_plans = 128;
  static constexpr std::size_t most_requests = 4096;  ///< that are remembered

  /// Whether there is a private communicator.
  bool open() const { return communicator_ != nullptr; }
  /// `number`: of no other in the program, and the same on all its ranks.
  void open(std::int64_t number, std::shared_ptr<mpi::communicator::state> communicator) {
    number_ = number;
    communicator_ = std::move(communicator);
  }
  std::int64_t number() const { return number_; }
  mpi::communicator::state& communicator() const { return *communicator_; }
  const mpi::Peers& peers() const { return communicator_->peers; }

  /// The plan for this request by the trial's choice at this place. Null when there is none, the same on all ranks.
  /// Collective where it is not made yet; `all_ask` says whether all ranks are in this call.
  /// It is made for the call of the request of this number, `after`, or a later one; in a trial at once.
  /// `at_first`: what answers the first call answers all, so the plan is made before that or never.
  mpi::plan_handle* plan_for(const Request& request, const ChoiceTrial& trial, std::size_t place, bool at_first,
                             std::int64_t after, const std::function<bool()>& all_ask);
  /// Collective: a plan for calls of which several are under way at once. It is the caller's. Null on all ranks where
  /// it cannot be made.
  std::unique_ptr<mpi::plan_handle::state> make(const Request& request, const std::string& choice);
  /// The same on this rank alone, where all ranks make it and none may wait for the others. Throws Error, on all ranks.
  std::unique_ptr<mpi::plan_handle::state> make_alone(const Request& request, const std::string& choice);
  /// Frees the row's plans, but for those by the choice at `winner`; 0: all.
  void drop_losers(std::size_t row, std::size_t winner);

  /// Collective: makes the plan for MPI_Alltoallv anew, and its trial. False on all ranks where that cannot be.
  bool make_alltoallv(const std::string& choice, bool known);
  /// Null before there is one.
  AlltoallvPlan* alltoallv() const { return alltoallv_.get(); }
  /// Collective, beside that: one for calls in which ranks have this for each other. False where it cannot be made.
  bool make_by_demands(DemandsPtr demands, const std::string& choice);
  /// Null where there is none.
  DemandPlan* by_demands() const { return by_demands_.get(); }
  /// What answers calls where MPI does not; empty where there is no plan.
  std::string alltoallv_choice() const {
    return by_demands_ ? by_demands_->choice : alltoallv_ ? alltoallv_->choice : "";
  }
  void drop_by_demands() { by_demands_.reset(); }
  AlltoallvTrial& alltoallv_trial() { return alltoallv_trial_; }
  const AlltoallvTrial& alltoallv_trial() const { return alltoallv_trial_; }

  /// Nothing of it is freed: one of the plans may be under way on this rank, and never end.
  void abandon();
  /// Frees plans and private communicator.
  void clear();

 private:
  /// One request, and a plan for each choice of its row.
  struct Prepared {
    std::int64_t calls = 0;
    std::vector<std::unique_ptr<mpi::plan_handle>> plans;
    std::vector<bool> refused;
  };

  std::unique_ptr<mpi::plan_handle> made(const Request& request, const std::string& choice);
  std::unique_ptr<mpi::plan_handle::state> compiled(const Request& request, const std::string& choice);
  using Compile = std::unique_ptr<mpi::plan_handle::state> (PlanStore::*)(const Request&, const std::string&);
  std::unique_ptr<mpi::plan_handle::state> agreed(const Request& request, const std::string& choice, Compile compile);

  std::int64_t number_ = 0;
  std::shared_ptr<mpi::communicator::state> communicator_;
  std::unordered_map<Request, Prepared, RequestHash> prepared_;
  std::size_t plans_ = 0;
  std::unique_ptr<AlltoallvPlan> alltoallv_;
  std::unique_ptr<DemandPlan> by_demands_;
  AlltoallvTrial alltoallv_trial_;
};

}  // namespace quadrille::dropin
