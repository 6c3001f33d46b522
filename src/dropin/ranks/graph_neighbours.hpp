// Whom a rank gives to and takes from in neighbourhood collectives.
#pragma once

#include <mpi.h>

#include <vector>

namespace quadrille::dropin {

/// In the order of the blocks; in a Cartesian grid some may be MPI_PROC_NULL.
struct GraphNeighbours {
  bool there = false;  ///< the communicator has a topology
  std::vector<int> from = {}, to = {};

  /// Local.
  static GraphNeighbours of(MPI_Comm comm);
};

}  // namespace quadrille::dropin
