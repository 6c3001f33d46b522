// Plans, proves and prices a complete exchange; no MPI and no data.
#include "quadrille/plan.hpp"

#include <iostream>

#include "quadrille/verify.hpp"

int main() {
  using namespace quadrille;
  const Spec spec{.collective = Collective::alltoall, .topology = parse_topology("hypercube:6"), .bytes = 32};
  const Machine machine = load_machine("ipsc860");
  const Plan best = plan(spec, machine);
  const Candidate& winner = best.best();
  const Built built = build(spec, machine, {winner.algorithm, winner.params});
  const Proof proof = verify(spec, machine, *built.schedule, built.claims);
  std::cout << to_text(*winner.algorithm, winner.params) << ": " << winner.time * 1e3 << " ms, "
            << (proof.holds ? "proven" : "wrong") << "\n";
  return proof.holds ? 0 : 1;
}
