// Circuits that wait for each other in a circle on ways that are not their pairs' first ones.
#include <gtest/gtest.h>

#include "settings.hpp"
#include "two_ways.hpp"
#include "verifier/circuits.hpp"

namespace quadrille::divided_circuits_test {
namespace {

// Switches 4, 5, 6, 7 in a ring with a host each. From 0 to 3 the long way crosses 4->5 before 6->7; from 2 to 1 it
// crosses them the other way about. By the short ways nobody meets anybody.
TEST(DividedCircuits, MayWaitOnAnyOfTheirWays) {
  const TopologyPtr t = testing::network_of(
      "routes chosen\nhost a b c d\nswitch s0 s1 s2 s3\nlink a s0\nlink b s1\nlink c s2\nlink d s3\nlink s0 s1\n"
      "link s1 s2\nlink s2 s3\nlink s3 s0\n");
  const Machine m = testing::test_machine(Ports::all, Duplex::full, Switching::circuit);
  const auto circle = [&](const TopologyPtr& network, Bytes bytes) {
    const Spec spec{.collective = Collective::alltoall, .topology = network, .bytes = bytes};
    schedule::Meter meter(1 << 20, "too much");
    verifier::CircuitRound round(spec, m, meter);
    round.add(0, 3, bytes), round.add(2, 1, bytes);
    return round.circle(0);
  };
  const std::vector<Topology::Way> short_ways{testing::way_along(*t, {0, 4, 7, 3}, 2),
                                              testing::way_along(*t, {2, 6, 5, 1}, 2)};
  std::vector<Topology::Way> all = short_ways;
  all.push_back(testing::way_along(*t, {0, 4, 5, 6, 7, 3}));
  all.push_back(testing::way_along(*t, {2, 6, 7, 4, 5, 1}));
  EXPECT_FALSE(circle(t->with_ways(short_ways), 300));
  EXPECT_FALSE(circle(t->with_ways(all), 0)) << "a message of no bytes takes the first way";
  const auto found = circle(t->with_ways(all), 300);
  ASSERT_TRUE(found);
  EXPECT_NE(found->text.find("the message 0->3 holds"), std::string::npos) << found->text;
}

}  // namespace
}  // namespace quadrille::divided_circuits_test
