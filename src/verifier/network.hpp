// Whether a schedule's messages fit the machine's wires and ports.
#pragma once

#include "quadrille/verify.hpp"
#include "schedule/metered.hpp"

namespace quadrille::verifier {

struct NetworkProof {
  std::optional<Counterexample> wrong;
  std::int64_t rounds = 0, messages = 0, link_messages = 0;
};

/// Checks adjacency, ports, duplex and contention in every round.
NetworkProof check_network(const Spec& spec, const Machine& machine, const Schedule& schedule, const Claims& claims,
                           const VerifyBudget& budget, schedule::Meter& meter);

}  // namespace quadrille::verifier
