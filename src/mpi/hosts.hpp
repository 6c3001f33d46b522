// Which ranks of a communicator share a host.
#pragma once

#include "mpi/peers.hpp"
#include "topology/hosts/hosts.hpp"

namespace quadrille::mpi {

/// Collective; the same on all ranks. Ranks share a host where MPI says that they can share memory, or, from an MPI
/// that cannot say it, where they call their computer by one name.
topology::Hosts hosts_of(const Peers& peers);

}  // namespace quadrille::mpi
