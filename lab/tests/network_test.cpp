// Labs made and used on this machine. Needs root and network namespaces; says so and skips without.
#include <sched.h>

#include <cstdlib>
#include <future>
#include <map>
#include <nlohmann/json.hpp>

#include "json_schema.hpp"
#include "lab.hpp"
#include "lab_network.hpp"
#include "launch.hpp"
#include "system.hpp"

namespace quadrille::lab::network_test {
namespace {

constexpr int skipped = 77;  // as tests/CMakeLists.txt has it

std::int64_t bytes_over(const Lab& lab, const std::string& link) {
  for (const Traffic& t : traffic(lab))
    if (t.link == link) return t.bytes;
  ADD_FAILURE() << "no link " << link;
  return 0;
}

TEST_F(LabNetwork, AnswersAreAsTheSchemaSays) {
  JsonSchemas schemas(std::filesystem::path(QUADRILLE_SOURCE_DIR) / "docs/schema");
  for (const char* line : {"status", "up ring:3*2", "list", "status", "links", "set 0 1 5mbit",
                           "probe 0 1 --bytes 1KiB", "fail 0-1", "links", "restore", "down"}) {
    const bool of_all = std::string_view(line) == "list";
    const Ran answer = ran(std::string(line) + (of_all ? "" : state()) + " --json");
    for (const std::string& wrong : schemas.complaints("lab", nlohmann::json::parse(answer.out, nullptr, false)))
      ADD_FAILURE() << line << ": " << wrong;
  }
}

/// The kernel's own answer, host by host, against the topology's route.
TEST_F(LabNetwork, HopsAreTheTopologysRoutes) {
  for (const char* network : {"ring:4", "torus:3x3", "hypercube:3"}) {
    ASSERT_EQ(ran(std::string("up ") + network + state()).status, 0);
    const Lab lab = open(folder_);
    const TopologyPtr topology = parse_topology(network);
    for (Rank from = 0; from < topology->ranks(); ++from)
      for (Rank to = 0; to < topology->ranks(); ++to) {
        std::vector<Link> path;
        topology->route(from, to, path);
        for (const Link link : path) {
          const auto& at = lab.blueprint.nodes[static_cast<std::size_t>(topology->tail(link))];
          const std::string way = run({"ip", "-netns", at.name, "-j", "route", "get", address(static_cast<int>(to))});
          EXPECT_EQ(nlohmann::json::parse(way)[0]["dev"], fmt::format("to{}", topology->head(link)))
              << network << ": " << from << " to " << to;
        }
      }
    ASSERT_EQ(ran("down" + state()).status, 0);
    ASSERT_EQ(present(), before_);
  }
}

/// TCP in packets of 1500 bytes carries 1448 in 1514, 19.13 of 20 Mbit/s; the band leaves room for a busy machine below
/// and for what the first queues swallow above.
TEST_F(LabNetwork, BytesArriveAtTheRateOfTheLinkAndTakeTheRoute) {
  ASSERT_EQ(ran("up ring:4" + state()).status, 0);
  const Lab lab = open(folder_);
  const Ran probed = ran("probe 0 2 --bytes 512KiB --json" + state());
  ASSERT_EQ(probed.status, 0) << probed.out;
  const double rate = nlohmann::json::parse(probed.out)["bits_per_second"];
  EXPECT_GT(rate, 5e6);
  EXPECT_LT(rate, 21e6);
  for (const char* link : {"0->1", "1->2"}) EXPECT_GT(bytes_over(lab, link), 512 * 1024) << link;
  // Half way round goes clockwise, and so do the answers, from 2 to 0 by 3. Each is 1 byte, the acknowledgements some
  // 66 bytes for every other packet of 1448: less than 30000 bytes of 512 KiB.
  for (const char* link : {"2->3", "3->0"}) {
    EXPECT_GT(bytes_over(lab, link), 0) << link;
    EXPECT_LT(bytes_over(lab, link), 100'000) << link;
  }
  for (const char* link : {"1->0", "0->3", "2->1", "3->2"}) EXPECT_EQ(bytes_over(lab, link), 0) << link;
  for (const Traffic& t : traffic(lab)) EXPECT_EQ(t.drops, 0) << t.link;
}

TEST_F(LabNetwork, ARateCanBeChanged) {
  ASSERT_EQ(ran("up star:2 --rate 100mbit" + state()).status, 0);
  ASSERT_EQ(ran("set 1 s0 2mbit" + state()).status, 0);
  const Ran probed = ran("probe 0 1 --bytes 128KiB --json" + state());
  const double rate = nlohmann::json::parse(probed.out)["bits_per_second"];
  EXPECT_LT(rate, 2.2e6);
  const Ran status = ran("status --json" + state());
  const auto json = nlohmann::json::parse(status.out);
  EXPECT_EQ(json["topology"], "crossbar:2");
  for (const auto& link : json["links"])
    EXPECT_EQ(link["bits_per_second"], link["link"] == "0->s0" || link["link"] == "s0->0" ? 100'000'000 : 2'000'000);
  EXPECT_EQ(ran("set 0 1 2mbit" + state()).status, 2) << "no wire joins them";
}

/// A bus of 20 Mbit/s is shared: what one flow gets, and that all of it goes through the one shaper.
TEST_F(LabNetwork, ABusCarriesEverything) {
  ASSERT_EQ(ran("up bus:3" + state()).status, 0);
  ASSERT_EQ(ran("probe 0 2 --bytes 128KiB" + state()).status, 0);
  EXPECT_GT(bytes_over(open(folder_), "the bus"), 128 * 1024);
}

TEST_F(LabNetwork, HostsHaveNamesOfTheirOwnAndExecPassesTheStatusOn) {
  ASSERT_EQ(ran("up ring:3" + state()).status, 0);
  const Lab lab = open(folder_);
  EXPECT_EQ(ran("exec" + state() + " 1 hostname").out, lab.blueprint.nodes[1].name + "\n");
  EXPECT_EQ(ran("exec" + state() + " 1 sh -c 'exit 5'").status, 5);
  EXPECT_EQ(ran("exec" + state() + " 3 true").status, 2);
  EXPECT_EQ(ran("exec" + state() + " 0 getent hosts " + lab.blueprint.nodes[2].name).out.substr(0, 9), "10.77.0.3");
  // The machine's own settings are not the lab's.
  std::ifstream forward("/proc/sys/net/ipv4/tcp_early_retrans"), inside;
  std::string here;
  forward >> here;
  EXPECT_EQ(ran("exec" + state() + " 0 cat /proc/sys/net/ipv4/tcp_early_retrans").out, "0\n");
  EXPECT_NE(here, "0") << "is the machine's own by default 3";
}

/// rsh as mpirun calls it: options for ssh, the host, then words for a shell.
TEST_F(LabNetwork, TheAgentRunsALineOnAHost) {
  ASSERT_EQ(ran("up ring:2" + state()).status, 0);
  const Lab lab = open(folder_);
  EXPECT_EQ(run({lab.rsh(), "-x", lab.blueprint.nodes[1].name, "echo", "a;", "hostname"}),
            "a\n" + lab.blueprint.nodes[1].name + "\n");
}

/// What one host's ranks share is not there for another host: neither files in memory nor System V segments. Both look
/// at the same time, as the kernel gives the number of what has ended to the next.
TEST_F(LabNetwork, MemoryIsAHostsOwn) {
  ASSERT_EQ(ran("up star:2*2" + state()).status, 0);
  const std::string look = "sleep 1; ls /dev/shm; readlink /proc/self/ns/ipc; sleep 1'";
  auto writer = std::async(std::launch::async, [&] {
    return ran("exec" + state() + " 0 sh -c 'echo mine > /dev/shm/quadrille-lab-test; " + look);
  });
  const Ran other = ran("exec" + state() + " 1 sh -c '" + look), one = writer.get();
  EXPECT_NE(one.out.find("quadrille-lab-test"), std::string::npos) << one.out;
  EXPECT_EQ(other.out.find("quadrille-lab-test"), std::string::npos) << other.out;
  const auto ipc = [](const std::string& out) { return out.substr(out.find("ipc:")); };
  EXPECT_NE(ipc(one.out), ipc(other.out));
  EXPECT_FALSE(std::filesystem::exists("/dev/shm/quadrille-lab-test"));
}

bool installed(const std::string& program) {
  return std::system(("command -v " + program + " > /dev/null").c_str()) == 0;
}

/// Both MPIs start anything, so that a program that says where it runs needs no MPI of its own.
TEST_F(LabNetwork, RankIIsOnHostI) {
  ASSERT_EQ(ran("up ring:3" + state()).status, 0);
  const Lab lab = open(folder_);
  const std::map<std::string, std::string> launchers{{"openmpi", "mpirun.openmpi"}, {"mpich", "mpiexec.mpich"}};
  for (const auto& [mpi, launcher] : launchers) {
    if (!installed(launcher)) continue;
    const std::string rank = mpi == "openmpi" ? "$OMPI_COMM_WORLD_RANK" : "$PMI_RANK";
    const std::string show = " sh -c 'echo " + rank + " $(hostname) $FOO'";
    const Ran all = ran("mpirun" + state() + " " + mpi + " --timeout 60 -x FOO=bar" + show);
    EXPECT_EQ(all.status, 0) << all.out;
    for (int host = 0; host < 3; ++host)
      EXPECT_NE(all.out.find(fmt::format("{} {} bar", host, lab.blueprint.nodes[static_cast<std::size_t>(host)].name)),
                std::string::npos)
          << all.out;
    EXPECT_EQ(ran("mpirun" + state() + " " + mpi + " -n 2 --timeout 60 sh -c 'exit 3'").status, 3) << mpi;
    EXPECT_EQ(ran("mpirun" + state() + " " + mpi + " -n 4 hostname").status, 2) << "more ranks than hosts";
    EXPECT_EQ(ran("mpirun" + state() + " " + mpi + " --timeout 3 sleep 100").status, 124) << mpi;
    for (const Node& node : lab.blueprint.nodes) EXPECT_TRUE(processes_in(node.name).empty()) << mpi;
  }
}

/// Ranks of MPICH that had finished no longer answered those that had not: from 8 hosts on, no program ended.
TEST_F(LabNetwork, ProgramsOfMpichEnd) {
  if (!installed("mpicc.mpich")) GTEST_SKIP() << "needs mpicc.mpich";
  ASSERT_EQ(ran("up ring:8" + state()).status, 0);
  tools_ = folder_.string() + "-tools";
  std::filesystem::create_directories(tools_);
  const std::string program = tools_ / "sum";
  std::ofstream(program + ".c") << "#include <mpi.h>\nint main(void) {\n  int one = 1, all = 0;\n  MPI_Init(0, 0);\n"
                                   "  MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);\n"
                                   "  MPI_Finalize();\n  return all != 8;\n}\n";
  ASSERT_EQ(std::system(("mpicc.mpich -o " + program + " " + program + ".c").c_str()), 0);
  for (int turn = 0; turn < 3; ++turn) EXPECT_EQ(ran("mpirun" + state() + " mpich --timeout 30 " + program).status, 0);
}

}  // namespace

/// Why no lab can be made here; empty when one can.
std::string missing() {
  if (geteuid() != 0) return "needs root";
  const pid_t child = fork();
  if (child == 0) _exit(unshare(CLONE_NEWNET) == 0 ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  if (status != 0) return "no network namespaces here";
  if (std::system("ip -V > /dev/null 2>&1 && tc -V > /dev/null 2>&1") != 0) return "needs ip and tc of iproute2";
  return "";
}

}  // namespace quadrille::lab::network_test

int main(int argc, char** argv) {
  ::testing::InitGoogleTest(&argc, argv);
  const std::string missing = quadrille::lab::network_test::missing();
  if (!missing.empty()) {
    fmt::print(stderr, "SKIPPED: tests of emulated networks: {}\n", missing);
    return quadrille::lab::network_test::skipped;
  }
  return RUN_ALL_TESTS();
}
