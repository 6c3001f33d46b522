// The machine at hand, where nobody has named one: its start-up, overheads and bandwidth, measured in some
// milliseconds.
#pragma once

#include <string>

#include "mpi/peers.hpp"
#include "quadrille/machine.hpp"
#include "topology/hosts/hosts.hpp"

namespace quadrille::mpi {

/// "Open MPI v4.1.4", "MPICH Version: 4.0.2".
std::string library_name();

/// Collective over ranks of which there are 2 or more. Messages go between rank 0 and the first rank on another host;
/// on one host, rank 1. Where ranks share some of several hosts, also between the first two of these, for what a memory
/// costs (kind "memory"). The same on all ranks; its name says what it was measured on.
Machine measured_job(const Peers& peers, const topology::Hosts& hosts);

}  // namespace quadrille::mpi
