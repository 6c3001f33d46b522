// The MPI's own collectives, timed with its own algorithms forced: what rules for it are made from.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "mpi/peers.hpp"
#include "quadrille/collective.hpp"

namespace quadrille::mpi {

/// Integer control variables of MPI_T and their values.
using Settings = std::vector<std::pair<std::string, int>>;

/// A communicator made while control variables had these values, which have their old ones again when it is freed.
/// Collective over `peers`.
class Forced {
 public:
  Forced(const Peers& peers, const Settings& settings);
  ~Forced();
  Forced(const Forced&) = delete;
  Forced& operator=(const Forced&) = delete;

  /// MPI_COMM_NULL where the MPI of some rank has no such variable, or refuses a value.
  MPI_Comm comm() const { return comm_; }

 private:
  struct Old {
    MPI_T_cvar_handle handle;
    int value;
  };
  bool set(const std::string& name, int value);

  std::vector<Old> old_;
  MPI_Comm comm_ = MPI_COMM_NULL;
};

struct NativeCall {
  Collective collective = Collective::bcast;
  Bytes block = 8;  ///< a multiple of 8; as a spec has it: the vector of bcast, reduce and allreduce
  Settings settings = {};
  /// A call that takes longer than four times this is timed once.
  Seconds enough = 0;
};

/// The median over some repetitions of the slowest rank's time, from a barrier on; the same on all ranks. Infinite
/// where settings are impossible. Collective over `peers`. Throws Error(argument) for a collective without rules or a
/// block of another length, Error(budget) for more memory than `memory` bytes a rank.
Seconds time_native(const Peers& peers, const NativeCall& call, Bytes memory);

}  // namespace quadrille::mpi
