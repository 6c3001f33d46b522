// MPI_Alltoallv of ranks that have as much for each other in every call: once all know how much, messages may go round
// by other ranks.
#pragma once

#include <memory>

#include "dropin/perform/alltoallv_plan.hpp"
#include "mpi/state.hpp"

namespace quadrille::dropin {

/// Collective: what all ranks have for each other in this call. Null where there are too many ranks, or where some rank
/// says that it had something else in the call before (`again` is false there).
DemandsPtr demands_of_all(const mpi::Peers& peers, const AlltoallvCall& call, bool again);

/// Of one communicator.
class DemandPlan {
 public:
  /// Collective. Throws Error on all ranks alike where it cannot be made.
  DemandPlan(std::shared_ptr<mpi::communicator::state> communicator, DemandsPtr demands, const std::string& choice);

  /// Collective: whether all ranks have what was planned.
  bool answers(const AlltoallvCall& call) const;
  /// A call: start(), test() until it says so, finish(). Blocks are packed on both sides: rounded up to words they do
  /// not lie as the program has them.
  void start(const AlltoallvCall& call);
  bool test() { return plan_.test(); }
  void finish(const AlltoallvCall& call) const;

  const std::string choice;

 private:
  static std::unique_ptr<mpi::plan_handle::state> made(const std::shared_ptr<mpi::communicator::state>& communicator,
                                                       const DemandsPtr& demands, const std::string& choice);

  const std::shared_ptr<mpi::communicator::state> communicator_;
  const DemandsPtr demands_;
  const mpi::Packer packer_;
  mpi::plan_handle plan_;
  Staging staging_;
  std::byte* out_ = nullptr;
};

}  // namespace quadrille::dropin
