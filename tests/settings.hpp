// The machines and requests that the tests go through, shared by the property suites.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "quadrille/algorithm.hpp"
#include "quadrille/collective.hpp"
#include "quadrille/machine.hpp"

namespace quadrille::testing {

/// alpha, beta ... chosen so that no two counts can be exchanged without changing the time.
inline Machine test_machine(Ports ports, Duplex duplex, Switching switching, CircuitCost circuit = CircuitCost::exact) {
  Machine m;
  m.name =
      std::string(to_string(ports)) + "/" + std::string(to_string(duplex)) + "/" + std::string(to_string(switching));
  m.alpha = 1009, m.per_hop = 101, m.beta = 7, m.rho = 0.5, m.barrier = 3, m.barrier_log2 = 11;
  m.ports = ports, m.duplex = duplex, m.switching = switching, m.circuit = circuit;
  return m;
}

/// Every combination of ports, duplex and switching that the papers use.
inline std::vector<Machine> test_machines() {
  std::vector<Machine> all;
  for (const Switching s : {Switching::store_and_forward, Switching::circuit})
    for (const Duplex d : {Duplex::half, Duplex::full})
      for (const Ports p : {Ports::one, Ports::all}) all.push_back(test_machine(p, d, s));
  return all;
}

inline Spec request(Collective c, const std::string& topology, Bytes bytes, Rank root = 0, Rank target = -1) {
  return checked(
      {.collective = c, .topology = parse_topology(topology), .bytes = bytes, .root = root, .target = target});
}

/// Whether a collective can be asked for there: a transposition is one of a square of ranks.
inline bool fits(Collective c, const std::string& topology) {
  const Rank p = parse_topology(topology)->ranks();
  Rank side = 1;
  while (side * side < p) ++side;
  return c != Collective::transpose || side * side == p;
}

/// The command that repeats a failing case.
inline std::string command(const Spec& s, const Machine& m, const Algorithm& a, const Params& p) {
  std::string text = "quadrille verify " + std::string(to_string(s.collective)) + " " + s.topology->text() +
                     " --bytes " + std::to_string(s.bytes) + " --root " + std::to_string(s.root) + " --algorithm " +
                     to_text(a, p) + " --set ports=" + std::string(to_string(m.ports)) +
                     " --set duplex=" + std::string(to_string(m.duplex)) +
                     " --set switching=" + std::string(to_string(m.switching));
  if (s.collective == Collective::sendrecv) text += " --target " + std::to_string(s.target);
  return text;
}

}  // namespace quadrille::testing
