// A network from what a file says of it.
#pragma once

#include "topology/file/description.hpp"
#include "topology/graph/network.hpp"

namespace quadrille::topology {

/// Throws Error(format) with the line where something does not fit.
Network network_of(const Description& description);

/// The network in a file's content: TOML where the name ends in .toml.
Network parse_network(std::string content, const std::string& name);

}  // namespace quadrille::topology
