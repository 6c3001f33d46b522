// Model W on any network: times by hand, and ties that do not depend on the unit of time.
#include <gtest/gtest.h>

#include "listed.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/sources.hpp"
#include "settings.hpp"

namespace quadrille::wormhole_test {
namespace {

using testing::Listed;
using testing::request;
using testing::Rounds;

/// Start-up 1, 0.25 a link, 0.5 a byte.
Machine by_hand(Ports ports, Duplex duplex) {
  Machine m = testing::test_machine(ports, duplex, Switching::circuit);
  m.alpha = 1, m.per_hop = 0.25, m.beta = 0.5, m.rho = 0, m.circuit = CircuitCost::exact;
  return m;
}

/// One round with a message of 8 bytes (4 s) between each of these ranks.
Seconds one_round(const std::string& topology, const Machine& machine,
                  const std::vector<std::pair<Rank, Rank>>& pairs) {
  const Spec spec = request(Collective::alltoall, topology, 8);
  std::vector<Listed::Message> round;
  for (const auto& [from, to] : pairs) round.push_back({from, to, {{Buffer::in, to}}, {{Buffer::out, from}}});
  const Shape shape{.ranks = spec.ranks(), .in = spec.ranks(), .out = spec.ranks(), .cut = {.bytes = 8}};
  return simulate(spec, machine, Listed(shape, Rounds{round}), {.network = Network::wormhole}).makespan;
}

// All three are requested at 1. 0 -> 3 starts at the lowest rank and takes links 0, 1, 2 until 1 + 0.75 + 4 = 5.75. The
// way of 1 -> 2 is then blocked, that of 4 -> 5 is free: it passes. 1 -> 2 starts at 5.75 and ends at 10.
TEST(WormholeNetwork, WhoIsBlockedLetsOthersPass) {
  const Machine m = by_hand(Ports::all, Duplex::full);
  EXPECT_DOUBLE_EQ(one_round("mesh:6", m, {{1, 2}, {4, 5}, {0, 3}}), 10);
  EXPECT_DOUBLE_EQ(one_round("mesh:6", m, {{4, 5}, {0, 3}}), 5.75);
}

// A swap: each rank spends 1 on sending and 1 on receiving, then 0.25 + 4 on the wire, at once or one after the other.
TEST(WormholeNetwork, AWireOfHalfDuplexCarriesOneWayAtATime) {
  EXPECT_DOUBLE_EQ(one_round("mesh:2", by_hand(Ports::all, Duplex::full), {{0, 1}, {1, 0}}), 6.25);
  EXPECT_DOUBLE_EQ(one_round("mesh:2", by_hand(Ports::all, Duplex::half), {{0, 1}, {1, 0}}), 10.5);
  EXPECT_DOUBLE_EQ(one_round("crossbar:2", by_hand(Ports::one, Duplex::full), {{0, 1}, {1, 0}}), 6.25);
  EXPECT_DOUBLE_EQ(one_round("crossbar:2", by_hand(Ports::one, Duplex::half), {{0, 1}, {1, 0}}), 10.5);
}

// Three messages on a bus that serves two at once: 1 + 4.25, and 4.25 more for the third; with k* = 1 one by one.
TEST(WormholeNetwork, AMediumServesAsManyAsItCan) {
  Machine m = by_hand(Ports::all, Duplex::full);
  m.shared = 2;
  EXPECT_DOUBLE_EQ(one_round("bus:6", m, {{0, 1}, {2, 3}, {4, 5}}), 9.5);
  m.shared = 1;
  EXPECT_DOUBLE_EQ(one_round("bus:6", m, {{0, 1}, {2, 3}, {4, 5}}), 13.75);
}

// The same machine in other units of time: whole numbers, and decimals that no double is. All times scale, down to who
// goes first when two messages come at the same time by different sums. (No few start-ups last as long as blocks do.)
TEST(WormholeNetwork, EqualTimesAreEqualInAnyUnit) {
  const TopologyPtr mesh = parse_topology("mesh:10x10");
  Machine whole = load_machine("paragon-h95"), decimal = whole;
  whole.beta = 1, whole.alpha = 29205;
  decimal.beta = 25e-9, decimal.alpha = 29205 * 25e-9;
  for (const std::string algorithm : {"multibcast_lin:row_major=0:odd_last=0", "multibcast_xy_source:odd_last=0",
                                      "multibcast_twostep", "multibcast_repos", "multibcast_part_lin"})
    for (const std::string sources : {"E(8)", "E(30)", "B(30)", "R(5)", "Cr(15)"}) {
      const Spec spec = checked(
          {.collective = Collective::multibcast, .topology = mesh, .sources = parse_sources(sources, *mesh, 4096)});
      const Built built = build(spec, whole, parse_choice(algorithm));
      const auto makespan = [&](const Machine& m) {
        return simulate(spec, m, *built.schedule, {.network = Network::wormhole}).makespan;
      };
      const Seconds expected = makespan(whole) * 25e-9;
      EXPECT_NEAR(makespan(decimal), expected, 1e-6 * expected) << algorithm << " " << sources;
    }
}

}  // namespace
}  // namespace quadrille::wormhole_test
