// How a graph with switches is drawn that nobody says more of.
#pragma once

#include "topology/graph/network.hpp"

namespace quadrille::topology {

/// Switches round a ring where each has hosts of its own; else levels, by how far switches are from hosts. Nothing
/// without switches.
Drawing usual_drawing(const Network& network);

}  // namespace quadrille::topology
