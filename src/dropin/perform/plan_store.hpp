// The plans of a communicator, on the private communicator that their messages travel on. When a communicator is freed,
// the next one of the same ranks gets them.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "dropin/decide/choice_trial.hpp"
#include "dropin/decide/exchange_trial.hpp"
#include "dropin/decide/request.hpp"
#include "dropin/perform/demand_plan.hpp"
#include "dropin/perform/straight_plan.hpp"
#include "mpi/state.hpp"

namespace quadrille::dropin {

/// The plans of one operation whose calls are exchanges. Both may be there, or none.
struct ExchangePlans {
  bool met = false;  ///< ranks have a private communicator, and look for plans
  std::unique_ptr<StraightPlan> straight = {};
  std::unique_ptr<DemandPlan> by_demands = {};
  ExchangeTrial trial = ExchangeTrial();

  /// What answers calls where MPI does not; empty where there is no plan.
  std::string choice() const { return by_demands ? by_demands->choice : straight ? straight->choice : ""; }
};

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
  /// The same for exchanges in which ranks have this for each other.
  std::unique_ptr<mpi::plan_handle::state> make(const DemandsPtr& demands, const std::string& choice);
  /// The first on this rank alone, where all ranks make it and none may wait for the others. Throws Error, on all
  /// ranks.
  std::unique_ptr<mpi::plan_handle::state> make_alone(const Request& request, const std::string& choice);
  /// Frees the row's plans, but for those by the choice at `winner`; 0: all.
  void drop_losers(std::size_t row, std::size_t winner);

  /// Of an operation whose calls are exchanges.
  ExchangePlans& exchange(Operation operation) { return exchanges_[exchange_place(operation)]; }
  const ExchangePlans& exchange(Operation operation) const { return exchanges_[exchange_place(operation)]; }
  /// Collective: makes its plan whose messages go straight anew, and its trial. False on all ranks where that cannot
  /// be.
  bool make_straight(Operation operation, const std::string& choice, bool known);
  /// Collective, beside that: one for calls in which ranks have this for each other. False where it cannot be made.
  bool make_by_demands(Operation operation, DemandsPtr demands, const std::string& choice);

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
  std::array<ExchangePlans, exchanges> exchanges_;
};

}  // namespace quadrille::dropin
