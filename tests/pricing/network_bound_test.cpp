// Bounds where messages cross switches: worked out by hand, and never above what any schedule is priced or simulated
// at.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>

#include "cost/network_graph.hpp"
#include "flow/exchange_optimum.hpp"
#include "quadrille/plan.hpp"
#include "quadrille/price.hpp"
#include "quadrille/simulate.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::network_bound_test {
namespace {

using testing::request;
using testing::test_machine;

/// Links within nodes take a quarter of the time of those between them.
Machine machine_with_kinds(Ports ports) {
  Machine m = test_machine(ports, Duplex::full, Switching::wormhole);
  m.links = {{.kind = "memory", .alpha = 200, .beta = m.beta / 4, .latency = 3},
             {.kind = "network", .alpha = 1500, .beta = m.beta, .latency = 40},
             {.kind = "nvlink", .alpha = 300, .beta = m.beta / 24, .latency = 2},
             {.kind = "global", .alpha = 2000, .beta = m.beta * 2.5, .latency = 400}};
  return m;
}

Bound::Part part(const Bound& bound, const std::string& name) {
  for (const Bound::Part& part : bound.parts)
    if (part.name == name) return part;
  ADD_FAILURE() << "no part " << name;
  return {};
}

Bytes cut_of(Collective c, const std::string& topology, Bytes bytes, Rank root = 0, Ports ports = Ports::all) {
  return part(lower_bound(request(c, topology, bytes, root), machine_with_kinds(ports)), "cut").bytes;
}

TEST(NetworkBound, NodesExchangeNoFasterThanTheirNetworkCards) {
  using enum Collective;
  constexpr Bytes m = 1000;
  const std::string nodes = "star:64*32";  // a card a node, and 32 ranks behind it
  EXPECT_EQ(cut_of(alltoall, nodes, m), 32 * (2048 - 32) * m);
  EXPECT_EQ(cut_of(allgather, nodes, m), (2048 - 32) * m);
  EXPECT_EQ(cut_of(reduce_scatter, nodes, m), (2048 - 32) * m);
  EXPECT_EQ(cut_of(scatter, nodes, m, 40), (2048 - 32) * m);
  EXPECT_EQ(cut_of(gather, nodes, m, 40), (2048 - 32) * m);
  EXPECT_EQ(cut_of(bcast, nodes, m, 40), m);
  const Bound all = lower_bound(request(allreduce, nodes, 64 * m), machine_with_kinds(Ports::all));
  EXPECT_EQ(part(all, "work").bytes, 2 * 63 * m);  // 2 (n - 1) / n of the vector between n nodes
}

TEST(NetworkBound, TwoBoxesShareOneLinkEachWay) {
  using enum Collective;
  constexpr Bytes m = 4096;
  for (const Ports ports : {Ports::one, Ports::all}) {
    EXPECT_EQ(cut_of(alltoall, "star:2*8", m, 0, ports), 64 * m);
    EXPECT_EQ(cut_of(allgather, "star:2*8", m, 0, ports), 8 * m);
    EXPECT_EQ(cut_of(allreduce, "star:2*8", m, 0, ports), m);
    for (const Collective c : {bcast, reduce, scan, exscan, sendrecv}) EXPECT_EQ(cut_of(c, "star:2*8", m, 0, ports), m);
    EXPECT_EQ(cut_of(scatter, "star:2*8", m, 3, ports), 8 * m);
  }
  Machine real = machine_with_kinds(Ports::all);
  real.beta = 1 / 12.5e9, real.links = {{.kind = "memory", .beta = 1 / 50e9}};
  const std::string why = part(lower_bound(request(allgather, "star:2*8", 1 << 20), real), "cut").why;
  EXPECT_TRUE(why == "8 ranks (0-7) must hand out 8 MiB over 1 link of 12.5 GB/s" ||
              why == "8 ranks (8-15) must hand out 8 MiB over 1 link of 12.5 GB/s")
      << why;
  EXPECT_EQ(part(lower_bound(request(allgather, "torus:4x4!0-1", 100), load_machine("ipsc860")), "cut").why,
            "rank 0 must take in 1500 B over 1 port");
}

TEST(NetworkBound, IsTheCutOfDirectNetworksAndTheirPorts) {
  using enum Collective;
  const auto plain = [](Collective c, const std::string& topology, Ports ports) {
    return part(lower_bound(request(c, topology, 60), test_machine(ports, Duplex::full, Switching::wormhole)), "cut")
        .bytes;
  };
  EXPECT_EQ(plain(allgather, "torus:4x4!0-1", Ports::all), 15 * 60 / 3);  // rank 0 has three links left
  EXPECT_EQ(plain(allgather, "torus:4x4!0-1", Ports::one), 15 * 60);      // one port takes in all
  EXPECT_EQ(plain(bcast, "torus:4x4!0-1", Ports::all), 60 / 3);
  EXPECT_EQ(plain(bcast, "torus:4x4!0-1", Ports::one), 60);
  EXPECT_EQ(plain(alltoall, "path:5", Ports::all), 2 * 3 * 60);  // over its middle
  EXPECT_EQ(plain(alltoall, "fattree:4", Ports::all), 15 * 60);
}

TEST(NetworkBound, ASourceWithOneLinkLacksLessThanOthers) {
  const Machine machine = test_machine(Ports::all, Duplex::full, Switching::wormhole);
  for (const char* line : {"path:5", "mesh:5"}) {  // both ends send 100 B, and every link carries as much
    const Spec spec = checked({.collective = Collective::multibcast,
                               .topology = parse_topology(line),
                               .sources = make_sources({{0, 100}, {4, 100}})});
    EXPECT_EQ(lower_bound(spec, machine).parts[1].bytes, 100) << line;
    EXPECT_EQ(part(lower_bound(spec, machine), "port").bytes, 100) << line;
  }
}

TEST(NetworkBound, StartUpsBetweenNodesAreThoseOfTheNetwork) {
  const Machine m = machine_with_kinds(Ports::all);
  // 5 rounds reach 32 ranks; in each a node of 8 reaches 8 others, so that 1 of them is between the 4 nodes.
  const Bound bound = lower_bound(request(Collective::bcast, "star:4*8", 1), m);
  EXPECT_EQ(bound.parts[0].rounds, 5);
  EXPECT_GE(bound.parts[0].time, 5 * 200 + 1009 - 200);
  EXPECT_LE(bound.parts[0].time, 5 * 200 + 1500 - 200 + 5 * 4 * m.per_hop);
}

using Ends = std::vector<std::vector<Rank>>;

/// From, to and times of counted links.
Ends ends(const CountedLinks& counted) {
  Ends all;
  for (const CountedLinks::Counted& link : counted.links) all.push_back({link.from, link.to, link.times});
  return all;
}

TEST(NetworkBound, NamesTheLinksThatItCountsOn) {
  const Machine all = machine_with_kinds(Ports::all), one = machine_with_kinds(Ports::one);
  const auto of = [&](Collective c, const char* topology, const char* part, const Machine& m) {
    return counted_links(request(c, topology, 1000), m, part);
  };
  using enum Collective;
  // Two nodes of three ranks: memories are vertices 6 and 7, the switch is 8. What a node hands out leaves by its card.
  EXPECT_EQ(ends(of(alltoall, "star:2*3", "cut", all)), (Ends{{6, 8, 1}}));
  // A rank's own link, into its memory and out of it.
  EXPECT_EQ(ends(of(alltoall, "star:2*3", "port", all)), (Ends{{0, 6, 1}, {6, 0, 1}}));
  // Vectors of an all-reduce pass between ranks: all twelve links of theirs, none of the switch's.
  EXPECT_EQ(of(allreduce, "star:6", "work", all).links.size(), 12);
  // The three links that a torus has left at rank 0.
  EXPECT_EQ(ends(of(allgather, "torus:4x4!0-1", "cut", all)), (Ends{{3, 0, 1}, {4, 0, 1}, {12, 0, 1}}));
  // Halves of a torus whose rows are longer, and of a cube: as many links as the bisection has.
  EXPECT_EQ(of(alltoall, "torus:3x4", "cut", all).links.size(), 6);
  EXPECT_EQ(ends(of(alltoall, "hypercube:2", "cut", all)), (Ends{{0, 2, 1}, {1, 3, 1}}));
  // A mesh binds at a corner, by its port where it has one.
  EXPECT_EQ(of(allgather, "mesh:3x3", "port", one).ports, std::vector<Rank>{0});
  EXPECT_EQ(of(allgather, "mesh:3x3", "port", all).links.size(), 4);
  for (const char* nothing : {"latency", "combining", "rounds against volume"})
    EXPECT_TRUE(of(alltoall, "star:6", nothing, all).links.empty()) << nothing;
  EXPECT_TRUE(of(alltoall, "bus:6", "cut", all).links.empty());
}

/// Every pair's shortest way by these lengths, summed, over what links weigh, is the bound of an exchange.
TEST(NetworkBound, LengthsOfAnExchangeGiveItsBound) {
  const Machine m = test_machine(Ports::all, Duplex::full, Switching::wormhole);
  for (const char* topology : {"fattree:4/2", "dragonfly:2,2,1/1,1,2", "kautz:2,2", "star:5"}) {
    const Spec spec = request(Collective::alltoall, topology, 7200);
    const CountedLinks counted = counted_links(spec, m, "work");
    const Topology& t = *spec.topology;
    const auto n = static_cast<std::size_t>(t.vertices());
    constexpr double far = 1e18;
    std::vector<std::vector<double>> way(n, std::vector<double>(n, far));
    for (std::size_t v = 0; v < n; ++v) way[v][v] = 0;
    double weight = 0;
    for (Link link = 0; link < t.links(); ++link) {
      double length = 0;
      for (const CountedLinks::Counted& c : counted.links)
        if (c.from == t.tail(link) && c.to == t.head(link)) length = static_cast<double>(c.times);
      weight += length * static_cast<double>(t.facts(link).width);
      double& known = way[static_cast<std::size_t>(t.tail(link))][static_cast<std::size_t>(t.head(link))];
      known = std::min(known, length);
    }
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b < n; ++b) way[a][b] = std::min(way[a][b], way[a][k] + way[k][b]);
    double sum = 0;
    for (Rank a = 0; a < t.ranks(); ++a)
      for (Rank b = 0; b < t.ranks(); ++b) sum += way[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
    const auto bytes = static_cast<double>(part(lower_bound(spec, m), "work").bytes);
    EXPECT_NEAR(sum * 7200 / weight, bytes, 1 + 1e-6 * bytes) << topology;
  }
}

/// Of s^2 ranks, by hand: 2 (s - 1) / (s + 1) blocks; and what a linear program finds where ranks are on both sides.
TEST(NetworkBound, OfATranspositionWeighsLinksBetweenStages) {
  const Machine machine = test_machine(Ports::one, Duplex::full, Switching::circuit);
  const auto work = [&](const std::string& network, Bytes bytes) {
    return part(lower_bound(request(Collective::transpose, network, bytes), machine), "work").bytes;
  };
  EXPECT_EQ(work("omega:4", 500), 600);
  EXPECT_EQ(work("omega:6", 900), 1400);
  EXPECT_EQ(work("fly:2^6", 900), 1400);
  EXPECT_EQ(work("fly:3^4", 1000), 1600);
  EXPECT_EQ(work("omega:20", 1025), 2046);  // 1 024 on a side: nothing is looked for
  EXPECT_EQ(work("bifly:2^3", 1000), 1500);
  EXPECT_EQ(work("bifly:2^5", 1000), 1800);
}

/// The same lengths by a linear program, on the links that routes take.
TEST(NetworkBound, GraphsOfStagesHaveTheLinksOfRoutes) {
  const Machine machine = test_machine(Ports::one, Duplex::full, Switching::circuit);
  for (const auto& [network, arcs] : {std::pair("omega:3", 4 * 8), {"fly:2^4", 5 * 16}, {"bifly:2^3", 2 * 4 * 8}}) {
    const TopologyPtr topology = parse_topology(network);
    const auto graph = cost::graph_of_stages(*topology, machine);
    ASSERT_TRUE(graph) << network;
    EXPECT_EQ(std::ssize(graph->network.arcs()), arcs) << network;
    EXPECT_EQ(graph->network.ranks(), topology->ranks());
    for (Rank r = 0; r < topology->ranks(); ++r)
      EXPECT_EQ(std::ssize(graph->network.leaving(graph->network.host(r))), 1) << network;
  }
  EXPECT_FALSE(cost::graph_of_stages(*parse_topology("omega:7"), machine));
  const Spec spec = request(Collective::transpose, "omega:4", 500);
  flow::Wants wants{flow::Words(16 * 16, 0)};
  for (Rank r = 0; r < 16; ++r)
    if (transposed(spec, r) != r) wants.words[static_cast<std::size_t>(r * 16 + transposed(spec, r))] = 1;
  const auto graph = cost::graph_of_stages(*spec.topology, machine);
  EXPECT_EQ(flow::exchange_within(graph->network, {}, wants).lower.text(), "6/5");
}

TEST(NetworkBound, LargeNetworksTakeLittleTime) {
  for (const Collective c : {Collective::allgather, Collective::alltoall, Collective::allreduce, Collective::bcast}) {
    const Spec spec = request(c, "fattree:16*32", 1024);  // 32 768 ranks
    const std::clock_t start = std::clock();              // of this process: others may be busy
    const Bound bound = lower_bound(spec, machine_with_kinds(Ports::all));
    const double took = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    EXPECT_GT(bound.time, 0);
    EXPECT_LT(took, testing::sanitized ? 30 : 1) << to_string(c);
  }
  EXPECT_EQ(cut_of(Collective::alltoall, "fattree:16*32", 10), 32 * (32768 - 32) * 10);
  EXPECT_EQ(cut_of(Collective::allgather, "fattree:16*32", 10), (32768 - 32) * 10);
}

/// Small networks of all sorts.
const std::vector<std::string> networks{"star:5",         "torus:3x3!0-1", "star:2*3",        "path:2*4",
                                        "torus:2x2*2",    "dgx-a100:1",    "dragonfly:2,1,1", "mesh:3x3@0,2,7,8",
                                        "kautz:2,2",      "kautz:2,1",     "tree:2,3",        "fattree:4@0,1,5,9",
                                        "hamming:2x3/2,1"};

std::vector<Machine> machines() {
  std::vector<Machine> all;
  for (const Ports ports : {Ports::one, Ports::all}) {
    all.push_back(test_machine(ports, Duplex::full, Switching::wormhole));
    all.push_back(test_machine(ports, Duplex::half, Switching::circuit, CircuitCost::average));
    all.push_back(machine_with_kinds(ports));
    all.push_back(machine_with_kinds(ports));
    all.back().overhead_send = 211, all.back().overhead_receive = 307;
  }
  return all;
}

class NeverAbove : public ::testing::TestWithParam<Collective> {};

void expect_never_above(const Spec& spec, const Machine& machine, const Algorithm& a, const Params& params, bool play) {
  SCOPED_TRACE(testing::command(spec, machine, a, params) + (machine.links.empty() ? "" : " with kinds of links"));
  const Built built = build(spec, machine, {&a, params});
  const Bound bound = lower_bound(spec, machine);
  const Seconds price = seconds(count(spec, machine, *built.schedule).cost, machine, *spec.topology);
  EXPECT_GE(price * (1 + 1e-12), bound.time) << bound.binding << ": " << bound.parts[1].why;
  if (!play || machine.duplex == Duplex::half) return;
  for (const Network network :
       {Network::free, Network::store_and_forward, Network::cut_through, Network::wormhole, Network::fluid})
    for (const Order order : {Order::dataflow, Order::lockstep, Order::eager}) {
      const Bound least = limit(spec, machine, network);
      const Timeline played = simulate(spec, machine, *built.schedule, {.order = order, .network = network});
      EXPECT_GE(played.makespan, least.time * (1 - 1e-9))
          << to_string(network) << " " << to_string(order) << ", bound by " << least.binding;
    }
}

TEST_P(NeverAbove, WhatAnyAlgorithmTakes) {
  int cases = 0;
  for (const std::string& network : networks) {
    if (!testing::can_request(GetParam(), network)) continue;
    int kind = 0;
    for (const Machine& machine : machines()) {
      ++kind;
      for (const Bytes bytes : {Bytes{1}, Bytes{1000}})
        for (const Algorithm& a : algorithms()) {
          if (a.collective != GetParam()) continue;
          const Rank ranks = parse_topology(network)->ranks();
          const Spec spec = request(a.collective, network, bytes, has_root(a.collective) ? ranks / 2 : 0);
          if (!a.illegal(spec, machine, {}).empty()) continue;
          if (!testing::sampled(fmt::format("{} {} {} {}", a.name, network, kind, bytes), 40)) continue;
          const std::vector<Params> variants = a.variants(spec, machine);
          for (std::size_t i = 0; i < std::min<std::size_t>(variants.size(), 3); ++i)
            expect_never_above(spec, machine, a, variants[i], i == 0 && (kind + cases) % 3 == 0), ++cases;
          if (HasFailure()) return;
        }
    }
  }
  EXPECT_GT(cases, testing::sanitized ? 0 : 20);
}

INSTANTIATE_TEST_SUITE_P(NetworkBound, NeverAbove, ::testing::ValuesIn(collectives()),
                         [](const auto& of) { return std::string(to_string(of.param)); });

}  // namespace
}  // namespace quadrille::network_bound_test
