// Trees planned message by message: small cases by hand, and where they should win.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "algorithm/kit/earliest_trees.hpp"
#include "quadrille/plan.hpp"
#include "settings.hpp"

namespace quadrille::bcast_earliest_test {
namespace {

/// A processor takes 2 s to hand over a message and 3 s to take one; a link lets a message's head through after 1 s.
Machine with_overheads(double beta) {
  Machine m = testing::test_machine(Ports::all, Duplex::full, Switching::wormhole);
  m.alpha = 0, m.overhead_send = 2, m.overhead_receive = 3, m.per_hop = 1, m.beta = beta, m.rho = 0;
  return m;
}

/// 100 Gbit/s links, 0.1 us each, and 0.4 us of a processor at either end of a message.
Machine switched() {
  Machine m = with_overheads(1 / 12.5e9);
  m.overhead_send = m.overhead_receive = 0.4e-6, m.per_hop = 0.1e-6;
  return m;
}

Built earliest(const Spec& spec, const Machine& machine, std::int64_t parts, std::int64_t size) {
  return build(spec, machine, {&find_algorithm("bcast_earliest"), {{"parts", {parts}}, {"size", {size}}}});
}

Seconds simulated(const Spec& spec, const Machine& machine, const Built& built) {
  return simulate(spec, machine, *built.schedule, {.order = Order::dataflow, .network = Network::fluid}).makespan;
}

std::vector<Rank> parents(const Spec& spec, const Built& built) {
  std::vector<Rank> all(static_cast<std::size_t>(spec.ranks()), -1);
  Collected collected;
  for (Round t = 0; t < built.schedule->shape().rounds; ++t)
    for (Rank r = 0; r < spec.ranks(); ++r)
      for (const Transfer& x : collected.all(*built.schedule, t, r))
        if (x.kind == Kind::recv) all[static_cast<std::size_t>(r)] = x.peer;
  return all;
}

// The root hands over its messages at 2, 4 and 6. Each is on its link for 1 s, after 1, 2 and 3 s of hops, so they do
// not meet: they arrive at 4, 7 and 10 and have been taken 3 s later. Rank 1 could reach rank 2 at 14 only.
TEST(BcastEarliest, SendsAllFromTheRootWhereLinksAreFree) {
  const Spec spec = testing::request(Collective::bcast, "mesh:4", 1024);
  const Built built = earliest(spec, with_overheads(1.0 / 1024), 1, 0);
  EXPECT_EQ(parents(spec, built), (std::vector<Rank>{-1, 0, 0, 0}));
  EXPECT_DOUBLE_EQ(simulated(spec, with_overheads(1.0 / 1024), built), 13);
}

// A message is on a link for 10 s. The root's first is taken at 2 + 1 + 10 + 3 = 16. Its second, handed over at 4, has
// to wait for the first's link until 13, or to share it: to rank 2 for 7 s, so that it is taken at 26 and weighs 26 +
// 7; to rank 3 for 6 s, so that it weighs 26 + 6. Rank 1 is at rank 2 at 32, too; the root comes first, with rank 3.
// Rank 2 is last: from rank 1 at 23 + 10 + 3 after a wait of 4 s, from the root at the same time after 15 s. Sharing
// makes the first message 6 s longer: rank 1 has it at 22, and rank 2 at 22 + 16.
TEST(BcastEarliest, CountsAWaitForALinkTwice) {
  const Spec spec = testing::request(Collective::bcast, "mesh:4", 1024);
  const Built built = earliest(spec, with_overheads(10.0 / 1024), 1, 0);
  EXPECT_EQ(parents(spec, built), (std::vector<Rank>{-1, 0, 1, 0}));
  EXPECT_DOUBLE_EQ(simulated(spec, with_overheads(10.0 / 1024), built), 38);
}

// Where every rank sends to far ones over links that others use, all become slow: 57 us, if a wait counted once.
TEST(BcastEarliest, KeepsLongMessagesApart) {
  const Spec spec = testing::request(Collective::bcast, "torus:4x4x4", 1 << 17);
  EXPECT_LT(simulated(spec, switched(), earliest(spec, switched(), 1, 3)), 36e-6);
}

TEST(BcastEarliest, IsTheFastestOnATorusOfProcessorsWithOverheads) {
  for (const Bytes bytes : {16, 1 << 10, 1 << 14, 1 << 17}) {
    PlanOptions options{.effort = Effort::simulate};
    options.network = Network::fluid;
    const Plan best = plan(testing::request(Collective::bcast, "torus:4x4x4", bytes), switched(), options);
    EXPECT_EQ(best.best().algorithm->name, "bcast_earliest") << bytes;
  }
}

// Without overlap of messages LogP's tree needs 18 steps of 0.4 us here; links that are shared cost next to nothing
// more.
TEST(BcastEarliest, IsNearTheOptimumOfLogPWhereLinksAreManyEnough) {
  const Spec spec = testing::request(Collective::bcast, "torus:4x4x4", 1 << 14);
  EXPECT_LT(simulated(spec, switched(), earliest(spec, switched(), 1, 2)), 7.3e-6);
}

// Plans do not depend on the message, so more bytes cost no less, once there are as many bytes as parts.
TEST(BcastEarliest, CostsNoLessForMoreBytes) {
  const Algorithm& a = find_algorithm("bcast_earliest");
  for (const char* topology : {"fly:3^2", "torus:4x4", "ring:9"})
    for (const Machine& machine : testing::test_machines()) {
      Seconds before = 0;
      for (const Bytes bytes : {8, 9, 100, 1000, 1001, 1 << 13, 1 << 14, 1 << 16, 65537, 1 << 20}) {
        const Spec spec = testing::request(Collective::bcast, topology, bytes);
        if (!a.illegal(spec, machine, {}).empty()) continue;
        const Seconds price =
            seconds(a.cost(spec, machine, a.variants(spec, machine).front()), machine, *spec.topology);
        EXPECT_GE(price, before) << topology << ' ' << machine.name << ' ' << bytes;
        before = price;
      }
    }
}

TEST(BcastEarliest, SaysWhatItDoesNotPlan) {
  const Algorithm& a = find_algorithm("bcast_earliest");
  const auto why = [&](const char* topology, Bytes bytes, std::int64_t parts) {
    return a.illegal(testing::request(Collective::bcast, topology, bytes), switched(), {{"parts", {parts}}});
  };
  EXPECT_EQ(why("torus:4x4x4", 1024, 8), "");
  EXPECT_NE(why("torus:4x4x4", 1024, 3).find("try parts=2"), std::string::npos);
  EXPECT_EQ(why("torus:4x4x4", 3, 8), "");  // parts may be empty
  EXPECT_NE(why("torus:16x16x4", 1024, 8).find("try parts=2"), std::string::npos);
  EXPECT_NE(why("torus:16x16x16", 1024, 1).find("at most 2048 ranks"), std::string::npos);
  EXPECT_NE(why("bus:8", 1024, 1).find("share the medium"), std::string::npos);
}

// On a crossbar of processors with overheads no tree is faster, whichever way the data go: the greedy tree of LogP.
TEST(Earliest, ReachesTheLimitOfShortMessagesOnACrossbar) {
  Machine machine = switched();
  machine.alpha = 1.3e-6, machine.gamma = 1e-10;
  for (const Collective collective : {Collective::bcast, Collective::reduce, Collective::scatter, Collective::gather})
    for (const Rank ranks : {2, 3, 5, 16, 33, 64}) {
      const Spec spec = testing::request(collective, fmt::format("crossbar:{}", ranks), 8);
      const Algorithm& a = find_algorithm(fmt::format("{}_earliest", to_string(collective)));
      const Choice choice{&a, {{"size", {0}}}};
      const Seconds least = limit(spec, machine, Network::fluid).time;
      const Order order = order_to_perform(spec, machine, choice, Network::fluid).order;
      const Seconds took =
          simulate(spec, machine, *build(spec, machine, choice).schedule, {.order = order, .network = Network::fluid})
              .makespan;
      EXPECT_GE(took, least) << a.name << ' ' << ranks;
      EXPECT_LE(took, 1.02 * least) << a.name << ' ' << ranks;
    }
}

// Links of a de Bruijn network lead one way: rank 0 sends to 1, and hears from 4. Messages to the root go as these say.
TEST(Earliest, PlansTheWaysToTheRootWhereThoseFromItDiffer) {
  const Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::wormhole);
  for (const auto& [collective, neighbour] : {std::pair(Collective::bcast, 1), std::pair(Collective::gather, 4)}) {
    const auto trees = algorithm::kit::earliest_trees(testing::request(collective, "debruijn:2,3", 8), machine, 1, 1);
    ASSERT_FALSE(trees->messages.empty());
    EXPECT_EQ(trees->messages.front().from, 0);
    EXPECT_EQ(trees->messages.front().to, neighbour);
  }
}

}  // namespace
}  // namespace quadrille::bcast_earliest_test
