// Wires that fail and come back under traffic, and networks with switches and several ranks a host, in the kernel.
#include <sys/wait.h>

#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>

#include "lab.hpp"
#include "lab_network.hpp"
#include "launch.hpp"
#include "system.hpp"

namespace quadrille::lab::network_test {
namespace {

/// The nodes on a message's way by the kernel's own answers.
std::vector<int> kernels_way(const Lab& lab, int from, int to) {
  std::vector<int> nodes{from};
  while (nodes.back() != to && nodes.size() < 20) {
    const Node& at = lab.blueprint.nodes[static_cast<std::size_t>(nodes.back())];
    const auto way = nlohmann::json::parse(run({"ip", "-netns", at.name, "-j", "route", "get", address(to)}));
    const std::string device = way.at(0).at("dev");
    for (const Port& port : at.ports)
      if (port.device == device) nodes.push_back(port.peer);
  }
  return nodes;
}

/// The same by the topology, in the lab's numbers.
std::vector<int> topologys_way(const Topology& topology, int from, int to) {
  const Rank k = std::max<Rank>(topology.structure().per_node, 1);
  std::vector<int> nodes{from};
  std::vector<Link> path;
  topology.route(from * k, to * k, path);
  for (const Link link : path) {
    const Rank head = topology.head(link);
    const auto node = static_cast<int>(topology.structure().per_node == 0 ? head
                                       : head < topology.ranks()          ? head / k
                                                                          : head - topology.ranks());
    if (node != nodes.back()) nodes.push_back(node);
  }
  return nodes;
}

void expect_ways(const Lab& lab, const std::string& topology) {
  const TopologyPtr t = parse_topology(topology);
  for (int from = 0; from < lab.blueprint.wiring.hosts; ++from)
    for (int to = 0; to < lab.blueprint.wiring.hosts; ++to)
      EXPECT_EQ(kernels_way(lab, from, to), topologys_way(*t, from, to)) << topology << ": " << from << " to " << to;
}

TEST_F(LabNetwork, SwitchesForwardAsTheTopologyDoes) {
  for (const char* network : {"fattree:2x2x2", "star:3*2", "'dragonfly:2,1,1'", "torus:3x3@0,4,8*2"}) {
    ASSERT_EQ(ran(std::string("up ") + network + state()).status, 0) << network;
    const Lab lab = open(folder_);
    expect_ways(lab, lab.blueprint.wiring.topology);
    const Ran probed = ran("probe 0 1 --bytes 64KiB --json" + state());
    EXPECT_EQ(probed.status, 0) << network << ": " << probed.out;
    ASSERT_EQ(ran("down" + state()).status, 0);
  }
}

TEST_F(LabNetwork, AGraphFromAFileHasTheRatesItStates) {
  const std::string file = folder_.string() + ".net";
  std::ofstream(file) << "host a b c\nswitch s\nlink a s 100Mbit/s\nlink b s 100Mbit/s\nlink c s 2Mbit/s\n";
  const Ran up = ran("up graph:" + file + state());
  ASSERT_EQ(up.status, 0) << up.out;
  EXPECT_NE(up.out.find("6 links of 2mbit to 100mbit"), std::string::npos) << up.out;
  const auto rate = [&](const std::string& pair) -> double {
    return nlohmann::json::parse(ran("probe " + pair + " --bytes 128KiB --json" + state()).out)["bits_per_second"];
  };
  EXPECT_LT(rate("0 2"), 2.2e6);
  EXPECT_GT(rate("0 1"), 5e6);
  std::ofstream(file) << "host a b\nlink a b 1\n";
  const Ran changed = ran("links" + state());
  EXPECT_NE(changed.status, 0) << "the file is another one now";
  EXPECT_NE(changed.out.find("down"), std::string::npos) << changed.out;
  EXPECT_EQ(ran("down" + state()).status, 0);
  std::filesystem::remove(file);
}

TEST_F(LabNetwork, RoutesLeadAroundAWireThatFailedAndBack) {
  ASSERT_EQ(ran("up ring:4" + state()).status, 0);
  EXPECT_EQ(ran("fail 0-1" + state()).status, 0);
  Lab lab = open(folder_);
  expect_ways(lab, "ring:4!0-1");
  EXPECT_EQ(run({"cat", lab.topology_file()}), "ring:4!0-1\n");
  EXPECT_EQ(ran("probe 0 1 --bytes 64KiB" + state()).status, 0);
  for (const Traffic& t : traffic(lab))
    EXPECT_TRUE(t.link != "2->1" || t.bytes > 64 * 1024) << "the long way round carried " << t.bytes;
  const Ran cut = ran("fail 2-3" + state());
  EXPECT_EQ(cut.status, 2) << cut.out;
  expect_ways(open(folder_), "ring:4!0-1");
  EXPECT_EQ(ran("fail 0-2" + state()).status, 2) << "no such wire";
  EXPECT_EQ(ran("restore 0-1" + state()).status, 0);
  expect_ways(open(folder_), "ring:4");
  EXPECT_EQ(ran("probe 0 1 --bytes 64KiB" + state()).status, 0);
}

/// A transfer of two seconds loses its wire in the midst and still arrives, by the other way.
TEST_F(LabNetwork, AProgramGoesOnWhenAWireFails) {
  ASSERT_EQ(ran("up ring:4 --rate 5mbit" + state()).status, 0);
  const pid_t child = fork();
  if (child == 0) _exit(ran("probe 0 1 --bytes 1MiB" + state()).status);
  usleep(700'000);
  EXPECT_EQ(ran("fail 0-1" + state()).status, 0);
  int status = -1;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << "1 MiB did not arrive";
  std::int64_t detour = 0;
  for (const Traffic& t : traffic(open(folder_)))
    if (t.link == "3->2") detour = t.bytes;
  EXPECT_GT(detour, 256 * 1024) << "of 1 MiB less what 0.7 s carry";
}

TEST_F(LabNetwork, WhatCrossesALostWireWaitsForItsReturn) {
  ASSERT_EQ(ran("up star:2 --rate 5mbit" + state()).status, 0);
  EXPECT_EQ(ran("fail 1-s0" + state()).status, 2) << "the only way to host 1";
  const pid_t child = fork();
  if (child == 0) _exit(ran("probe 0 1 --bytes 512KiB" + state()).status);
  usleep(300'000);
  EXPECT_EQ(ran("fail 1-s0 --keep-routes" + state()).status, 0);
  usleep(1'500'000);
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, WNOHANG), 0) << "nothing can have arrived";
  EXPECT_EQ(ran("restore" + state()).status, 0);
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

bool has(const std::string& program) { return std::system(("command -v " + program + " > /dev/null").c_str()) == 0; }

/// Ranks in the order of hosts, two on each, under both MPIs.
TEST_F(LabNetwork, RanksAreOnHostsInTheirOrder) {
  ASSERT_EQ(ran("up star:2*2" + state()).status, 0);
  const Lab lab = open(folder_);
  const std::map<std::string, std::string> launchers{{"openmpi", "mpirun.openmpi"}, {"mpich", "mpiexec.mpich"}};
  for (const auto& [mpi, launcher] : launchers) {
    if (!has(launcher)) continue;
    const std::string rank = mpi == "openmpi" ? "$OMPI_COMM_WORLD_RANK" : "$PMI_RANK";
    const Ran all = ran("mpirun" + state() + " " + mpi + " --timeout 60 sh -c 'echo rank " + rank + " $(hostname)'");
    EXPECT_EQ(all.status, 0) << all.out;
    for (int r = 0; r < 4; ++r)
      EXPECT_NE(all.out.find(fmt::format("rank {} {}\n", r, lab.blueprint.nodes[static_cast<std::size_t>(r / 2)].name)),
                std::string::npos)
          << all.out;
    EXPECT_EQ(ran("mpirun" + state() + " " + mpi + " -n 5 hostname").status, 2) << "more ranks than the hosts have";
  }
}

}  // namespace
}  // namespace quadrille::lab::network_test
