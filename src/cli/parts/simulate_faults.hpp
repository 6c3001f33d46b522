// --slow, --fail, --jitter and --skew: what is wrong with the network, as typed.
#pragma once

#include <string>
#include <vector>

#include "console/command.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::cli {

struct FaultOptions {
  std::vector<std::string> slow, failed;
  std::string jitter, skew, seed = "1";
};

void add_fault_options(CLI::App& command, FaultOptions& options);
Faults read(const FaultOptions& options, const Topology& topology);

/// "3>4" the link from 3 to 4, "3-4" both directions of the wire, "12" the link of that number.
std::vector<Link> parse_links(std::string_view text, const Topology& topology, std::string_view what);

}  // namespace quadrille::cli
