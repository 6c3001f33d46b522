// What failed links change: which network it was, how much of its plan stays, and what that costs now.
#include "planner/before_failure.hpp"

#include <gtest/gtest.h>

#include "fuzz/graphs.hpp"
#include "settings.hpp"
#include "topology/graph/changes.hpp"

namespace quadrille::planner {
namespace {

Plan planned(Collective c, TopologyPtr topology, Bytes bytes, const Machine& machine) {
  return plan(checked({.collective = c, .topology = std::move(topology), .bytes = bytes}), machine);
}

TEST(BeforeFailure, IsTheNetworkWithoutWhatFailed) {
  const auto whole = [](std::string_view text) { return topology::without_failures(text).value_or("-"); };
  EXPECT_EQ(whole("torus:4x4!0-1"), "torus:4x4");
  EXPECT_EQ(whole("fattree:4!16-24#2,n3*2:routes=balanced"), "fattree:4*2:routes=balanced");
  EXPECT_EQ(whole("torus:4x4@0-7!0-1"), "torus:4x4@0-7");
  EXPECT_EQ(whole("torus:4x4@0-7*2"), "-");
  EXPECT_EQ(whole("ring:8"), "-");
}

/// Six messages, each over its own link; the two between ranks 0 and 1 go around by way of rank 2.
TEST(BeforeFailure, CountsBytesThatGoAsTheyWent) {
  const Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::wormhole);
  const Plan now = planned(Collective::alltoall, parse_topology("full:3!0-1"), 1 << 20, machine);
  const auto before = before_failure(now, {});
  ASSERT_TRUE(before);
  EXPECT_EQ(before->plan.spec.topology->text(), "full:3");
  EXPECT_NEAR(before->stays, 4.0 / 6, 1e-12);
  ASSERT_TRUE(before->kept);
  EXPECT_GE(*before->kept, now.bound.time);
  EXPECT_LT(before->plan.bound.time, now.bound.time);
}

TEST(BeforeFailure, OfAFileIsWhatItsLinesSayHasFailed) {
  const Machine machine = load_machine("cluster");
  const std::string links = "host a b c d\nlink a b\nlink b c\nlink c d\nlink d a\n";
  const Plan whole = planned(Collective::allgather, fuzz::network_of_text(links), 4096, machine);
  const Plan now = planned(Collective::allgather, fuzz::network_of_text(links + "fail a b\n"), 4096, machine);
  const auto before = before_failure(now, {});
  ASSERT_TRUE(before);
  EXPECT_DOUBLE_EQ(before->plan.best().time, whole.best().time);
  EXPECT_LT(before->stays, 1);
  EXPECT_GT(before->stays, 0);
  EXPECT_FALSE(before_failure(whole, {}));
}

TEST(BeforeFailure, SaysWhereTheScheduleCannotGoOn) {
  const Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  const auto before = before_failure(planned(Collective::allgather, parse_topology("torus:4x4!0-1"), 960, machine), {});
  ASSERT_TRUE(before);
  EXPECT_FALSE(before->kept);
}

TEST(BeforeFailure, IsNotAskedWhereRanksAreGone) {
  const Machine machine = load_machine("cluster");
  EXPECT_FALSE(before_failure(planned(Collective::bcast, parse_topology("torus:4x4!n3"), 960, machine), {}));
  EXPECT_FALSE(before_failure(planned(Collective::bcast, parse_topology("torus:4x4"), 960, machine), {}));
}

}  // namespace
}  // namespace quadrille::planner
