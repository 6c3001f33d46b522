// MPI_Alltoallv and MPI_Alltoallw by messages that go straight to their ranks: each needs to know nothing but its own
// lengths.
#pragma once

#include <mpi.h>

#include <vector>

#include "dropin/perform/exchange_call.hpp"
#include "mpi/state.hpp"

namespace quadrille::dropin {

/// What performs such calls on one communicator, by an algorithm whose blocks go straight. A side has a block for each
/// rank.
class StraightPlan {
 public:
  /// Takes part in what all ranks prepare. Throws Error where `choice` does not go straight, or cannot be made.
  StraightPlan(std::shared_ptr<mpi::communicator::state> communicator, const std::string& choice);
  ~StraightPlan() { communicator_->forget(execution_); }
  StraightPlan(const StraightPlan&) = delete;
  StraightPlan& operator=(const StraightPlan&) = delete;

  /// Collective, once, before the first call.
  void connect() { execution_.connect(true); }
  /// Whether this rank has memory that others can read, and had none when this was made.
  bool could_share() const { return execution_.could_offer(); }
  /// A call: start(), test() until it says so, finish().
  void start(const ExchangeCall& call);
  bool test();
  void finish(const ExchangeCall& call) const;

  /// Of a call in place that is performed twice: keeps its blocks, and lays them back.
  void keep(const ExchangeCall& call);
  void lay_back(const ExchangeCall& call) const;

  const std::string choice;

 private:
  /// So many calls have tags of their own: what ranks that disagree leave over is not taken for the next call's.
  static constexpr int tags = 16;
  struct Made {
    program::Program program;
    int tag = 0;
  };
  static Made make(mpi::communicator::state& communicator, const std::string& choice);
  StraightPlan(std::shared_ptr<mpi::communicator::state> communicator, const std::string& choice, Made made);

  /// Where a side's bytes lie: with the program, or in a staging area.
  struct Laid {
    std::byte* base = nullptr;
    bool staged = false;
    std::vector<mpi::Execution::Place> places;
  };
  void lay_out(const ExchangeSide& side, bool staged, std::size_t area, Laid& laid);
  void pack(const ExchangeSide& side, const Laid& laid) const;
  void unpack(const ExchangeSide& side, const Laid& laid) const;

  const std::shared_ptr<mpi::communicator::state> communicator_;
  const Packer packer_;
  const int tag_;
  unsigned call_ = 0;
  mpi::Execution execution_;
  Staging staging_;
  Laid in_, out_, kept_;
};

}  // namespace quadrille::dropin
