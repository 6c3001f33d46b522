// Broadcasts on meshes and tori: every algorithm proven and counted over sides, roots, sizes and packets; the best
// packets against exhaustive search; two spanning trees that share no wire; values worked out independently.
#include <fmt/format.h>

#include <map>
#include <set>

#include "algorithm/bcast/shared/two_edst.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/grid_tree.hpp"
#include "proven.hpp"

namespace quadrille::bcast_grid_test {
namespace {

using namespace testing;

const std::vector<std::string> networks{"torus:2x2", "torus:2x5", "torus:3x3",   "torus:3x4",  "torus:5x5",
                                        "torus:4x6", "torus:7x3", "torus:3x2x4", "torus:9",    "torus:2",
                                        "mesh:1x4",  "mesh:3x4",  "mesh:5x2",    "mesh:2x3x3", "torus:1x5x1",
                                        "ring:3",    "ring:8"};

TEST(BcastGrid, IsProvenAndExactOverSidesRootsSizesAndPackets) {
  std::map<std::string, int> legal;
  for (const std::string& topology : networks) {
    const Rank p = parse_topology(topology)->ranks();
    for (const Rank root : std::set<Rank>{0, p / 3, p - 1})
      for (const Bytes bytes : {0, 1, 2, 5, 97})
        for (const Machine& machine : neighbour_machines()) {
          const Spec spec = request(Collective::bcast, topology, bytes, root);
          for (const std::int64_t n : {1, 2, 3, 16}) {
            for (const std::string name :
                 {"bcast_pipelined", "bcast_catchup", "bcast_late", "bcast_two_trees", "bcast_two_edst", "bcast_adst"})
              legal[name] += proven_where_legal(spec, machine, name, {{"packets", {n}}});
            for (const std::vector<std::int64_t>& packets :
                 {std::vector<std::int64_t>{n}, {n, 1}, {2, n}, {n, n}, {n, 5, 2}, {1, n, n}})
              legal["bcast_axes"] += proven_where_legal(spec, machine, "bcast_axes", {{"packets", packets}});
          }
          if (::testing::Test::HasFailure()) return;
        }
  }
  for (const auto& [name, count] : legal) EXPECT_GT(count, 0) << name;
}

TEST(BcastGrid, SaysWhyNotAndWhatInstead) {
  const auto reason = [](const std::string& name, const std::string& topology, const Machine& m, const Params& p = {}) {
    return find_algorithm(name).illegal(request(Collective::bcast, topology, 10), m, p);
  };
  const Machine half = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);
  const Machine full = test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  const Machine node = test_machine(Ports::all, Duplex::node_half, Switching::store_and_forward);
  const Machine one = test_machine(Ports::one, Duplex::full, Switching::store_and_forward);
  EXPECT_NE(reason("bcast_late", "torus:2x8", half).find("sides of at least 3"), std::string::npos);
  EXPECT_NE(reason("bcast_catchup", "mesh:4x4", half).find("torus of two dimensions"), std::string::npos);
  EXPECT_NE(reason("bcast_late", "torus:4x4", node).find("--set duplex=half"), std::string::npos);
  EXPECT_NE(reason("bcast_late", "torus:4x4", one).find("one port"), std::string::npos);
  EXPECT_NE(reason("bcast_late", "torus:4x4", half, {{"packets", {6}}}).find("1 .. 5"), std::string::npos);
  EXPECT_NE(reason("bcast_two_trees", "torus:4x4", half).find("--set duplex=full"), std::string::npos);
  EXPECT_NE(reason("bcast_two_trees", "ring:8", half).find("--set duplex=full"), std::string::npos);
  EXPECT_NE(reason("bcast_two_trees", "ring:2", full).find("at least 3 ranks"), std::string::npos);
  EXPECT_NE(reason("bcast_two_edst", "torus:4x6", half).find("torus:4x4"), std::string::npos);
  EXPECT_NE(reason("bcast_two_edst", "torus:4096x4096", half).find("at most 2048"), std::string::npos);
  EXPECT_NE(reason("bcast_adst", "torus:4x5", half).find("all sides are even"), std::string::npos);
  EXPECT_NE(reason("bcast_adst", "ring:8", full).find("several dimensions"), std::string::npos);
  EXPECT_NE(reason("bcast_adst", "mesh:4x4", full).find("nearest: torus:4x4"), std::string::npos);
  EXPECT_NE(reason("bcast_adst", "torus:4x4", one).find("one port"), std::string::npos);
  EXPECT_NE(reason("bcast_adst", "torus:4x4", full, {{"packets", {4}}}).find("1 .. 3"), std::string::npos);
  EXPECT_NE(reason("bcast_axes", "ring:8", half).find("nearest: torus:4x4"), std::string::npos);
  EXPECT_NE(reason("bcast_axes", "torus:4x4", half, {{"packets", {2}}}).find("try packets=1,1"), std::string::npos);
  EXPECT_NE(reason("bcast_axes", "torus:4x4", half, {{"packets", {2, 11}}}).find("packets=11"), std::string::npos);
}

/// All that goes over a directed link is one tree's part, so no link is in two trees; the deepest rank of tree (axis,
/// way) is round the axis and as far as can be along the others.
TEST(BcastGrid, AsManyTreesAsLinksShareNoDirectedLink) {
  struct Case {
    const char* topology;
    Bytes trees;
    std::int64_t depth;
  };
  for (const Case& c : std::vector<Case>{{"torus:3x3", 4, 3 + 1},
                                         {"torus:4x4", 4, 4 + 2},
                                         {"torus:5x7", 4, 7 + 2},
                                         {"torus:2x2", 2, 2 + 1},
                                         {"torus:2x5", 3, 5 + 1},
                                         {"torus:2x2x2x2", 4, 2 + 3},
                                         {"torus:3x4x5", 6, 5 + 1 + 2},
                                         {"torus:3x3x3x3", 8, 3 + 3},
                                         {"torus:3x1x6", 4, 6 + 1}})
    for (const Rank root : {0, 7}) {
      SCOPED_TRACE(c.topology);
      const TopologyPtr t = parse_topology(c.topology);
      const Spec spec = request(Collective::bcast, c.topology, 60 * c.trees, root % t->ranks());
      const Machine full = test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
      const Built built = build(spec, full, parse_choice("bcast_adst:packets=3"));
      const Traffic traffic = count(spec, full, *built.schedule);
      EXPECT_EQ(traffic.busiest_link, 60);
      EXPECT_EQ(traffic.busiest_in_port, spec.bytes);
      EXPECT_EQ(traffic.messages, 3 * c.trees * (t->ranks() - 1));
      EXPECT_EQ(traffic.cost.startups, 3 - 1 + c.depth);
      EXPECT_TRUE(verify(spec, full, *built.schedule, built.claims).holds);
    }
}

/// The tree is the shortest there is, and follows the first axis first.
TEST(BcastGrid, TreesAreShortest) {
  for (const std::string& topology : networks) {
    if (topology.starts_with("ring")) continue;
    const Rank p = parse_topology(topology)->ranks();
    for (const Rank root : std::set<Rank>{0, p / 2, p - 1})
      for (const bool reversed : {false, true}) {
        const Spec spec = request(Collective::bcast, topology, 1, root);
        const algorithm::pattern::Tree tree = algorithm::pattern::grid_tree(spec, reversed);
        Rank deepest = 0, children = 0;
        for (Rank r = 0; r < p; ++r) {
          EXPECT_EQ(tree.level(r), spec.topology->distance(root, r));
          deepest = std::max(deepest, tree.level(r));
          children += tree.children(r);
          EXPECT_LE(tree.children(r), tree.fanout);
          for (Rank i = 0; i < tree.children(r); ++i) EXPECT_EQ(tree.parent(tree.child(r, i)), r);
        }
        EXPECT_EQ(children, p - 1);
        EXPECT_EQ(tree.depth, deepest);
      }
  }
}

// Constants are whole numbers, so that equal times are equal doubles.
TEST(BcastGrid, BestPacketsEqualExhaustiveSearch) {
  for (const std::string topology :
       {"torus:3x3", "torus:3x5", "torus:4x7", "torus:9x3", "torus:8x8", "torus:16x5", "ring:9"})
    for (const std::string name :
         {"bcast_pipelined", "bcast_catchup", "bcast_late", "bcast_two_trees", "bcast_two_edst", "bcast_adst"})
      for (const double tau : {0., 1., 2., 4., 5., 30., 1000.})
        for (const double g : {0., 1., 3., 7.})
          for (const Bytes bytes : {1, 2, 3, 5, 7, 24, 49, 60, 97, 128, 333, 600}) {
            const Spec spec = request(Collective::bcast, topology, bytes);
            const bool both_ways = name == "bcast_two_trees" || (name == "bcast_adst" && topology != "torus:8x8");
            const Machine m = testing::reference_machine(Ports::all, both_ways ? Duplex::full : Duplex::half, tau, g);
            const Algorithm& a = find_algorithm(name);
            if (!a.illegal(spec, m, {}).empty()) continue;
            if (!sampled(fmt::format("{} {} {} {} {}", topology, name, tau, g, bytes), 32)) continue;
            std::int64_t best = 0;
            double least = 0;
            for (std::int64_t nu = 1; a.illegal(spec, m, {{"packets", {nu}}}).empty(); ++nu) {
              const double time = seconds(a.cost(spec, m, {{"packets", {nu}}}), m, *spec.topology);
              if (best == 0 || time < least) best = nu, least = time;
            }
            EXPECT_EQ(a.variants(spec, m).front().get("packets", 0), best)
                << name << " on " << topology << " tau " << tau << " g " << g << " N " << bytes;
          }
}

/// Of all shifts the least with the shallowest deeper tree; both trees span, and share no wire.
TEST(BcastGrid, TwoTreesOfASquareShareNoWire) {
  for (Rank side = 3; side <= 15; ++side) {
    Rank best = -1, depth = 0;
    for (Rank shift = 0; shift < side; ++shift) {
      const std::vector<algorithm::pattern::Tree> trees = algorithm::bcast::edst_trees(side, 0, shift);
      const Rank deeper = std::max(trees[0].depth, trees[1].depth);
      if (best < 0 || deeper < depth) best = shift, depth = deeper;
    }
    EXPECT_EQ(algorithm::bcast::edst_shift(side), best) << side;
    EXPECT_EQ(algorithm::bcast::edst_depth(side), depth) << side;
    const Rank root = side * side / 3;
    std::set<std::pair<Rank, Rank>> wires;
    for (const algorithm::pattern::Tree& tree : algorithm::bcast::edst_trees(side, root, best)) {
      EXPECT_EQ(tree.depth, depth);
      for (Rank r = 0; r < side * side; ++r) {
        if (r == root) continue;
        wires.insert(std::minmax({r, tree.parent(r)}));
        EXPECT_EQ(tree.level(r), tree.level(tree.parent(r)) + 1);
      }
    }
    EXPECT_EQ(static_cast<Rank>(wires.size()), 2 * (side * side - 1)) << side;
  }
}

TEST(BcastGrid, LargeToriArePricedWithoutWalkingThem) {
  const Machine half = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);
  const Machine full = test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  const Spec spec = request(Collective::bcast, "torus:32768x32768", 1 << 20);
  for (const std::string name : {"bcast_pipelined", "bcast_axes", "bcast_catchup", "bcast_late", "bcast_two_trees"}) {
    const Machine& m = name == "bcast_two_trees" ? full : half;
    const Algorithm& a = find_algorithm(name);
    const Params params = a.variants(spec, m).front();
    EXPECT_EQ(build(spec, m, {&a, params}).schedule->shape().rounds, a.cost(spec, m, params).startups) << name;
  }
}

TEST(BcastGrid, TooManyUnevenPacketsAreNotListed) {
  const Machine m = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);
  const Choice axes = parse_choice("bcast_axes:packets=10000000,10000000");
  EXPECT_THROW(build(request(Collective::bcast, "torus:4x4", 1 << 24), m, axes), Error);
  const Choice split = parse_choice("sendrecv_unsynchronised:bytes=10000000,10000000:packets=10000000,10000000");
  EXPECT_THROW(build(request(Collective::sendrecv, "ring:8", 20000000), m, split), Error);
}

TEST(BcastGrid, KnownValues) {
  const Duplex half = Duplex::half, full = Duplex::full;
  expect_known({"bcast_pipelined:packets=4", "torus:5x5", 100, 0, -1, half, 7, 0.5, 136.5, 7, 96, 100, 175});
  expect_known({"bcast_pipelined:packets=16", "torus:8x8", 1024, 0, -1, half, 20, 1, 1932, 23, 1008, 1024, 1472});
  expect_known({"bcast_pipelined:packets=3", "torus:7x3", 30, 0, -1, half, 2, 1, 72, 6, 60, 30, 60});
  expect_known({"bcast_catchup:packets=2", "torus:8x8", 64, 0, -1, half, 20, 1, 324, 9, 252, 64, 144});
  expect_known({"bcast_catchup:packets=10", "torus:6x6", 240, 0, -1, half, 5, 1, 374, 22, 700, 240, 264});
  expect_known({"bcast_catchup:packets=4", "torus:5x7", 80, 0, -1, half, 3, 0.5, 80, 10, 272, 80, 100});
  expect_known({"bcast_two_trees:packets=10", "torus:6x6", 240, 0, -1, full, 5, 1, 255, 15, 700, 120, 180});
  expect_known({"bcast_two_trees:packets=4", "torus:5x7", 80, 0, -1, full, 3, 0.5, 64, 8, 272, 40, 80});
  expect_known({"bcast_two_edst:packets=10", "torus:5x5", 240, 0, -1, half, 5, 1, 272, 16, 480, 120, 192});
  expect_known({"bcast_axes:packets=16,16", "torus:8x8", 1024, 0, -1, half, 20, 1, 3192, 38, 1008, 1024, 2432});
  expect_known({"bcast_late:packets=16", "torus:8x8", 1024, 0, -1, half, 20, 1, 1456, 28, 2016, 512, 896});
  expect_known({"bcast_late:packets=10", "torus:6x6", 240, 0, -1, half, 5, 1, 306, 18, 700, 120, 216});
  expect_known({"bcast_late:packets=6", "torus:4x6", 72, 0, -1, half, 1, 1, 84, 12, 276, 36, 72});
  // Halves of 12 words in 3 packets, 6 links one way and 6 the other round 7 ranks: 8 rounds of 4.
  expect_known({"bcast_two_trees:packets=3", "ring:7", 24, 0, -1, full, 5, 1, 72, 8, 36, 12, 32});
}

}  // namespace
}  // namespace quadrille::bcast_grid_test
