// Families of networks that plug-ins add.
#pragma once

#include "quadrille/topology.hpp"

namespace quadrille::topology {

/// Into topology_families(), whose entries move.
void add_family(const TopologyFamily& added);

}  // namespace quadrille::topology
