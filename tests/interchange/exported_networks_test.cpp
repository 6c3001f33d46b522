// Networks as files of other programs: read back they are the same.
#include <gtest/gtest.h>

#include "formats/networks.hpp"
#include "interchange/machines/imported.hpp"
#include "quadrille/machine.hpp"
#include "topology/file/build.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::exported_networks_test {
namespace {

/// Hosts that are as far apart as before, over links of the same rates.
void expect_same_distances(const std::string& network, const std::string& text) {
  const interchange::ImportedNetwork read = interchange::import_network(text, "made");
  ASSERT_FALSE(read.text.empty());
  const TopologyPtr before = parse_topology(network);
  const TopologyPtr after =
      topology::make_graph(topology::parse_network(read.text, "made.net"), {"graph", "graph:made.net", "a network"});
  ASSERT_EQ(after->ranks(), before->ranks());
  for (Rank a = 0; a < before->ranks(); ++a)
    for (Rank b = 0; b < before->ranks(); ++b)
      EXPECT_EQ(after->distance(a, b), before->distance(a, b)) << a << ' ' << b;
}

TEST(ExportedNetworks, AreReadBackAsTheSame) {
  const Machine machine = load_machine("cluster");
  for (const char* network : {"xgft:2;4,2;1,2", "star:6"}) {
    SCOPED_TRACE(network);
    const std::string text = formats::ibnetdiscover_text(*parse_topology(network), machine);
    EXPECT_NE(text.find("4xEDR"), std::string::npos);
    expect_same_distances(network, text);
  }
  expect_same_distances("xgft:2;3,2;1,1", formats::slurm_topology(*parse_topology("xgft:2;3,2;1,1"), machine));
  // Two parents of one leaf are one switch of a tree.
  EXPECT_EQ(formats::slurm_topology(*parse_topology("xgft:2;3,2;1,2"), machine),
            "# xgft:2;3,2;1,2: switches that share a child are one; SLURM knows no bandwidths\n"
            "SwitchName=s0 Nodes=n[0-2]\nSwitchName=s1 Nodes=n[3-5]\nSwitchName=s2 Switches=s[0-1]\n");
  EXPECT_THROW(formats::slurm_topology(*parse_topology("torus:4x4"), machine), Error);
  EXPECT_THROW(formats::simgrid_platform(*parse_topology("bus:4"), machine), Error);
  EXPECT_THROW(formats::simgrid_platform(*parse_topology("torus:32x32"), machine), Error);
}

TEST(ExportedNetworks, APlatformHasEveryRoute) {
  Machine machine = load_machine("cluster");
  const std::string text = formats::simgrid_platform(*parse_topology("ring:4"), machine);
  const auto count = [&](std::string_view what) {
    std::size_t found = 0;
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
    return found;
  };
  EXPECT_EQ(count("<host "), 4U);
  EXPECT_EQ(count("<link "), 8U);
  EXPECT_EQ(count("<route "), 12U);
  EXPECT_EQ(count("<link_ctn "), 4U * (1 + 2 + 1));
  EXPECT_NE(text.find("bandwidth=\"12500000000Bps\" latency=\""), std::string::npos) << text.substr(0, 500);
}

}  // namespace
}  // namespace quadrille::exported_networks_test
