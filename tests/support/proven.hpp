// One algorithm on one machine, proven and counted: what the tests of single algorithms share.
#pragma once

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::testing {

/// The schedule delivers, keeps the machine's rules and costs what the closed form says, count by count.
inline void expect_proven(const Spec& spec, const Machine& machine, const Algorithm& a, const Params& params) {
  SCOPED_TRACE(command(spec, machine, a, params));
  const Built built = build(spec, machine, {&a, params});
  const Proof proof = verify(spec, in_turns(machine), *built.schedule, built.claims);
  ASSERT_TRUE(proof.holds) << to_string(proof.counterexample->kind) << " round " << proof.counterexample->round << ": "
                           << proof.counterexample->text;
  EXPECT_EQ(proof.duplicates, 0);
  const bool counted_as_several = machine.multicast && spec.topology->direct();  // what a multicast merges is estimated
  ASSERT_TRUE(built.claims.exact || counted_as_several);
  if (!built.claims.exact) return;
  const Traffic traffic = count(spec, machine, *built.schedule);
  EXPECT_EQ(traffic.cost.startups, built.formula.startups);
  EXPECT_EQ(traffic.cost.hops, built.formula.hops);
  EXPECT_EQ(traffic.cost.bytes, built.formula.bytes);
  EXPECT_EQ(traffic.cost.permuted, built.formula.permuted);
  EXPECT_EQ(traffic.cost.packed, built.formula.packed);
  EXPECT_EQ(traffic.cost.barriers, 0);
}

/// Does nothing where the algorithm is illegal; says whether it was legal. For grids of cases: see sampled().
inline bool proven_where_legal(const Spec& spec, const Machine& machine, const std::string& name,
                               const Params& params) {
  const Algorithm& a = find_algorithm(name);
  if (!a.illegal(spec, machine, params).empty()) return false;
  if (sampled(command(spec, machine, a, params))) expect_proven(spec, machine, a, params);
  return true;
}

/// Every combination of ports, duplex (nodes that read or write included) and multicast; messages between neighbours.
inline std::vector<Machine> neighbour_machines() {
  std::vector<Machine> all;
  for (const Duplex duplex : {Duplex::half, Duplex::full, Duplex::node_half})
    for (const Ports ports : {Ports::one, Ports::all})
      for (const bool multicast : {false, true}) {
        all.push_back(test_machine(ports, duplex, Switching::store_and_forward));
        all.back().multicast = multicast;
      }
  return all;
}

/// Cubes of up to 64 ranks; rings and crossbars of up to 17.
inline std::vector<std::string> small_networks() {
  std::vector<std::string> all;
  for (int d = 1; d <= 6; ++d) all.push_back("hypercube:" + std::to_string(d));
  for (int p = 2; p <= 17; ++p)
    for (const std::string family : {"ring:", "crossbar:"}) all.push_back(family + std::to_string(p));
  return all;
}

inline std::set<Rank> some_roots(Rank p) { return {0, 1, p / 3, p - 1}; }

/// A time in the unit of the reference tables: startups of `tau`, bytes of `g`.
inline Machine reference_machine(Ports ports, Duplex duplex, double tau, double g) {
  Machine m;
  m.alpha = tau, m.beta = g, m.ports = ports, m.duplex = duplex;
  return m;
}

/// What a run is known to do, worked out independently, round by round.
struct Known {
  std::string algorithm, topology;
  Bytes bytes;
  Rank root, target;
  Duplex duplex;
  double tau, g, time;
  std::int64_t rounds, messages;
  Bytes link, critical;
};

inline void expect_known(const Known& k) {
  SCOPED_TRACE(k.algorithm + " on " + k.topology);
  const Choice choice = parse_choice(k.algorithm);
  const Spec spec = request(choice.algorithm->collective, k.topology, k.bytes, k.root, k.target);
  const Ports ports = spec.topology->contended() ? Ports::all : Ports::one;
  const Machine machine = reference_machine(ports, k.duplex, k.tau, k.g);
  const Built built = build(spec, machine, choice);
  const Traffic traffic = count(spec, machine, *built.schedule);
  EXPECT_EQ(traffic.cost.startups, k.rounds);
  EXPECT_EQ(traffic.messages, k.messages);
  EXPECT_EQ(traffic.busiest_link, k.link);
  EXPECT_EQ(traffic.critical_bytes, k.critical);
  EXPECT_DOUBLE_EQ(seconds(traffic.cost, machine, *spec.topology), k.time);
  EXPECT_DOUBLE_EQ(seconds(built.formula, machine, *spec.topology), k.time);
}

}  // namespace quadrille::testing
