// One declaration per topology family; each lives in the file of its name.
#pragma once

#include "quadrille/topology.hpp"

namespace quadrille::topology {

TopologyFamily hypercube_family();
TopologyFamily ring_family();
TopologyFamily crossbar_family();
TopologyFamily mesh_family();
TopologyFamily torus_family();
TopologyFamily bus_family();
TopologyFamily ethernet_family();
TopologyFamily memory_family();
TopologyFamily omega_family();
TopologyFamily fly_family();
TopologyFamily bifly_family();

}  // namespace quadrille::topology
