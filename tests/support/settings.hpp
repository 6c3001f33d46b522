// The machines and requests that the tests go through, shared by the property suites.
#pragma once

#include <ostream>
#include <set>
#include <string>
#include <vector>

#include "quadrille/algorithm.hpp"
#include "quadrille/collective.hpp"
#include "quadrille/demands.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/sources.hpp"

namespace quadrille::testing {

/// alpha, beta ... chosen so that no two counts can be exchanged without changing the time.
inline Machine test_machine(Ports ports, Duplex duplex, Switching switching, CircuitCost circuit = CircuitCost::exact) {
  Machine m;
  m.name =
      std::string(to_string(ports)) + "/" + std::string(to_string(duplex)) + "/" + std::string(to_string(switching));
  m.alpha = 1009, m.per_hop = 101, m.beta = 7, m.rho = 0.5, m.gamma = 3, m.barrier = 3, m.barrier_log2 = 11;
  m.ports = ports, m.duplex = duplex, m.switching = switching, m.circuit = circuit;
  return m;
}

/// The same where messages that meet take turns: some schedules may come to a stop on circuits, and are right
/// otherwise. circuits_test.cpp is about those.
inline Machine in_turns(Machine machine) {
  if (machine.switching == Switching::circuit) machine.switching = Switching::wormhole;
  return machine;
}

/// Every combination of ports, duplex and switching that the papers use.
inline std::vector<Machine> test_machines() {
  std::vector<Machine> all;
  for (const Switching s : {Switching::store_and_forward, Switching::circuit})
    for (const Duplex d : {Duplex::half, Duplex::full})
      for (const Ports p : {Ports::one, Ports::all}) all.push_back(test_machine(p, d, s));
  return all;
}

/// Those; two whose ranks' processors take time for each message; and where the network makes a difference, more: what
/// a medium serves at once, cells that copy, and messages that pass ranks with one port.
inline std::vector<Machine> machines_on(const Topology& t) {
  std::vector<Machine> all = test_machines();
  const std::vector<Machine> plain{all.front(), all.back()};
  for (const Machine& base : plain)
    all.push_back(base), all.back().overhead_send = 211, all.back().overhead_receive = 307;
  for (const Machine& base : plain) {
    if (t.shared_medium())
      for (const std::int64_t shared : {std::int64_t{2}, std::int64_t{3}, t.ranks()})
        all.push_back(base), all.back().shared = shared;
    else if (!t.direct())
      all.push_back(base), all.back().multicast = true;
  }
  if (t.direct() && !t.shared_medium()) all.push_back(test_machine(Ports::one, Duplex::full, Switching::wormhole));
  return all;
}

/// The networks that every family names as examples of itself, as text.
inline const std::vector<std::string>& examples() {
  static const std::vector<std::string> list = [] {
    std::vector<std::string> all;
    for (const TopologyFamily& family : topology_families())
      for (const std::string_view arguments : family.examples) all.push_back(family.make(arguments)->text());
    return all;
  }();
  return list;
}

/// A multibcast is from every third rank, the first of them with `bytes`, the next with half, none, `bytes` ...
inline Spec request(Collective c, const std::string& topology, Bytes bytes, Rank root = 0, Rank target = -1) {
  Spec spec{.collective = c, .topology = parse_topology(topology), .bytes = bytes, .root = root, .target = target};
  if (c == Collective::multibcast) {
    std::vector<std::pair<Rank, Bytes>> sources;
    for (Rank r = spec.ranks() / 4; r < spec.ranks(); r += 3)
      sources.emplace_back(r, sources.size() % 3 == 0 ? bytes : sources.size() % 3 == 1 ? bytes / 2 : 0);
    spec.sources = make_sources(std::move(sources));
  }
  if (c == Collective::alltoallv) {  // some to the next but one, some far, some nothing
    std::vector<Demand> pairs;
    for (Rank r = 0; r < spec.ranks(); ++r)
      for (const Rank by : std::set<Rank>{2 % spec.ranks(), (spec.ranks() / 2 + 1) % spec.ranks()})
        if (r % 4 != 3) pairs.push_back({r, (r + by) % spec.ranks(), r % 3 == 0 ? bytes : bytes - bytes / 2});
    spec.demands = make_demands(spec.ranks(), std::move(pairs));
  }
  return checked(std::move(spec));
}

/// Whether the collective can be asked for on this network with nothing but a size: a transpose needs a square.
inline bool can_request(Collective c, const std::string& topology) {
  try {
    return request(c, topology, 97).ranks() > 0;
  } catch (const Error&) {
    return false;
  }
}

/// The command that repeats a failing case.
inline std::string command(const Spec& s, const Machine& m, const Algorithm& a, const Params& p) {
  std::string text = "quadrille verify " + std::string(to_string(s.collective)) + " " + s.topology->text() +
                     " --bytes " + std::to_string(s.bytes) + " --root " + std::to_string(s.root) + " --algorithm " +
                     to_text(a, p) + " --set ports=" + std::string(to_string(m.ports)) +
                     " --set duplex=" + std::string(to_string(m.duplex)) +
                     " --set switching=" + std::string(to_string(m.switching)) +
                     " --set shared=" + std::to_string(m.shared) + (m.multicast ? " --set multicast=true" : "") +
                     (m.has_overhead() ? " --set overhead_send=211 --set overhead_receive=307" : "");
  if (s.sources) text += " --sources " + to_text(*s.sources, s.bytes);
  if (s.demands) text += " --demands " + to_text(*s.demands, s.bytes);
  if (s.collective == Collective::sendrecv) text += " --target " + std::to_string(s.target);
  return text;
}

}  // namespace quadrille::testing
