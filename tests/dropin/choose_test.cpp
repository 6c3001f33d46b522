// Which plans are tried: a prediction that is good to a factor does not decide between those within it.
#include "dropin/decide/choose.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "planner/clock.hpp"

namespace quadrille::dropin {
namespace {

/// Links of 20 Mbit/s that are two packets ahead of their wires.
Machine slow_links() {
  Machine machine;
  machine.alpha = 4.5e-4, machine.per_hop = 7e-6, machine.beta = 4e-7, machine.burst = 2e-3;
  machine.switching = Switching::wormhole, machine.circuit = CircuitCost::exact;
  return machine;
}

std::vector<Prospect> small_alltoall(std::size_t most, double doubt) {
  const Placement ring = parse_placement("ring:8");
  const Spec spec = checked({.collective = Collective::alltoall, .topology = ring.topology, .bytes = 64});
  return prospects_in_doubt(spec, ring, slow_links(), most, doubt);
}

std::int64_t messages(const std::string& name) {
  const Placement ring = parse_placement("ring:8");
  const Spec spec = checked({.collective = Collective::alltoall, .topology = ring.topology, .bytes = 64});
  return planner::outline(spec, slow_links(), *build(spec, slow_links(), parse_choice(name)).schedule, 1 << 20)
      .messages;
}

/// What why_left() says of gathers and scatters with lengths: of few ranks nobody is faster than short blocks that go
/// straight; of 16 a tree of the shortest is, in which ranks between would have to know the lengths of others. Long
/// ones are faster by ways of their own, where straight ones do not keep all links of the root busy.
TEST(Prospects, OfGatherAndScatterAreStraightWhereMessagesGoAtOnce) {
  for (const char* const network : {"ring:8", "hypercube:3", "crossbar:8", "torus:4x4", "xgft:2;4,2;1,1"})
    for (const auto& [collective, straight, ways] : {std::tuple(Collective::gather, "gather_linear", "gather_ways"),
                                                     std::tuple(Collective::scatter, "scatter_star", "scatter_ways")})
      for (const Bytes block : {64, 4 << 10, 1 << 20}) {
        Machine machine = load_machine("cluster");
        machine.ports = Ports::all;
        const Spec spec = checked({.collective = collective, .topology = parse_topology(network), .bytes = block});
        const std::vector<Prospect> best = prospects(spec, {.topology = spec.topology}, machine, 1);
        ASSERT_EQ(best.size(), 1U);
        const bool idle = block == 1 << 20 &&
                          std::string_view("ring:8 hypercube:3 torus:4x4").find(network) != std::string_view::npos;
        const std::string& chosen = best.front().algorithm;
        if (chosen.find("_earliest") == std::string::npos) {
          EXPECT_EQ(chosen.substr(0, chosen.find(':')), idle ? ways : straight) << network << ", " << block << " B";
          continue;
        }
        const Round rounds = build(spec, machine, parse_choice(chosen)).schedule->shape().rounds;  // 1: all go straight
        EXPECT_EQ(rounds > 1, spec.ranks() == 16 && block == 64) << network << ", " << block << " B: " << chosen;
      }
}

TEST(Prospects, InDoubtAreTheBestAndThoseOfFewMessages) {
  constexpr std::size_t no_end = 100;
  const std::vector<Prospect> all = small_alltoall(no_end, 2), chosen = small_alltoall(4, 2);
  ASSERT_GT(all.size(), 5u);
  ASSERT_EQ(chosen.size(), 4u);
  EXPECT_EQ(chosen.front().algorithm, all.front().algorithm);
  std::set<std::string> taken;
  std::int64_t most = 0;
  for (const Prospect& p : chosen) {
    EXPECT_LE(p.predicted, 2 * all.front().predicted);
    if (p.algorithm != chosen.front().algorithm) most = std::max(most, messages(p.algorithm));
    taken.insert(p.algorithm);
  }
  EXPECT_EQ(taken.size(), 4u);
  EXPECT_TRUE(taken.contains("alltoall_bruck:radix=2"));  // 3 messages a rank, no other has as few
  for (const Prospect& p : all)
    if (!taken.contains(p.algorithm)) {
      EXPECT_GE(messages(p.algorithm), most) << p.algorithm;
    }
}

TEST(Prospects, WithoutDoubtNothingSlowerThanTheBestIsTried) {
  for (const Prospect& p : small_alltoall(4, 1)) EXPECT_LE(p.predicted, small_alltoall(1, 1).front().predicted);
}

/// Plans are simulated with bursts. Without them MPI's own short calls would seem too slow beside plans.
TEST(NativeEstimate, CountsWhatIdleLinksLetThroughIfAsked) {
  const Placement torus = parse_placement("torus:4x4");
  const auto estimate = [&](Bytes bytes, const Machine& machine, bool with_bursts) {
    const Spec spec = checked({.collective = Collective::reduce, .topology = torus.topology, .bytes = bytes});
    return native_estimate(spec, torus, machine, with_bursts);
  };
  const Machine bursts = slow_links();
  Machine none = bursts;
  none.burst = 0;
  EXPECT_LT(estimate(4096, bursts, true), 0.5 * estimate(4096, bursts, false));
  EXPECT_GT(estimate(1 << 20, bursts, true), 0.5 * estimate(1 << 20, bursts, false));
  EXPECT_EQ(estimate(4096, none, true), estimate(4096, none, false));
}

}  // namespace
}  // namespace quadrille::dropin
