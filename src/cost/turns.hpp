// Messages that take turns at a rank's ports.
#pragma once

#include <algorithm>

#include "base/integer.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::cost {

/// Start-ups of a round in which the busiest rank sends or receives so many messages: one for as many as it has ports.
/// A shared medium takes what a rank sends as one message, heard by all. With overheads start-ups are latency, and what
/// a rank pays for each message is its overhead.
inline std::int64_t turns_at_ports(std::int64_t messages, const Machine& machine, const Topology& topology) {
  if (topology.shared_medium() || machine.has_overhead()) return 1;
  const std::int64_t ports = machine.ports == Ports::one ? 1 : topology.degree();
  return std::max<std::int64_t>(1, base::ceil_div(messages, ports));
}

/// Start-ups of a round with so many transactions on a medium that all share.
inline std::int64_t turns_at_medium(std::int64_t transactions, const Machine& machine) {
  return std::max<std::int64_t>(1, base::ceil_div(transactions, machine.shared));
}

}  // namespace quadrille::cost
