// Trees that go together in messages: where each message has pieces of one tree alone, links would wait.
#include "algorithm/kit/spread_trees.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "quadrille/plan.hpp"
#include "quadrille/price.hpp"
#include "quadrille/sources.hpp"
#include "sound.hpp"

namespace quadrille::spread_trees_test {
namespace {

constexpr const char* network = "mi250:2:routes=chosen";  // links of 50 to 200 GB/s, in two boxes

Machine machine_with(double rho) {
  Machine m = testing::test_machine(Ports::all, Duplex::full, Switching::wormhole);
  m.alpha = 1e-6, m.beta = 1e-12, m.rho = rho, m.per_hop = 0;
  return m;
}

/// Stretches of memory of the message that has most.
Slot most_runs(const Schedule& schedule) {
  Slot most = 0;
  Summary summary;
  for (Round t = 0; t < schedule.shape().rounds; ++t)
    for (Rank r = 0; r < schedule.shape().ranks; ++r)
      for (const Summary::Message& m : summary.of(schedule, t, r)) most = std::max(most, m.runs);
  return most;
}

Built built_with(const Spec& spec, const Machine& machine, int pieces = 3) {
  return build(spec, machine,
               parse_choice(fmt::format("{}_forest:trees=8:pieces={}", to_string(spec.collective), pieces)));
}

TEST(SpreadTrees, GoTogetherWhereThatIsWorthPackingThem) {
  for (const char* topology : {network, "torus:4x4!0-1"}) {
    SCOPED_TRACE(topology);
    const Spec spec = testing::request(Collective::allgather, topology, 5000);
    EXPECT_GT(most_runs(*built_with(spec, machine_with(0)).schedule), 1);
    EXPECT_GT(most_runs(*built_with(spec, machine_with(1e-12)).schedule), 1);
    EXPECT_EQ(most_runs(*built_with(spec, machine_with(1e-6)).schedule), 1);
  }
}

TEST(SpreadTrees, AreProvenAndCountedTogether) {
  const Machine machine = machine_with(0);
  Spec uneven = testing::request(Collective::multibcast, network, 5000);
  uneven.sources = parse_sources("0:5000,3:7,17:2500,30:1250,31:5000", *uneven.topology, 5000);
  for (const Spec& spec : {testing::request(Collective::allgather, network, 5000), checked(uneven),
                           testing::request(Collective::reduce_scatter, network, 5000)}) {
    SCOPED_TRACE(std::string(to_string(spec.collective)));
    for (const int pieces : {3, 40}) {  // of many most rounds are alike, and the price counts one
      const Built built = built_with(spec, machine, pieces);
      testing::expect_proof(spec, machine, built, false);
      EXPECT_EQ(testing::to_text(count(spec, machine, *built.schedule).cost), testing::to_text(built.formula));
    }
  }
}

/// One tree at a time these take 1.3 times the limit.
TEST(SpreadTrees, ComeNearTheLimit) {
  Machine machine = machine_with(0);
  machine.alpha = 0;
  const Spec spec = testing::request(Collective::allgather, network, 1 << 20);
  const Built built = build(spec, machine, parse_choice("allgather_forest:trees=16:pieces=200"));
  const Seconds limit = plan(spec, machine, {.proof = 0, .algorithms = {}}).bound.time;
  EXPECT_LE(seconds(built.formula, machine, *spec.topology), 1.08 * limit);
}

}  // namespace
}  // namespace quadrille::spread_trees_test
