// Messages that are divided among several ways, in the trace that is drawn.
#include <gtest/gtest.h>

#include "quadrille/algorithm.hpp"
#include "report/trace.hpp"
#include "schedule/combine.hpp"
#include "settings.hpp"
#include "two_ways.hpp"

namespace quadrille::divided_trace_test {
namespace {

// The way with most parts first; a link that both have is there once, and all of a message crosses it.
TEST(DividedTrace, HasTheLinksOfAllWays) {
  const TopologyPtr t = testing::network_of(
      "routes chosen\nhost a b\nswitch s0 s1 s2 s3\nlink a s0\nlink s0 s1\nlink s0 s2\nlink s1 s3\nlink s2 s3\n"
      "link s3 b\n");
  const Topology::Way low = testing::way_along(*t, {0, 2, 3, 5, 1}), high = testing::way_along(*t, {0, 2, 4, 5, 1}, 2);
  const Spec spec{.collective = Collective::alltoall, .topology = t, .bytes = 100};
  const Machine m = testing::test_machine(Ports::all, Duplex::full, Switching::wormhole);
  const SchedulePtr schedule = schedule::on_network(build(by_routes(spec), m, parse_choice("alltoall_linear")).schedule,
                                                    t->with_ways({low, high}));
  const std::optional<report::Trace> trace = report::trace(spec, *schedule, false);
  ASSERT_TRUE(trace && trace->routes_known);
  const auto found = std::find_if(trace->pair_routes.begin(), trace->pair_routes.end(),
                                  [](const auto& pair) { return pair.first == 1; });
  ASSERT_NE(found, trace->pair_routes.end());
  EXPECT_EQ(found->second,
            (report::Numbers{high.links[0], high.links[1], high.links[2], high.links[3], low.links[1], low.links[2]}));
  const auto shares =
      std::find_if(trace->divided.begin(), trace->divided.end(), [](const auto& d) { return d.pair == 1; });
  ASSERT_NE(shares, trace->divided.end());
  EXPECT_EQ(shares->widest, 4);
  ASSERT_EQ(shares->shares.size(), 6U);
  for (std::size_t i = 0; i < 6; ++i)
    EXPECT_NEAR(shares->shares[i], i == 0 || i == 3 ? 1.0 : i < 3 ? 2.0 / 3 : 1.0 / 3, 1e-12) << i;
}

}  // namespace
}  // namespace quadrille::divided_trace_test
