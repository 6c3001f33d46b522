#include "quadrille/cost.hpp"

#include <algorithm>

#include "base/integer.hpp"

namespace quadrille {

CostParts parts(const Cost& cost, const Machine& machine, const Topology& topology) {
  const auto count = [](std::int64_t n) { return static_cast<double>(n); };
  const double hops =
      machine.circuit == CircuitCost::exact ? count(cost.hops) : count(cost.startups) * topology.diameter() / 2.0;
  const Seconds barrier = machine.barrier + machine.barrier_log2 * base::log2_ceil(topology.ranks());
  const Seconds overhead = count(cost.startups) * (machine.overhead_send + machine.overhead_receive) +
                           count(cost.further) * std::max(machine.overhead_send, machine.overhead_receive);
  return {count(cost.startups) * machine.alpha + count(cost.delay) * 1e-12,
          overhead,
          hops * machine.per_hop,
          count(cost.bytes) * machine.beta,
          count(cost.permuted + cost.packed) * machine.rho,
          count(cost.barriers) * barrier,
          count(cost.combined) * machine.gamma};
}

Seconds seconds(const Cost& cost, const Machine& machine, const Topology& topology) {
  return parts(cost, machine, topology).total();
}

}  // namespace quadrille
