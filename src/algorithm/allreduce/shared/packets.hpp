// Vectors in packets up and down trees on a switch: where that goes, and how many packets there are.
#pragma once

#include <functional>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::allreduce {

/// Empty on switches of no more ranks than are priced, whose wires and ranks work both ways at once.
std::string packets_on_switch_illegal(const Spec& spec, const Machine& machine);

/// each * packets + more rounds of a packet of a part.
struct PacketRounds {
  std::int64_t each, more, parts;
};
/// The best of the packet counts near the least of that.
std::vector<Params> best_of_packets(const Spec& spec, const Machine& machine, const PacketRounds& rounds,
                                    const std::function<Cost(const Params&)>& cost);

}  // namespace quadrille::algorithm::allreduce
