// The network between hosts, where nobody has named one, as messages at once reveal it.
#pragma once

#include <string>

#include "mpi/peers.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/placement.hpp"
#include "topology/hosts/hosts.hpp"

namespace quadrille::mpi {

struct BetweenHosts {
  /// Of hosts.count() ranks, "ring:8"; empty where hosts are as around a switch, or where they are too few to tell (3)
  /// or too many to plan for while a program waits (more than 64).
  std::string topology = {};
  bool all_ports = false;  ///< a host sends two messages on two links in the time of one
};

/// Collective over all ranks of `hosts`; the same on all. The first ranks of all hosts send at once, in patterns that
/// load the links of networks differently (patterns() in quadrille/tune.hpp). Some patterns are sent first. Where they
/// take alike, messages share no links, and nothing else is sent. Otherwise all are sent, again and again, until the
/// least times of each reveal the same network twice in a row, or five times. `machine` says how long a byte takes, so
/// that a message takes some milliseconds on slow links.
BetweenHosts network_between(const Peers& peers, const topology::Hosts& hosts, const Machine& machine);

/// Collective over all ranks of `hosts`, on a network that somebody has named; the same on all. Whether a rank's
/// messages to two others, over links that they do not share, take less than half as long again as one of them. False
/// where no rank has two links to other hosts. Costs 12 patterns of one or two messages.
bool uses_links_at_once(const Peers& peers, const Placement& placement, const topology::Hosts& hosts,
                        const Machine& machine);

}  // namespace quadrille::mpi
