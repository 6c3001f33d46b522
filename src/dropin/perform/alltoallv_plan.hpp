// MPI_Alltoallv: every rank knows what it gives to each other and what it takes from it, and nobody knows more.
// Messages that go straight to their ranks need no more.
#pragma once

#include <mpi.h>

#include <vector>

#include "dropin/perform/sizes.hpp"
#include "mpi/packing.hpp"
#include "mpi/state.hpp"

namespace quadrille::dropin {

using mpi::element;
using mpi::Packer;
using mpi::Staging;

/// The arguments of a call on one rank. In place those of the `in` side mean nothing.
struct AlltoallvCall {
  struct Side {
    void* buffer = nullptr;
    const int *counts = nullptr, *displaces = nullptr;  ///< in elements, by rank
    MPI_Datatype type = MPI_DATATYPE_NULL;

    bool nothing(int rank) const { return counts[rank] == 0; }
    std::byte* block(int rank) const { return element(buffer, type, displaces[rank]); }
  };
  Side in, out;
  bool in_place = false;

  /// The side whose blocks are sent.
  const Side& sent() const { return in_place ? out : in; }
  /// Bytes that this rank takes from all, itself among them; -1 where that side is not understood.
  Bytes taken(int ranks) const;
  /// Whether the other side is, too.
  bool understood(int ranks) const;
  /// A number that almost surely is another one where this rank gives or takes something else.
  std::int64_t sizes(int rank, int ranks) const;
  /// Equal on all ranks' exclusive or to 0, almost surely only where any two agree on what one gives to the other.
  std::int64_t balance(int rank, int ranks) const;
};

/// What performs such calls on one communicator, by an algorithm whose blocks go straight.
class AlltoallvPlan {
 public:
  /// Takes part in what all ranks prepare. Throws Error where `choice` does not go straight, or cannot be made.
  AlltoallvPlan(std::shared_ptr<mpi::communicator::state> communicator, const std::string& choice);
  ~AlltoallvPlan() { communicator_->forget(execution_); }
  AlltoallvPlan(const AlltoallvPlan&) = delete;
  AlltoallvPlan& operator=(const AlltoallvPlan&) = delete;

  /// Collective, once, before the first call.
  void connect() { execution_.connect(true); }
  /// Whether this rank has memory that others can read, and had none when this was made.
  bool could_share() const { return execution_.could_offer(); }
  /// A call: start(), test() until it says so, finish().
  void start(const AlltoallvCall& call);
  bool test();
  void finish(const AlltoallvCall& call) const;

  /// Of a call in place that is performed twice: keeps its blocks, and lays them back.
  void keep(const AlltoallvCall& call);
  void lay_back(const AlltoallvCall& call) const;

  const std::string choice;

 private:
  /// So many calls have tags of their own: what ranks that disagree leave over is not taken for the next call's.
  static constexpr int tags = 16;
  struct Made {
    program::Program program;
    int tag = 0;
  };
  static Made make(mpi::communicator::state& communicator, const std::string& choice);
  AlltoallvPlan(std::shared_ptr<mpi::communicator::state> communicator, const std::string& choice, Made made);

  /// Where a side's bytes lie: with the program, or in a staging area.
  struct Laid {
    std::byte* base = nullptr;
    bool staged = false;
    std::vector<mpi::Execution::Place> places;
  };
  void lay_out(const AlltoallvCall::Side& side, bool staged, std::size_t area, Laid& laid);
  void pack(const AlltoallvCall::Side& side, const Laid& laid) const;
  void unpack(const AlltoallvCall::Side& side, const Laid& laid) const;

  const std::shared_ptr<mpi::communicator::state> communicator_;
  const Packer packer_;
  const int tag_;
  unsigned call_ = 0;
  mpi::Execution execution_;
  Staging staging_;
  Laid in_, out_, kept_;
};

}  // namespace quadrille::dropin
