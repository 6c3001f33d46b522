// Routes link by link are the topology's routes.
#include "simulator/networks/router.hpp"

#include <gtest/gtest.h>

#include <random>

namespace quadrille::router_test {
namespace {

// Also for sides of 1 and 2, ties, edges, and ranks near 2^20; what Router does not know it asks the topology for.
TEST(Router, GivesTheRouteOfEveryFamily) {
  std::mt19937 random(3);
  for (const std::string text :
       {"hypercube:1", "hypercube:5", "hypercube:20", "ring:2", "ring:7", "ring:8", "crossbar:5", "mesh:1x7",
        "mesh:5x4x3", "mesh:1024x1024", "torus:2x2", "torus:1x6", "torus:4x4", "torus:5x2x3", "torus:8x7",
        "torus:1024x1024", "torus:3x3x3x3", "omega:3", "fly:2^3"}) {
    const TopologyPtr topology = parse_topology(text);
    const simulator::Router router(*topology);
    std::vector<Link> expected;
    for (int pair = 0; pair < 400; ++pair) {
      const Rank from = static_cast<Rank>(random()) % topology->ranks(),
                 to = static_cast<Rank>(random()) % topology->ranks();
      if (from == to) continue;
      expected.clear();
      topology->route(from, to, expected);
      const auto a = static_cast<std::uint32_t>(from), b = static_cast<std::uint32_t>(to);
      simulator::Heading at = router.first(a, b);
      for (std::size_t i = 0; i < expected.size(); ++i, at = router.after(at, a, b)) {
        const simulator::Lane lane = at.lane;
        ASSERT_EQ(router.link(lane), expected[i]) << text << " " << from << "->" << to << " link " << i;
        ASSERT_EQ(router.lane(expected[i]), lane) << text;
        const Link back = topology->reverse(expected[i]);
        ASSERT_EQ(router.wire(lane), std::min(lane, router.lane(back))) << text;
        ASSERT_LT(lane, topology->links()) << text;
      }
      ASSERT_EQ(at.lane, simulator::Router::none) << text << " " << from << "->" << to;
    }
  }
}

// Every divisor up to 4096 and some large ones, of numbers at the borders where the quotient changes.
TEST(Router, DividesExactly) {
  std::vector<std::uint32_t> divisors{1U << 31, (1U << 31) + 1, ~0U, ~0U - 1, 1000003};
  for (std::uint32_t d = 1; d <= 4096; ++d) divisors.push_back(d);
  for (const std::uint32_t d : divisors)
    for (const std::uint32_t multiple : {d, d * 2, d * 1000, ~0U / d * d, 0U})
      for (const std::uint32_t n : {multiple - 1, multiple, multiple + 1, ~0U}) {
        ASSERT_EQ(base::Divisor(d).quotient(n), n / d) << n << " / " << d;
        ASSERT_EQ(base::Divisor(d).remainder(n), n % d) << n << " % " << d;
      }
}

}  // namespace
}  // namespace quadrille::router_test
