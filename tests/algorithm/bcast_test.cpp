// Broadcast: every algorithm proven and counted over topologies, roots, sizes and packets; the best packets against
// exhaustive search; values worked out independently.
#include <set>

#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/tree.hpp"
#include "algorithm/pattern/walk.hpp"
#include "proven.hpp"

namespace quadrille::bcast_test {
namespace {

using namespace testing;

TEST(Bcast, IsProvenAndExactOverTopologiesRootsSizesAndPackets) {
  std::map<std::string, std::set<std::string>> legal;
  for (const std::string& topology : testing::small_networks()) {
    const TopologyPtr network = parse_topology(topology);
    for (const Rank root : some_roots(network->ranks()))
      for (const Bytes bytes : std::set<Bytes>{0, 1, network->ranks() - 1, 97}) {
        const Spec spec = request(Collective::bcast, topology, bytes, root);
        for (const Machine& machine : neighbour_machines()) {
          const auto check = [&](const std::string& name, const Params& params) {
            if (proven_where_legal(spec, machine, name, params)) legal[name].insert(std::string(network->family()));
          };
          check("bcast_binomial", {});
          for (const std::int64_t n : {1, 2, 3, 16, 19})
            for (const std::string name : {"bcast_bintree", "bcast_pipelined", "bcast_chain", "bcast_esbt"})
              check(name, {{"packets", {n}}});
          if (::testing::Test::HasFailure()) return;
        }
      }
  }
  const std::set<std::string> every{"crossbar", "hypercube", "ring"};
  EXPECT_EQ(legal["bcast_bintree"], (std::set<std::string>{"crossbar"}));
  EXPECT_EQ(legal["bcast_binomial"], (std::set<std::string>{"crossbar", "hypercube"}));
  EXPECT_EQ(legal["bcast_pipelined"], every);
  EXPECT_EQ(legal["bcast_chain"], every);
  EXPECT_EQ(legal["bcast_esbt"], (std::set<std::string>{"hypercube"}));
}

TEST(Bcast, SaysWhyNotAndWhatInstead) {
  const auto reason = [](const std::string& name, const std::string& topology, const Machine& m, const Params& p = {}) {
    return find_algorithm(name).illegal(request(Collective::bcast, topology, 10), m, p);
  };
  Machine one = test_machine(Ports::one, Duplex::full, Switching::store_and_forward);
  EXPECT_NE(reason("bcast_binomial", "ring:9", one).find("nearest: crossbar:9"), std::string::npos);
  EXPECT_NE(reason("bcast_pipelined", "ring:9", one).find("try bcast_chain"), std::string::npos);
  EXPECT_NE(reason("bcast_bintree", "hypercube:3", one).find("nearest: crossbar:8"), std::string::npos);
  EXPECT_NE(reason("bcast_bintree", "crossbar:2", one).find("at least 3 ranks"), std::string::npos);
  EXPECT_NE(reason("bcast_esbt", "ring:9", one).find("needs a hypercube"), std::string::npos);
  EXPECT_NE(reason("bcast_esbt", "hypercube:1", one).find("2 dimensions"), std::string::npos);
  EXPECT_NE(reason("bcast_esbt", "hypercube:2", one).find("one port"), std::string::npos);
  EXPECT_NE(reason("bcast_chain", "ring:9", one, {{"packets", {11}}}).find("packets=11"), std::string::npos);
  one.multicast = true;
  EXPECT_EQ(reason("bcast_pipelined", "ring:9", one), "");
  EXPECT_NE(reason("bcast_pipelined", "ring:9", one, {{"packets", {11}}}).find("packets=11"), std::string::npos);
}

TEST(Bcast, BestPacketsEqualExhaustiveSearch) {
  for (const std::string topology : {"hypercube:1", "hypercube:2", "hypercube:5", "ring:9", "crossbar:7"})
    for (const Duplex duplex : {Duplex::half, Duplex::full, Duplex::node_half})
      for (const double tau : {0., 1., 3., 20., 500.})
        for (const Bytes bytes : {0, 1, 2, 6, 12, 97, 400}) {
          const Spec spec = request(Collective::bcast, topology, bytes);
          const Machine m = testing::reference_machine(Ports::all, duplex, tau, 1);
          for (const std::string name : {"bcast_bintree", "bcast_pipelined", "bcast_chain", "bcast_esbt"}) {
            const Algorithm& a = find_algorithm(name);
            if (!a.illegal(spec, m, {}).empty()) continue;
            const Params best = a.variants(spec, m).front();
            Params least;
            for (std::int64_t nu = 1; a.illegal(spec, m, {{"packets", {nu}}}).empty(); ++nu) {
              const Params now{{"packets", {nu}}};
              const auto time = [&](const Params& p) { return seconds(a.cost(spec, m, p), m, *spec.topology); };
              if (least.values().empty() || time(now) < time(least)) least = now;
            }
            EXPECT_EQ(best, least) << name << " on " << topology << " " << bytes << " bytes, tau " << tau;
          }
        }
}

TEST(Trees, SpanTheNetworkAlongItsWires) {
  for (const std::string& topology : testing::small_networks()) {
    const Rank p = parse_topology(topology)->ranks();
    for (const Rank root : some_roots(p)) {
      const Spec spec = request(Collective::bcast, topology, 1, root);
      for (const algorithm::pattern::Tree& tree :
           {algorithm::pattern::broadcast_tree(spec), algorithm::pattern::chain_tree(spec)}) {
        std::int64_t depth = 0, fanout = 0, edges = 0;
        for (Rank r = 0; r < p; ++r) {
          depth = std::max(depth, tree.level(r));
          fanout = std::max(fanout, tree.children(r));
          if (r == root) {
            EXPECT_EQ(tree.level(r), 0);
          } else {
            EXPECT_EQ(tree.level(tree.parent(r)), tree.level(r) - 1);
            EXPECT_EQ(spec.topology->distance(tree.parent(r), r), 1);
          }
          for (std::int64_t i = 0; i < tree.children(r); ++i, ++edges) EXPECT_EQ(tree.parent(tree.child(r, i)), r);
        }
        EXPECT_EQ(edges, p - 1);
        EXPECT_EQ(depth, tree.depth);
        EXPECT_EQ(fanout, tree.fanout);
      }
      EXPECT_EQ(algorithm::pattern::broadcast_tree(spec).depth, spec.topology->diameter());
    }
  }
}

TEST(Trees, TheHeapIsAsDeepAsItsLatestRank) {
  for (Rank p = 2; p <= 130; ++p) {
    const Spec spec = request(Collective::bcast, "crossbar:" + std::to_string(p), 1, p / 2);
    const algorithm::pattern::Tree tree = algorithm::pattern::heap_tree(spec);
    std::int64_t depth = 0, edges = 0;
    for (Rank r = 0; r < p; ++r) {
      depth = std::max(depth, tree.level(r));
      for (std::int64_t i = 0; i < tree.children(r); ++i, ++edges) {
        EXPECT_EQ(tree.parent(tree.child(r, i)), r);
        EXPECT_EQ(tree.level(tree.child(r, i)), tree.level(r) + 1 + i);
      }
    }
    EXPECT_EQ(edges, p - 1);
    EXPECT_EQ(depth, tree.depth) << p;
  }
}

TEST(Order, WalksRoundTheNetwork) {
  for (const std::string& topology : testing::small_networks()) {
    const Rank p = parse_topology(topology)->ranks();
    for (const Rank start : some_roots(p)) {
      const Spec spec = request(Collective::allgather, topology, 1);
      ASSERT_EQ(algorithm::pattern::needs_ring(spec), "");
      const schedule::Renaming order = algorithm::pattern::ring_order(spec, start);
      EXPECT_EQ(order.to(0), start);
      for (Rank i = 0; i < p; ++i) {
        EXPECT_EQ(order.from(order.to(i)), i);
        EXPECT_EQ(spec.topology->distance(order.to(i), order.to((i + 1) % p)), 1) << topology;
      }
    }
  }
}

TEST(Bcast, KnownValues) {
  const Duplex half = Duplex::half, full = Duplex::full;
  expect_known({"bcast_chain:packets=6", "ring:8", 120, 0, -1, half, 10, 1, 360, 12, 42, 120, 240});
  expect_known({"bcast_chain:packets=7", "ring:7", 91, 0, -1, half, 3, 0.5, 114, 12, 42, 91, 156});
  expect_known({"bcast_pipelined:packets=7", "ring:7", 91, 0, -1, half, 3, 0.5, 85.5, 9, 42, 91, 117});
  expect_known({"bcast_pipelined:packets=16", "ring:16", 512, 0, -1, half, 40, 1, 1656, 23, 240, 512, 736});
  expect_known({"bcast_binomial", "hypercube:3", 50, 0, -1, half, 10, 1, 180, 3, 7, 50, 150});
  expect_known({"bcast_pipelined:packets=6", "hypercube:3", 60, 0, -1, half, 10, 1, 160, 8, 42, 60, 80});
  expect_known({"bcast_pipelined:packets=8", "hypercube:4", 64, 0, -1, half, 7, 1, 165, 11, 120, 64, 88});
  expect_known({"bcast_binomial", "crossbar:8", 100, 0, -1, full, 10, 1, 330, 3, 7, 100, 300});
  expect_known({"bcast_binomial", "crossbar:11", 40, 0, -1, full, 5, 0.5, 100, 4, 10, 40, 160});
  expect_known({"bcast_chain:packets=6", "crossbar:13", 36, 0, -1, full, 5, 0.5, 136, 17, 72, 36, 102});
  expect_known({"bcast_bintree:packets=5", "crossbar:4", 60, 0, -1, full, 10, 1, 220, 10, 15, 60, 120});
  expect_known({"bcast_bintree:packets=12", "crossbar:16", 240, 0, -1, full, 10, 1, 840, 28, 180, 240, 560});
  expect_known({"bcast_bintree:packets=6", "crossbar:11", 36, 0, -1, full, 5, 0.5, 120, 15, 60, 36, 90});
  expect_known({"bcast_esbt:packets=4", "hypercube:3", 72, 0, -1, full, 10, 1, 112, 7, 84, 24, 42});
  expect_known({"bcast_esbt:packets=4", "hypercube:4", 96, 0, -1, full, 5, 2, 136, 8, 240, 24, 48});
}

TEST(Bcast, KnownBestPackets) {
  struct Row {
    std::string topology;
    Bytes bytes;
    double tau, g;
    std::int64_t packets;
    double time;
  };
  for (const Row& row : {Row{"hypercube:5", 4096, 100, 1, 13, 7060}, Row{"hypercube:8", 300, 20, 0.25, 5, 420}}) {
    const Spec spec = request(Collective::bcast, row.topology, row.bytes);
    const Machine m = testing::reference_machine(Ports::all, Duplex::half, row.tau, row.g);
    const Algorithm& a = find_algorithm("bcast_pipelined");
    const Params best = a.variants(spec, m).front();
    EXPECT_EQ(best.get("packets", 0), row.packets) << row.topology;
    EXPECT_DOUBLE_EQ(seconds(a.cost(spec, m, best), m, *spec.topology), row.time) << row.topology;
  }
}

}  // namespace
}  // namespace quadrille::bcast_test
