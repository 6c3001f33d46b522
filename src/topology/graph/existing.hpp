// A network without the numbers of links that it leaves unused.
#pragma once

#include "quadrille/topology.hpp"

namespace quadrille::topology {

/// The same network, every one of whose links exists: a mesh numbers some beyond its edge, a crossbar those from a rank
/// to itself. It itself where all exist already. Throws Error(argument) where its links are too many to be numbered.
TopologyPtr with_existing_links(TopologyPtr network);

}  // namespace quadrille::topology
