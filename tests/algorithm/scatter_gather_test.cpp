// Scatter and gather: every algorithm proven and counted over topologies, roots and sizes, on both duplex modes and
// port counts; values worked out independently.
#include <set>

#include "proven.hpp"

namespace quadrille::scatter_test {
namespace {

using namespace testing;

class ScatterOrGather : public ::testing::TestWithParam<Collective> {};

TEST_P(ScatterOrGather, IsProvenAndExactOverTopologiesRootsAndSizes) {
  const std::string collective(to_string(GetParam()));
  std::map<std::string, std::set<std::string>> legal;
  for (const std::string& topology : testing::small_networks()) {
    const TopologyPtr network = parse_topology(topology);
    const Rank p = network->ranks();
    for (const Rank root : testing::some_roots(p))
      for (const Bytes bytes : std::set<Bytes>{0, 1, p - 1, p, 97, 1000})
        for (const Machine& machine : neighbour_machines()) {
          const Spec spec = request(GetParam(), topology, bytes, root);
          for (const std::string form : {"chain", "rotated", "tree", "twoway"})
            if (proven_where_legal(spec, machine, collective + "_" + form, {}))
              legal[form].insert(std::string(network->family()));
          if (HasFailure()) return;
        }
  }
  const std::set<std::string> every{"crossbar", "hypercube", "ring"};
  EXPECT_EQ(legal["chain"], every);
  EXPECT_EQ(legal["rotated"], (std::set<std::string>{"hypercube"}));
  EXPECT_EQ(legal["tree"], (std::set<std::string>{"crossbar", "hypercube"}));
  EXPECT_EQ(legal["twoway"], every);
}

TEST_P(ScatterOrGather, SaysWhyNotAndWhatInstead) {
  const Machine one = test_machine(Ports::one, Duplex::full, Switching::store_and_forward);
  const std::string collective(to_string(GetParam()));
  const auto reason = [&](const std::string& form, const std::string& topology) {
    return find_algorithm(collective + "_" + form).illegal(request(GetParam(), topology, 10), one, {});
  };
  EXPECT_NE(reason("tree", "ring:9").find("nearest: crossbar:9"), std::string::npos);
  EXPECT_NE(reason("rotated", "ring:9").find("needs a hypercube"), std::string::npos);
  EXPECT_NE(reason("rotated", "hypercube:3").find("one port"), std::string::npos);
  EXPECT_NE(reason("twoway", "ring:9").find("try " + collective + "_chain"), std::string::npos);
  EXPECT_EQ(reason("twoway", "ring:2"), "");
}

// No rank keeps more than it must pass on: half of the blocks in the tree, two at a time on the ring.
TEST_P(ScatterOrGather, NeedsLittleScratch) {
  const Machine all = test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  const std::string collective(to_string(GetParam()));
  const auto scratch = [&](const std::string& form, const std::string& topology) {
    return build(request(GetParam(), topology, 10), all, {&find_algorithm(collective + "_" + form), {}})
        .schedule->shape()
        .tmp;
  };
  EXPECT_EQ(scratch("tree", "hypercube:5"), 16);
  EXPECT_EQ(scratch("tree", "crossbar:3"), 0);
  EXPECT_EQ(scratch("twoway", "ring:100"), 2);
  EXPECT_EQ(scratch("twoway", "ring:3"), 0);
}

INSTANTIATE_TEST_SUITE_P(Both, ScatterOrGather, ::testing::Values(Collective::scatter, Collective::gather),
                         [](const auto& one) { return std::string(to_string(one.param)); });

TEST(Scatter, KnownValues) {
  const Duplex half = Duplex::half, full = Duplex::full;
  expect_known({"gather_twoway:ways=1", "ring:8", 16, 2, -1, half, 10, 1, 104, 4, 16, 64, 64});
  expect_known({"scatter_twoway", "ring:9", 7, 0, -1, half, 5, 0.5, 34, 4, 20, 28, 28});
  expect_known({"scatter_twoway", "ring:13", 4, 0, -1, half, 2, 1, 36, 6, 42, 24, 24});
  expect_known({"gather_twoway", "ring:13", 4, 2, -1, half, 2, 1, 36, 6, 42, 24, 24});
  expect_known({"scatter_tree", "hypercube:4", 5, 0, -1, half, 100, 0.5, 437.5, 4, 15, 40, 75});
  expect_known({"gather_tree", "hypercube:4", 5, 15, -1, half, 100, 0.5, 437.5, 4, 15, 40, 75});
  expect_known({"scatter_tree", "hypercube:5", 3, 0, -1, half, 7, 2, 221, 5, 31, 48, 93});
  expect_known({"gather_tree", "hypercube:5", 3, 31, -1, half, 7, 2, 221, 5, 31, 48, 93});
  expect_known({"scatter_tree", "crossbar:8", 16, 0, -1, full, 10, 1, 142, 3, 7, 64, 112});
  expect_known({"gather_tree", "crossbar:8", 16, 0, -1, full, 10, 1, 142, 3, 7, 64, 112});
  expect_known({"scatter_tree", "crossbar:11", 4, 0, -1, full, 5, 0.5, 40, 4, 10, 20, 40});
  expect_known({"gather_tree", "crossbar:11", 4, 0, -1, full, 5, 0.5, 40, 4, 10, 20, 40});
  expect_known({"scatter_rotated", "hypercube:4", 8, 0, -1, half, 5, 2, 80, 4, 60, 30, 30});
}

}  // namespace
}  // namespace quadrille::scatter_test
