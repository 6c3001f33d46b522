// Measurements over MPI: of the network, and of one request in all the ways there are.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "quadrille/mpi.hpp"
#include "validate/figures.hpp"

namespace quadrille::validate {

/// Ten measurements between neighbours and across the network, the same on all ranks. Messages longer than `segment`
/// (0: none) travel in pieces of it, as the library sends them.
Samples sample(MPI_Comm comm, const Topology& topology, Bytes segment, int repetitions);

/// Half a round trip of three sizes between two ranks of a node; empty where nodes have one rank.
std::vector<Samples::Point> sample_inside(MPI_Comm comm, const Topology& topology, Bytes segment, int repetitions);

struct Limits {
  int repetitions = 5;
  int ways = 6;        ///< plans measured: the planner's best of so many algorithms
  double slowest = 4;  ///< and only those predicted to take at most so many times the best
};

/// The native collective and the plans, in turns; medians of the time that the slowest rank took. All plans deliver
/// what the native call delivers, byte for byte, or Error(transport). Rows are the same on all ranks.
std::vector<Row> compare(MPI_Comm comm, const mpi::communicator& network, Collective collective, Bytes bytes,
                         const Limits& limits);

/// Collectives that have a call of MPI to compare with.
std::vector<std::string> compared_collectives();
/// "openmpi" or "mpich".
std::string mpi_name();

}  // namespace quadrille::validate
