// Exchanges of ranks that have as much for each other in every call: once all know how much, messages may go round by
// other ranks.
#pragma once

#include <memory>
#include <optional>

#include "dropin/perform/exchange_ends.hpp"
#include "mpi/state.hpp"

namespace quadrille::dropin {

/// More ranks never tell each other what they have.
constexpr int most_ranks_by_demands = 64;

/// Collective: what all ranks have for each other in this call. Null where some rank says that it had something else in
/// the call before (`again` is false there), or has two blocks for another: MPIs differ in which of them is which.
DemandsPtr demands_of_all(const mpi::Peers& peers, const ExchangeCall& call, bool again);

/// Collective: whether all ranks give and take this in the call.
bool as_all_have(const mpi::Peers& peers, const Demands& demands, const ExchangeCall& call);

/// Collective. Throws Error on all ranks alike where it cannot be made.
std::unique_ptr<mpi::plan_handle::state> plan_by_demands(const std::shared_ptr<mpi::communicator::state>& communicator,
                                                         const DemandsPtr& demands, const std::string& choice);

/// Of one communicator.
class DemandPlan {
 public:
  /// Collective. Throws Error on all ranks alike where it cannot be made.
  DemandPlan(std::shared_ptr<mpi::communicator::state> communicator, DemandsPtr demands, const std::string& choice);

  /// Collective: whether all ranks have what was planned.
  bool answers(const ExchangeCall& call) const;
  /// A call, which stays until its end: start(), test() until it says so, finish().
  void start(const ExchangeCall& call);
  bool test() { return plan_.test(); }
  void finish();

  const std::string choice;

 private:
  const std::shared_ptr<mpi::communicator::state> communicator_;
  const DemandsPtr demands_;
  const mpi::Packer packer_;
  mpi::plan_handle plan_;
  Staging staging_;
  std::optional<ExchangeEnds> ends_;
};

}  // namespace quadrille::dropin
