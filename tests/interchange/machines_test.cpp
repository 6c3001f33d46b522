// Networks from files of other programs: what samples mean, and what is wrong with those that are wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interchange/machines/imported.hpp"
#include "topology/file/build.hpp"
#include "topology/graph/graph.hpp"

namespace quadrille::machines_test {
namespace {

using interchange::import_network;
using interchange::ImportedNetwork;

std::string complaint(const std::string& text) {
  try {
    import_network(text, "a");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TopologyPtr made(const std::string& text) {
  const ImportedNetwork network = import_network(text, "a");
  return topology::make_graph(topology::parse_network(network.text, "made.net"), {"graph", "graph:made", "a network"});
}

void expect_complaints(const std::string& good, const std::vector<std::array<std::string, 3>>& changes) {
  ASSERT_EQ(complaint(good), "accepted");
  for (const auto& [from, to, why] : changes) {
    std::string text = good;
    const auto at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    EXPECT_EQ(complaint(text.replace(at, from.size(), to)).substr(0, why.size()), why);
  }
}

const std::string slurm =
    "# tree of two leaves\n"
    "SwitchName=leaf0 Nodes=n[00-03] LinkSpeed=100\n"
    "switchname=leaf1 nodes=n[04-07]\n"
    "SwitchName=spine Switches=leaf[0-1]\n";

TEST(Slurm, ATreeOfSwitches) {
  const TopologyPtr network = made(slurm);
  EXPECT_EQ(network->ranks(), 8);
  EXPECT_EQ(network->vertices(), 11);
  EXPECT_EQ(network->distance(0, 3), 2);
  EXPECT_EQ(network->distance(0, 4), 4);
  // What scontrol prints of the same tree.
  const std::string shown =
      "SwitchName=leaf0 Level=0 LinkSpeed=1 Nodes=n[00-03]\n"
      "SwitchName=leaf1 Level=0 LinkSpeed=1 Nodes=n[04-07]\n"
      "SwitchName=spine Level=1 LinkSpeed=1 Nodes=n[00-07] Switches=leaf[0-1]\n";
  const auto links = [](const std::string& text) { return text.substr(text.find('\n')); };
  EXPECT_EQ(links(import_network(shown, "a").text), links(import_network(slurm, "a").text));
}

TEST(Slurm, RefusalsNameTheLine) {
  expect_complaints(slurm, {{"leaf[0-1]", "leaf[0-2]", "'a', line 4: switch 'spine' leads to 'leaf2', which no line"},
                            {"Switches=leaf[0-1]", "Switches=spine", "'a', line 4: switch 'spine' is below itself"},
                            {"LinkSpeed", "Speed", "'a', line 2: key 'Speed': unknown key"},
                            {"n[00-03]", "n[00-03", "'a', line 2: list 'n[00-03': a bracket that does not close"},
                            {"n[00-03]", "n[03-00]", "'a', line 2: list 'n[03-00]': the range '03-00' falls"},
                            {"SwitchName=leaf0", "SwitchName=spine", "'a', line 4: switch 'spine' comes twice"},
                            {"Nodes=n[00-03]", "Nodes=", "'a', line 2: 'Nodes='; expected KEY=VALUE"},
                            {"SwitchName=leaf0", "BlockName=leaf0", "'a', line 2: 'BlockName', which names nodes"},
                            {"SwitchName=spine Switches=leaf[0-1]\n", "", "'a': what it says makes no network"}});
}

TEST(HostLists, AreThoseOfScontrol) {
  const auto names = [](const std::string& text) { return interchange::parse_host_list(text, "a", 1); };
  using Names = std::vector<std::string>;
  EXPECT_EQ(names("n[00-03,7]"), (Names{"n00", "n01", "n02", "n03", "n7"}));
  EXPECT_EQ(names("m[1-2][08-09]"), (Names{"m108", "m109", "m208", "m209"}));
  EXPECT_EQ(names("a[1-2]-b[1-2],c"), (Names{"a1-b1", "a1-b2", "a2-b1", "a2-b2", "c"}));
  EXPECT_EQ(names("n[01-003]"), (Names{"n01", "n02", "n03"}));
  for (const char* wrong : {"n[1-2", "n]", "n[[1]]", "n[]", "n[a]", ",", "n[3-1]", "n[0-9999999]", "n[1-1000][1-2000]"})
    EXPECT_THROW(names(wrong), Error) << wrong;
}

const std::string infiniband =
    "#\n# Topology file: generated on Sun Nov 22 16:00:39 2026\n#\n"
    "vendid=0x0\nswitchguid=0x200001(200001)\n"
    "Switch\t8 \"S-01\"\t\t# \"leaf1\" base port 0 lid 0 lmc 0\n"
    "[1]\t\"H-04\"[1](100005) \t\t# \"n02 HCA-1\" lid 0 4xHDR\n"
    "[2]\t\"H-06\"[1](100007) \t\t# \"n03 HCA-1\" lid 0 4xHDR\n"
    "[7]\t\"H-08\"[1](100009) \t\t# \"n03 HCA-2\" lid 0 4xEDR\n\n"
    "caguid=0x4\nCa\t1 \"H-04\"\t\t# \"n02 HCA-1\"\n"
    "[1](100005) \t\"S-01\"[1]\t\t# lid 0 lmc 0 \"leaf1\" lid 0 4xHDR\n\n"
    "Ca\t1 \"H-06\"\t\t# \"n03 HCA-1\"\n"
    "[1](100007) \t\"S-01\"[2]\t\t# lid 0 lmc 0 \"leaf1\" lid 0 4xHDR\n\n"
    "Ca\t1 \"H-08\"\t\t# \"n03 HCA-2\"\n"
    "[1](100009) \t\"S-01\"[7]\t\t# lid 0 lmc 0 \"leaf1\" lid 0 4xEDR\n";

TEST(Ibnetdiscover, LinksHaveTheirRates) {
  const TopologyPtr network = made(infiniband);
  EXPECT_EQ(network->ranks(), 2);
  EXPECT_EQ(network->vertices(), 3);
  EXPECT_EQ(network->wires(), 6);  // n03 has two adapters
  const std::string text = import_network(infiniband, "a").text;
  EXPECT_NE(text.find("200Gbit/s"), std::string::npos);
  EXPECT_NE(text.find("100Gbit/s"), std::string::npos);
}

TEST(Ibnetdiscover, RefusalsNameTheLine) {
  expect_complaints(
      infiniband, {{"4xHDR\n[2]", "4xABC\n[2]", "'a', line 7: rate '4xABC'; expected a width and one of SDR"},
                   {"4xHDR\n[2]", "4xEDR\n[2]", "'a', line 13: rate 4xHDR; line 7 says 4xEDR of the same link"},
                   {"\"H-04\"[1]", "\"H-09\"[1]", "'a', line 13: port 1 of 'S-01' is joined to another port by line 7"},
                   {"\"S-01\"[7]", "\"S-02\"[7]", "'a', line 19: the peer 'S-02' is not listed"},
                   {"[2]\t", "[1]\t", "'a', line 8: port 1 of 'S-01' comes twice"},
                   {"\"S-01\"[2]", "\"S-01\"[1]", "'a', line 16: port 1 of 'S-01' is joined to another port by line 7"},
                   {"Ca\t1 \"H-06\"", "Ca\t1 \"H-04\"", "'a', line 15: node 'H-04' comes twice"},
                   {"vendid", "vendor", "'a', line 4: 'vendor=0x0'; expected a line of ibnetdiscover"}});
}

std::string smi(int gpus, const std::string& cell) {
  std::string text = "\t";
  for (int i = 0; i < gpus; ++i) text += fmt::format("GPU{}\t", i);
  text += "NIC0\tCPU Affinity\n";
  for (int i = 0; i < gpus; ++i) {
    text += fmt::format("GPU{}\t", i);
    for (int j = 0; j < gpus; ++j) text += i == j ? "X\t" : cell + "\t";
    text += "SYS\t0-23\n";
  }
  return text;
}

TEST(NvidiaSmi, ManyNvlinksToAllAreSwitches) {
  const TopologyPtr eight = made(smi(8, "NV18"));
  EXPECT_EQ(eight->ranks(), 8);
  EXPECT_EQ(eight->vertices(), 9);
  const TopologyPtr four = made(smi(4, "NV4"));  // 12 in all: each GPU's own links
  EXPECT_EQ(four->vertices(), 4);
  EXPECT_EQ(four->wires(), 12);
}

TEST(NvidiaSmi, OthersHangAtBuses) {
  const std::string text =
      "\tGPU0\tGPU1\tGPU2\tGPU3\n"
      "GPU0\tX\tPIX\tSYS\tSYS\nGPU1\tPIX\tX\tSYS\tSYS\nGPU2\tSYS\tSYS\tX\tNODE\nGPU3\tSYS\tSYS\tNODE\tX\n";
  const TopologyPtr network = made(text);
  EXPECT_EQ(network->vertices(), 7);  // a bridge, a processor, and what joins both
  EXPECT_EQ(network->distance(0, 1), 2);
  EXPECT_EQ(network->distance(0, 2), 4);
  expect_complaints(text, {{"GPU0\tX\tPIX", "GPU0\tX\tPXB", "'a', line 2: 'PXB' to GPU1, and 'PIX' in line 3"},
                           {"GPU3\tSYS", "GPU3\tABC", "'a', line 2: 'SYS' to GPU3, and 'ABC' in line 5"},
                           {"GPU0\tX", "GPU0\tSYS", "'a', line 2: cell 'SYS' of GPU0 with itself; expected X"},
                           {"GPU1\tPIX\tX\tSYS\tSYS\n", "", "'a', line 3: row 'GPU2'; expected GPU1"}});
}

const std::string computer = R"(<topology version="2.0">
<object type="Machine"><object type="Package"><object type="L3Cache">
<object type="Core"><object type="PU"/><object type="PU"/></object><object type="Core"><object type="PU"/></object>
</object></object><object type="Package"><object type="NUMANode"/><object type="Core"><object type="PU"/></object>
<object type="Core"><object type="PU"/></object></object><object type="Bridge"><object type="PCIDev"/></object></object>
</topology>
)";

TEST(Hwloc, CoresShareCachesAndPackages) {
  const TopologyPtr network = made(computer);
  EXPECT_EQ(network->ranks(), 4);
  EXPECT_EQ(network->vertices(), 7);  // a cache, a package, the machine
  EXPECT_EQ(network->distance(0, 1), 2);
  EXPECT_EQ(network->distance(0, 2), 4);
  EXPECT_EQ(complaint("<topology version=\"9\"/>"),
            "'a', line 1: version '9'; expected 1.x, 2.x or 3.x of hwloc's XML");
  expect_complaints(computer, {{"L3Cache", "L9Cache", "'a', line 2: type 'L9Cache' around processors"},
                               {"Machine", "Group", "'a', line 1: no object of type Machine"},
                               {"</topology>", "", "'a', line 7: no XML"}});
}

const std::string box = R"(<system version="1">
<cpu numaid="0"><pci busid="a0" class="0x060400" link_speed="16.0 GT/s PCIe" link_width="16">
<pci busid="g0" link_speed="16.0 GT/s PCIe" link_width="16"><gpu dev="0" sm="90"><nvlink target="g1" count="6" tclass="0x030200"/></gpu></pci>
<pci busid="g1" link_speed="16.0 GT/s PCIe" link_width="16"><gpu dev="1" sm="90"><nvlink target="g0" count="6" tclass="0x030200"/></gpu></pci>
</pci></cpu>
<cpu numaid="1"><pci busid="g2" link_speed="8.0 GT/s PCIe" link_width="8"><gpu dev="2" sm="90"/></pci></cpu>
</system>
)";

TEST(Nccl, GpusHaveBusesAndNvlinks) {
  const TopologyPtr network = made(box);
  EXPECT_EQ(network->ranks(), 3);
  EXPECT_EQ(network->vertices(), 6);  // two processors and a bridge
  EXPECT_EQ(network->distance(0, 1), 1);
  EXPECT_EQ(network->distance(0, 2), 4);
  const std::string text = import_network(box, "a").text;
  EXPECT_NE(text.find("link gpu0 gpu1 123.6GB/s kind=nvlink\n"), std::string::npos) << text;  // 6 x 20.6
  EXPECT_NE(text.find("link gpu2 cpu1 6GB/s kind=pcie\n"), std::string::npos) << text;        // 8 x 60 / 80
  expect_complaints(box, {{"8.0 GT/s", "9.0 GT/s", "'a', line 6: link_speed '9.0 GT/s PCIe' and link_width 8"},
                          {"target=\"g1\"", "target=\"g0\"", "'a', line 3: an NVLink to the GPU itself"},
                          {"sm=\"90\"><nvlink", "sm=\"50\"><nvlink", "'a', line 3: an NVLink of sm 50"},
                          {"count=\"6\"", "count=\"x\"", "'a', line 3: count='x'; expected a whole number"}});
}

std::string cluster(const std::string& attributes) {
  return "<platform version=\"4.1\">\n<zone id=\"top\" routing=\"Full\">\n<cluster id=\"t\" prefix=\"n\" suffix=\"\" "
         "speed=\"1Gf\" bw=\"12.5GBps\" lat=\"100ns\" " +
         attributes + "/>\n</zone>\n</platform>\n";
}

TEST(Simgrid, ClustersAreFamilies) {
  EXPECT_EQ(import_network(cluster("radical=\"0-255\" topology=\"TORUS\" topo_parameters=\"8,8,4\""), "a").topology,
            "torus:4x8x8");
  // Four hosts a leaf; each leaf has two parents, with two cables to each.
  const TopologyPtr tree = made(cluster("radical=\"0-15\" topology=\"FAT_TREE\" topo_parameters=\"2;4,4;1,2;1,2\""));
  EXPECT_EQ(tree->ranks(), 16);
  EXPECT_EQ(tree->vertices(), 16 + 4 + 2);
  EXPECT_EQ(tree->wires(), 2 * (16 + 4 * 2 * 2));
  EXPECT_EQ(tree->distance(0, 3), 2);
  EXPECT_EQ(tree->distance(0, 15), 4);
  EXPECT_EQ(made(cluster("radical=\"0-3,7\""))->ranks(), 5);
  const std::string good = cluster("radical=\"0-15\" topology=\"TORUS\" topo_parameters=\"4,4\"");
  expect_complaints(good,
                    {{"4,4", "4,5", "'a', line 3: radical has 16 hosts and topo_parameters make 20"},
                     {"TORUS", "MESH", "'a', line 3: topology 'MESH'; expected TORUS, FAT_TREE, DRAGONFLY or FLAT"},
                     {"12.5GBps", "fast", "'a', line 3: bw='fast'; expected a rate above 0"},
                     {"</zone>", "<host id=\"h\"/></zone>", "'a', line 4: <'host'> beside a cluster"}});
}

// Two groups of 2 chassis of 3 blades of 2 nodes: 12 routers, each with 2 hosts.
TEST(Simgrid, DragonfliesHaveARouterForEachBlade) {
  const std::string text = cluster("radical=\"0-23\" topology=\"DRAGONFLY\" topo_parameters=\"2,4;2,1;3,2;2\"");
  const TopologyPtr t = made(text);
  EXPECT_EQ(t->ranks(), 24);
  EXPECT_EQ(t->vertices(), 24 + 12);
  // Green: 3 in each of 4 chassis; black: 3 in each group; one blue. Links to hosts, as all, are two arcs each.
  EXPECT_EQ(t->wires(), 2 * (24 + 4 * 3 + 2 * 3 + 1));
  EXPECT_EQ(t->distance(0, 1), 2);    // of one blade
  EXPECT_EQ(t->distance(0, 2), 3);    // of one chassis
  EXPECT_EQ(t->distance(0, 6), 3);    // the same blade of the other chassis
  EXPECT_EQ(t->distance(0, 8), 4);    // another blade of it
  EXPECT_EQ(t->distance(2, 12), 3);   // blade 1 of group 0 has the blue link to blade 0 of group 1
  EXPECT_EQ(t->distance(10, 22), 7);  // black and green to it, the link itself, green and black on
  const std::string file = import_network(text, "a").text;
  EXPECT_NE(file.find("router0.0.1 router1.0.0 400000000000"), std::string::npos) << file;  // four times 12.5 GB/s
  EXPECT_NE(file.find("router0.0.0 router0.0.1 200000000000"), std::string::npos) << file;
  EXPECT_NE(file.find("router0.0.0 router0.1.0 12.5GBps"), std::string::npos) << file;
  expect_complaints(text, {{"2,4;2,1;3,2;2", "4,4;1,1;3,2;2", "'a', line 3: 4 groups and 3 blades; expected no more"},
                           {"2,4;2,1;3,2;2", "2;2,1;3,2;2", "'a', line 3: topo_parameters; expected GROUPS,BLUE;"},
                           {"0-23", "0-22", "'a', line 3: radical has 23 hosts and topo_parameters make 24"}});
}

TEST(Simgrid, RoutesOfOneLinkJoinNodes) {
  const std::string zone =
      "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Floyd\">\n<host id=\"n0\"/><host id=\"n1\"/><router "
      "id=\"s\"/>\n"
      "<link id=\"a\" bandwidth=\"1GBps\" latency=\"1us\"/>\n<link id=\"b\" bandwidth=\"2GBps\" latency=\"1us\"/>\n"
      "<route src=\"n0\" dst=\"s\"><link_ctn id=\"a\"/></route>\n<route src=\"s\" dst=\"n1\"><link_ctn "
      "id=\"b\"/></route>\n"
      "</zone>\n</platform>\n";
  EXPECT_EQ(made(zone)->distance(0, 1), 2);
  expect_complaints(zone, {{"id=\"b\"/></route>", "id=\"a\"/></route>", "'a', line 7: link 'a' is between other nodes"},
                           {"id=\"b\"/></route>", "id=\"c\"/></route>", "'a', line 7: link 'c' is not defined"},
                           {"dst=\"n1\"", "dst=\"n2\"", "'a', line 7: 'n2' is no host or router of the zone"},
                           {"<link_ctn id=\"b\"/>", "", "'a', line 7: a route of 0 links"}});
}

TEST(Machines, UnknownFilesAreRefused) {
  EXPECT_EQ(complaint("hello").substr(0, 60), "'a': begins with 'hello'; expected topology.conf of SLURM, w");
  EXPECT_EQ(complaint("<hello/>"),
            "'a', line 1: <'hello'>; expected <topology> of hwloc, <system> of NCCL or <platform> of SimGrid");
  EXPECT_EQ(complaint("<!DOCTYPE topology [<!ENTITY a \"b\">]><topology/>"),
            "'a', line 1: it defines entities; expected none");
}

}  // namespace
}  // namespace quadrille::machines_test
