#include "quadrille/cost.hpp"

#include "base/integer.hpp"

namespace quadrille {

CostParts parts(const Cost& cost, const Machine& machine, const Topology& topology) {
  const auto count = [](std::int64_t n) { return static_cast<double>(n); };
  const double hops =
      machine.circuit == CircuitCost::exact ? count(cost.hops) : count(cost.startups) * topology.diameter() / 2.0;
  const Seconds barrier = machine.barrier + machine.barrier_log2 * log2_ceil(topology.ranks());
  return {count(cost.startups) * machine.alpha, hops * machine.per_hop, count(cost.bytes) * machine.beta,
          count(cost.permuted + cost.packed) * machine.rho, count(cost.barriers) * barrier};
}

Seconds seconds(const Cost& cost, const Machine& machine, const Topology& topology) {
  return parts(cost, machine, topology).total();
}

}  // namespace quadrille
