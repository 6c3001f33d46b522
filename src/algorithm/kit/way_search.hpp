// Ways through a network for the messages of each pair of ranks, so that none of their rounds takes long.
#pragma once

#include <cstdint>
#include <vector>

#include "quadrille/machine.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::algorithm::kit {

/// What one rank sends another, over all rounds.
struct PairTraffic {
  struct InRound {
    std::int32_t round = 0;
    double bytes = 0;
    bool operator==(const InRound&) const = default;
  };
  Rank from = 0, to = 0;
  std::vector<InRound> rounds;
  bool operator==(const PairTraffic&) const = default;
};

/// Ways for each pair, none where only routes past ranks lead from the one to the other. What a pair sends is divided
/// into so many equal parts, each with a way of its own; those with the same way are one. Parts are taken out one by
/// one, and put back along links that have little in the rounds of the pair: a link is the longer, the nearer it is to
/// being the busiest of such a round. They pass switches only. Empty where that takes more than some seconds.
std::vector<Topology::Way> ways_for(const Topology& topology, const Machine& machine, std::vector<PairTraffic> pairs,
                                    std::int64_t rounds, std::int32_t parts);

}  // namespace quadrille::algorithm::kit
