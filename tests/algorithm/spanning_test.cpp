// An all-reduce up and down trees at once, where links lead one way or are slower one way: proven and counted, with
// long vectors nearly as fast as the trees' busiest link, and refused by name.
#include <fmt/format.h>

#include <random>

#include "algorithm/kit/shared_forest.hpp"
#include "cost/network_graph.hpp"
#include "fuzz/graphs.hpp"
#include "proven.hpp"

namespace quadrille::spanning_test {
namespace {

using namespace testing;

/// A ring one way round, and some arcs more, of up to so many GB/s.
std::string one_way_network(std::mt19937& random, int ranks, int most) {
  std::string text = "host";
  for (int r = 0; r < ranks; ++r) text += fmt::format(" r{}", r);
  std::set<std::pair<int, int>> arcs;
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  for (int r = 0; r < ranks; ++r) arcs.emplace(r, (r + 1) % ranks);
  for (int more = below(2 * ranks); more > 0; --more)
    if (const int from = below(ranks), to = below(ranks); from != to) arcs.emplace(from, to);
  for (const auto& [from, to] : arcs) text += fmt::format("\narc r{} r{} {}GB/s", from, to, 1 + below(most));
  return "unit 1GB/s\n" + text + "\n";
}

Spec vector_on(const std::string& text, Bytes bytes) {
  Spec spec;
  spec.collective = Collective::allreduce, spec.bytes = bytes;
  spec.topology = fuzz::network_of_text(text);
  return checked(spec);
}

Machine all_at_once() { return test_machine(Ports::all, Duplex::full, Switching::wormhole); }

TEST(Spanning, IsProvenWhereLinksLeadOneWay) {
  std::mt19937 random(2026);
  const Algorithm& a = find_algorithm("allreduce_spanning");
  for (int i = 0; i < 40; ++i) {
    const std::string text = one_way_network(random, 2 + i % 9, i % 2 == 0 ? 1 : 25);
    if (!testing::sampled(text, 4)) continue;
    for (const Bytes bytes : {1, 97, 4096}) {
      const Spec spec = vector_on(text, bytes);
      for (const std::int64_t trees : {1, 2, 5})
        for (const std::int64_t pieces : {1, 3, 16}) {
          const Params params{{"trees", {trees}}, {"pieces", {pieces}}};
          if (bytes < trees * pieces) {
            EXPECT_NE(a.illegal(spec, all_at_once(), params), "");
            continue;
          }
          ASSERT_EQ(a.illegal(spec, all_at_once(), params), "") << text;
          for (const double rho : {0.0, 1e-3}) {  // several trees in a message, and one
            Machine machine = all_at_once();
            machine.rho = rho;
            expect_proven(spec, machine, a, params);
          }
          if (HasFailure()) return;
        }
    }
  }
}

/// Trees up and down share links of different widths, through switches, to within a fiftieth.
TEST(Spanning, IsNearTheLimitWhereWaysAreChosen) {
  Machine machine = all_at_once();
  machine.alpha = 0, machine.beta = 1e-12, machine.per_hop = 0, machine.rho = 0;
  for (const char* topology : {"dgx-a100:2:routes=chosen", "dragonfly:2,2,1:routes=chosen"}) {
    if (!testing::sampled(topology, 2)) continue;
    const Spec spec = request(Collective::allreduce, topology, 1 << 24);
    const Plan best = plan(spec, machine, {.proof = 0, .algorithms = {}});
    EXPECT_LE(best.gap(), 1.02) << topology;
  }
}

/// Many pieces: rounds in which no link is idle but at both ends. By bytes alone.
TEST(Spanning, TakesWhatTheBusiestLinkTakes) {
  std::mt19937 random(11);
  Machine machine;
  machine.ports = Ports::all, machine.switching = Switching::wormhole, machine.alpha = 0, machine.beta = 1e-12;
  const Algorithm& a = find_algorithm("allreduce_spanning");
  for (int i = 0; i < 12; ++i) {
    const Spec spec = vector_on(one_way_network(random, 3 + i % 6, i % 2 == 0 ? 1 : 5), 1 << 22);
    const cost::NetworkGraph graph = *cost::network_graph(*spec.topology, machine);
    for (const algorithm::kit::TreeCount& count : algorithm::kit::shared_tree_counts(graph.network)->counts) {
      if (count.trees > 15) continue;
      const Seconds wire = count.time.value() * graph.unit * static_cast<double>(spec.bytes) * machine.beta,
                    took = seconds(build(spec, machine, {&a, {{"trees", {count.trees}}}}).formula, machine,
                                   *spec.topology);
      EXPECT_GE(took, wire * (1 - 1e-3)) << count.trees;
      EXPECT_LE(took, wire * 1.03) << count.trees << " trees on " << spec.topology->text();
    }
  }
}

TEST(Spanning, SaysWhereTreesAreNotLookedFor) {
  const Algorithm& a = find_algorithm("allreduce_spanning");
  const Spec spec = vector_on("host a b\nswitch s\narc a s\narc s b\narc b s\narc s a x2\n", 100);
  EXPECT_NE(a.illegal(spec, all_at_once(), {}).find("nearest: links both ways"), std::string::npos)
      << a.illegal(spec, all_at_once(), {});
}

}  // namespace
}  // namespace quadrille::spanning_test
