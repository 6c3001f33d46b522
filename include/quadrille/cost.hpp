// What a schedule costs on a machine, in counts: exact integers that a machine's constants turn into seconds.
#pragma once

#include "quadrille/base.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/topology.hpp"

namespace quadrille {

/// Counts along the critical path of a lockstep run: a round lasts as long as its busiest resource.
struct Cost {
  std::int64_t startups = 0;  ///< rounds with a message; all ports: one for each turn at a rank's links
  std::int64_t hops = 0;      ///< sum over rounds of the longest route in links
  std::int64_t bytes = 0;     ///< sum over rounds of the bytes on the busiest link or port
  std::int64_t permuted = 0;  ///< bytes one rank permutes locally, largest per round, summed
  std::int64_t barriers = 0;
  /// Bytes one rank gathers before they are sent or scatters after they came, because a message is not one run of
  /// memory; largest per round, summed.
  std::int64_t packed = 0;
  /// Messages that one rank sends or receives in a round beyond its first, largest per round, summed: each takes its
  /// rank's processor the longer overhead.
  std::int64_t further = 0;
  /// Bytes of results that one rank computes by the operator of a reduction; largest per round, summed.
  std::int64_t combined = 0;
  /// Picoseconds that links of other kinds add to the rounds: their latencies, and start-ups that differ from alpha.
  std::int64_t delay = 0;
  bool operator==(const Cost&) const = default;
};

/// startups*(o_s + alpha + o_r) + further*max(o_s, o_r) + hops*per_hop + bytes*beta + (permuted + packed)*rho +
/// combined*gamma + barriers*Q + delay, where o_s and o_r are the machine's overheads. With circuit = average the hops
/// are replaced by startups * diameter / 2.
Seconds seconds(const Cost& cost, const Machine& machine, const Topology& topology);

/// The same, part by part, to say where time goes; delays are part of the start-ups.
struct CostParts {
  Seconds startup, overhead, circuit, wire, permute, barrier, combine;
  Seconds total() const { return startup + overhead + circuit + wire + permute + barrier + combine; }
};
CostParts parts(const Cost& cost, const Machine& machine, const Topology& topology);

}  // namespace quadrille
