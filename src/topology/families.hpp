// One declaration per topology family; each lives in the file of its name.
#pragma once

#include "quadrille/topology.hpp"

namespace quadrille {

TopologyFamily hypercube_family();
TopologyFamily ring_family();
TopologyFamily crossbar_family();

}  // namespace quadrille
