// Fair shares against sums by hand, against filling by brute force, and as a network of the simulator.
#include <gtest/gtest.h>

#include <map>
#include <random>

#include "listed.hpp"
#include "quadrille/simulate.hpp"
#include "settings.hpp"
#include "simulator/networks/maxmin.hpp"

namespace quadrille::fluid_test {
namespace {

using testing::Listed;
using testing::request;
using testing::Rounds;

using Flows = std::map<std::uint32_t, std::vector<std::size_t>>;

double share(const simulator::MaxMin& sharing, std::uint32_t flow) {
  return static_cast<double>(sharing.rate(flow)) / static_cast<double>(simulator::MaxMin::whole);
}

/// All rates rise together; a resource that is used up stops the flows on it. As the definition has it, without haste.
std::map<std::uint32_t, double> fill(const Flows& flows, const std::vector<double>& capacity) {
  std::map<std::uint32_t, double> rates;
  while (rates.size() < flows.size()) {
    double lowest = 2;
    std::size_t full = 0;
    for (std::size_t r = 0; r < capacity.size(); ++r) {
      double room = capacity[r];
      int open = 0;
      for (const auto& [flow, resources] : flows) {
        if (std::find(resources.begin(), resources.end(), r) == resources.end()) continue;
        const auto known = rates.find(flow);
        known == rates.end() ? static_cast<void>(++open) : static_cast<void>(room -= known->second);
      }
      if (open > 0 && room / open < lowest) lowest = room / open, full = r;
    }
    for (const auto& [flow, resources] : flows)
      if (!rates.contains(flow) && std::find(resources.begin(), resources.end(), full) != resources.end())
        rates[flow] = lowest;
  }
  return rates;
}

// Resource 0 carries flows 0, 1, 2, 3: a quarter each. On resource 1 flow 3 leaves 3/4 to flows 4 and 5, 3/8 each; on
// resource 2 flow 5 leaves 5/8 to flow 6. Without flow 0 the shares on resource 0 are 1/3, so are those on resource 1,
// and flow 6 has 2/3. Flows 1 and 2 left flow 3 limited by resource 1: nothing else changes. Without flow 4, flows 3, 5
// and 6 have halves; without flow 3 flows 5 and 6 still share resource 2; alone, flow 5 has all.
TEST(MaxMin, AChainOfLimits) {
  simulator::MaxMin sharing;
  const Flows flows{{0, {0}}, {1, {0}}, {2, {0}}, {3, {0, 1}}, {4, {1}}, {5, {1, 2}}, {6, {2}}};
  for (const auto& [flow, resources] : flows) sharing.add(flow, resources);
  const auto expect = [&](const std::map<std::uint32_t, double>& rates) {
    sharing.solve();
    for (const auto& [flow, rate] : rates) EXPECT_NEAR(share(sharing, flow), rate, 1e-12) << "flow " << flow;
  };
  expect({{0, 0.25}, {1, 0.25}, {2, 0.25}, {3, 0.25}, {4, 0.375}, {5, 0.375}, {6, 0.625}});
  sharing.remove(0);
  expect({{1, 1. / 3}, {2, 1. / 3}, {3, 1. / 3}, {4, 1. / 3}, {5, 1. / 3}, {6, 2. / 3}});
  sharing.remove(1), sharing.remove(2);
  expect({{3, 1. / 3}, {4, 1. / 3}, {5, 1. / 3}, {6, 2. / 3}});
  sharing.remove(4);
  expect({{3, 0.5}, {5, 0.5}, {6, 0.5}});
  sharing.remove(3);
  expect({{5, 0.5}, {6, 0.5}});
  sharing.remove(6);
  expect({{5, 1}});
}

// The line 0 - 1 - 2 - ... with one flow over all n links and one over each: everybody has a half, however long it is.
TEST(MaxMin, OneLongFlowAmongShortOnes) {
  for (const std::size_t n : {2, 3, 50}) {
    simulator::MaxMin sharing;
    std::vector<std::size_t> all(n);
    for (std::size_t i = 0; i < n; ++i) {
      all[i] = i;
      sharing.add(static_cast<std::uint32_t>(i + 1), std::vector<std::size_t>{i});
    }
    sharing.add(0, all);
    EXPECT_EQ(sharing.solve().size(), n + 1);
    for (std::uint32_t f = 0; f <= n; ++f) EXPECT_EQ(sharing.rate(f), simulator::MaxMin::whole / 2) << f << " of " << n;
  }
}

// Capacity 1/4 on resource 0: flows 0 and 1 have 1/8 each, and flow 2, which shares resource 1 with flow 1, has 7/8.
TEST(MaxMin, ResourcesOfDifferentCapacity) {
  simulator::MaxMin sharing;
  sharing.limit(0, simulator::MaxMin::whole / 4);
  sharing.add(0, std::vector<std::size_t>{0});
  sharing.add(1, std::vector<std::size_t>{0, 1});
  sharing.add(2, std::vector<std::size_t>{1});
  sharing.solve();
  EXPECT_EQ(share(sharing, 0), 0.125);
  EXPECT_EQ(share(sharing, 1), 0.125);
  EXPECT_EQ(share(sharing, 2), 0.875);
}

// A change at one end of two networks that have nothing in common is not worked out at the other.
TEST(MaxMin, WhatCannotChangeIsNotSolvedAgain) {
  simulator::MaxMin sharing;
  for (std::uint32_t f = 0; f < 1000; ++f) sharing.add(f, std::vector<std::size_t>{f % 100});
  sharing.solve();
  const std::int64_t before = sharing.filled();
  sharing.remove(5);
  EXPECT_EQ(sharing.solve().size(), 9U);
  EXPECT_EQ(sharing.filled() - before, 9);
}

// 2000 flows in twenties on a hundred resources; then 300 on one more: a three hundredth each, nobody else has less.
TEST(MaxMin, ManyMayComeToAnUnusedResource) {
  simulator::MaxMin sharing;
  for (std::uint32_t f = 0; f < 2000; ++f) sharing.add(f, std::vector<std::size_t>{f % 100});
  sharing.solve();
  for (std::uint32_t f = 2000; f < 2300; ++f) sharing.add(f, std::vector<std::size_t>{100});
  EXPECT_EQ(sharing.solve().size(), 300U);
  for (std::uint32_t f = 2000; f < 2300; ++f) EXPECT_EQ(sharing.rate(f), simulator::MaxMin::whole / 300) << f;
  EXPECT_EQ(sharing.rate(7), simulator::MaxMin::whole / 20);
}

// Flows come and go at random, at times most of them at once, over resources of different capacities in half of the
// runs: after every change the rates are those of filling everything from nothing.
TEST(MaxMin, RatesAreThoseOfFillingByBruteForce) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  for (int run = 0; run < 80; ++run) {
    const std::size_t resources = 2 + below(30);
    std::vector<double> capacity(resources, 1.0);
    simulator::MaxMin sharing;
    for (std::size_t r = 0; r < resources && run % 2 == 1; ++r) {
      const auto part = static_cast<simulator::MaxMin::Rate>(1 + below(16));
      sharing.limit(r, simulator::MaxMin::whole / 16 * part);
      capacity[r] = static_cast<double>(part) / 16;
    }
    Flows flows;
    for (int step = 0; step < 60; ++step) {
      for (std::size_t changes = below(8) == 0 ? 40 : 1 + below(3); changes > 0; --changes) {
        const auto flow = static_cast<std::uint32_t>(below(50));
        if (flows.erase(flow) > 0) {
          sharing.remove(flow);
          continue;
        }
        std::vector<std::size_t>& way = flows[flow];
        for (std::size_t hops = 1 + below(4), at = below(resources); hops > 0 && at < resources; --hops)
          way.push_back(at), at += 1 + below(3);
        sharing.add(flow, way);
      }
      sharing.solve();
      for (const auto& [flow, rate] : fill(flows, capacity))
        ASSERT_NEAR(share(sharing, flow), rate, 1e-9) << "run " << run << " step " << step << " flow " << flow;
    }
  }
}

// Along the same changes: solve() after each of them, and one that is told only the end, agree to the last part of
// rounding; with a tolerance no resource is overfull, and rates are off by no more than a few times the tolerance.
TEST(MaxMin, ChangeByChangeIsAsFromNothing) {
  std::mt19937 random(11);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  simulator::MaxMin exact, rough(1e-3);
  Flows flows;
  for (std::uint32_t step = 0; step < 3000; ++step) {
    const auto flow = static_cast<std::uint32_t>(below(600));
    if (flows.erase(flow) > 0) {
      exact.remove(flow), rough.remove(flow);
    } else {
      std::vector<std::size_t>& way = flows[flow];
      for (std::size_t hops = 1 + below(12), at = below(64); hops > 0; --hops, ++at) way.push_back(at % 64);
      exact.add(flow, way), rough.add(flow, way);
    }
    exact.solve(), rough.solve();
  }
  simulator::MaxMin anew;
  for (const auto& [flow, way] : flows) anew.add(flow, way);
  anew.solve();
  std::vector<double> load(64, 0);
  for (const auto& [flow, way] : flows) {
    EXPECT_NEAR(share(exact, flow), share(anew, flow), 1e-12);
    EXPECT_NEAR(share(rough, flow), share(anew, flow), 1e-2);
    for (const std::size_t r : way) load[r] += share(rough, flow);
  }
  for (const double l : load) EXPECT_LE(l, 1 + 1e-12);
  EXPECT_LT(rough.filled(), exact.filled());
}

// A flow of weight w has what w flows of weight 1 on the same way have together, after every change.
TEST(MaxMin, AWeightCountsAsSoManyFlows) {
  constexpr std::uint32_t heaviest = 7;
  constexpr auto usual = simulator::MaxMin::whole / heaviest;
  std::mt19937 random(13);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  simulator::MaxMin sharing(0, usual);
  sharing.limit(3, usual / 2);
  std::vector<double> capacity(12, 1.0);
  capacity[3] = 0.5;
  std::map<std::uint32_t, std::uint32_t> weights;
  Flows alike;
  for (int step = 0; step < 400; ++step) {
    const auto flow = static_cast<std::uint32_t>(below(30));
    if (weights.erase(flow) > 0) {
      sharing.remove(flow);
      for (std::uint32_t i = 0; i < heaviest; ++i) alike.erase(flow * heaviest + i);
    } else {
      std::vector<std::size_t> way;
      for (std::size_t hops = 1 + below(4), at = below(9); hops > 0; --hops) way.push_back(at++);
      weights[flow] = static_cast<std::uint32_t>(1 + below(heaviest));
      sharing.add(flow, way, weights[flow]);
      for (std::uint32_t i = 0; i < weights[flow]; ++i) alike[flow * heaviest + i] = way;
    }
    sharing.solve();
    const std::map<std::uint32_t, double> rates = fill(alike, capacity);
    for (const auto& [known, weight] : weights)
      ASSERT_NEAR(static_cast<double>(sharing.rate(known)) / usual, rates.at(known * heaviest), 1e-9) << step;
  }
}

/// Start-up 1, 0.25 a link, 0.5 a byte.
Machine by_hand(Ports ports, Duplex duplex) {
  Machine m = testing::test_machine(ports, duplex, Switching::circuit);
  m.alpha = 1, m.per_hop = 0.25, m.beta = 0.5, m.rho = 0, m.circuit = CircuitCost::exact;
  return m;
}

/// One round with a message of 8 bytes (4 s) between each of these ranks.
Seconds one_round(const std::string& topology, const Machine& machine, const std::vector<std::pair<Rank, Rank>>& pairs,
                  double tolerance = 0) {
  const Spec spec = request(Collective::alltoall, topology, 8);
  std::vector<Listed::Message> round;
  for (const auto& [from, to] : pairs) round.push_back({from, to, {{Buffer::in, to}}, {{Buffer::out, from}}});
  const Shape shape{.ranks = spec.ranks(), .in = spec.ranks(), .out = spec.ranks(), .cut = {.bytes = 8}};
  return simulate(spec, machine, Listed(shape, Rounds{round}), {.network = Network::fluid, .tolerance = tolerance})
      .makespan;
}

// 0 -> 1 flows from 1.25 on, alone until 0 -> 2 comes at 1.5: 0.5 bytes are through. Then each has 1 byte a second; the
// first is done after 7.5 s at 9, and its share is free: 0 -> 2 has 0.5 bytes to go at 2 bytes a second.
TEST(Fluid, AMessageThatEndsLeavesItsShareToOthers) {
  EXPECT_DOUBLE_EQ(one_round("mesh:3", by_hand(Ports::all, Duplex::full), {{0, 1}, {0, 2}}), 9.25);
}

// So they do, but with latencies of 1.25 and 1.5 the first has 6 bytes in the time of 5 of the second: it is done 6.875
// s after 1.5, not 7.5. Rank 1 then sends to rank 0, over a link of its own.
TEST(Fluid, SharesInInverseProportionToLatency) {
  const Spec spec = request(Collective::alltoall, "mesh:3", 8);
  const auto message = [](Rank from, Rank to) {
    return Listed::Message{from, to, {{Buffer::in, to}}, {{Buffer::out, from}}};
  };
  const Shape shape{.ranks = 3, .rounds = 2, .in = 3, .out = 3, .cut = {.bytes = 8}};
  const Listed schedule(shape, Rounds{{message(0, 1), message(0, 2)}, {message(1, 0)}});
  const auto time = [&](Network network) {
    return simulate(spec, by_hand(Ports::all, Duplex::full), schedule, {.order = Order::dataflow, .network = network})
        .makespan;
  };
  EXPECT_DOUBLE_EQ(time(Network::fluid), 9 + 1.25 + 4);
  EXPECT_NEAR(time(Network::fluid_latency), 1.5 + 6.875 + 1.25 + 4, 1e-3);
}

// Three messages over a line of two links: 0 -> 2 shares link 0 with 0 -> 1 and link 1 with 1 -> 2. The short ones flow
// from 1.25, alone until 1.5 (0.5 bytes), have a half each until 9, and leave 0.5 bytes of 0 -> 2, as above.
TEST(Fluid, ThreeMessagesOnALine) {
  EXPECT_DOUBLE_EQ(one_round("mesh:3", by_hand(Ports::all, Duplex::full), {{0, 2}, {0, 1}, {1, 2}}), 9.25);
}

// Both ways of a wire: side by side on full duplex (1.25 + 4), half each on half duplex (1.25 + 8).
TEST(Fluid, HalfDuplexSharesAWire) {
  EXPECT_DOUBLE_EQ(one_round("mesh:2", by_hand(Ports::all, Duplex::full), {{0, 1}, {1, 0}}), 5.25);
  EXPECT_DOUBLE_EQ(one_round("mesh:2", by_hand(Ports::all, Duplex::half), {{0, 1}, {1, 0}}), 9.25);
}

// Three messages into rank 0 of a crossbar have a third of its port each: 1.25 + 12; with a port for each, 1.25 + 4.
// 0 -> 1 -> 2: on full duplex rank 1 sends and receives at once, on half duplex it has one port for both.
TEST(Fluid, PortsAreShared) {
  EXPECT_NEAR(one_round("crossbar:4", by_hand(Ports::one, Duplex::full), {{1, 0}, {2, 0}, {3, 0}}), 13.25, 1e-11);
  EXPECT_DOUBLE_EQ(one_round("crossbar:4", by_hand(Ports::all, Duplex::full), {{1, 0}, {2, 0}, {3, 0}}), 5.25);
  EXPECT_DOUBLE_EQ(one_round("crossbar:4", by_hand(Ports::one, Duplex::full), {{0, 1}, {1, 2}}), 5.25);
  EXPECT_DOUBLE_EQ(one_round("crossbar:4", by_hand(Ports::one, Duplex::half), {{0, 1}, {1, 2}}), 9.25);
}

// A bus that serves two at once: one message is not faster for it, three have 2/3 each: 1.25 + 4 * 3/2.
TEST(Fluid, AMediumServesAsManyAsItCan) {
  for (const Ports ports : {Ports::one, Ports::all}) {
    Machine m = by_hand(ports, Duplex::full);
    m.shared = 2;
    EXPECT_NEAR(one_round("bus:6", m, {{0, 1}}), 5.25, 1e-11);
    EXPECT_NEAR(one_round("bus:6", m, {{0, 1}, {2, 3}, {4, 5}}), 7.25, 1e-11);
  }
}

// Tolerance is a part of a message's duration: 4 s here, twice that when two share.
TEST(Fluid, ToleranceBoundsTheError) {
  const Machine m = by_hand(Ports::all, Duplex::full);
  EXPECT_NEAR(one_round("mesh:3", m, {{0, 1}, {0, 2}}, 0.01), 9.25, 0.1);
  EXPECT_THROW(one_round("mesh:3", m, {{0, 1}}, -1), Error);
  EXPECT_THROW(one_round("mesh:3", m, {{0, 1}}, 0.5), Error);
}

}  // namespace
}  // namespace quadrille::fluid_test
