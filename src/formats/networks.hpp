// Networks in the forms of other programs.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/machine.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::formats {

struct NetworkFormat {
  std::string_view name, what;
  std::string (*text)(const Topology& topology, const Machine& machine);
};
/// simgrid: every route as it is here; slurm: a tree of switches; ibnetdiscover: ports and rates. Each throws
/// Error(illegal) saying what it cannot say.
const std::vector<NetworkFormat>& network_formats();
const NetworkFormat& network_format(std::string_view name);

std::string simgrid_platform(const Topology& topology, const Machine& machine);
std::string slurm_topology(const Topology& topology, const Machine& machine);
std::string ibnetdiscover_text(const Topology& topology, const Machine& machine);

}  // namespace quadrille::formats
