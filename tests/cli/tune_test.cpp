// The commands tune and topology --here, as a person runs them.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace quadrille::cli_tune_test {
namespace {

using Json = nlohmann::json;

class TuneCommand : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) / fmt::format("tune_{}", getpid());
};

/// Constants of three threads in a file that a plan takes.
TEST_F(TuneCommand, WritesAMachineThatPlansTake) {
  const Ran ran = run_program(
      {"tune", "--transport", "threads", "--ranks", "3", "--seconds", "0.2", "--output", "here.toml", "--json"},
      folder_);
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = Json::parse(ran.out);
  EXPECT_EQ(json["ranks"], 3);
  EXPECT_EQ(json["transport"], "threads");
  EXPECT_EQ(json["samples"]["one_way"].size(), 3u);
  EXPECT_EQ(json["machine"]["origins"]["alpha"]["honesty"], "measured");
  const Ran plan = run_program({"plan", "alltoall", "crossbar:3", "--machine", "here.toml", "--json"}, folder_);
  ASSERT_EQ(plan.status, 0) << plan.err;
  const Json machine = Json::parse(plan.out)["machine"];
  EXPECT_EQ(machine["alpha_s"], json["machine"]["alpha_s"]);
  EXPECT_EQ(machine["beta_s_per_byte"], json["machine"]["beta_s_per_byte"]);
  EXPECT_EQ(machine["overhead_send_s"], json["machine"]["overhead_send_s"]);
  if (json["groups"].empty()) {  // else a busy moment made one rank far from both others
    EXPECT_EQ(json["samples"]["sent"]["many"], 2) << "both others";
    EXPECT_EQ(json["machine"]["origins"]["overhead_receive"]["honesty"], "measured") << "also where it is none";
  }
  EXPECT_EQ(machine["measured"]["transport"], "threads");
  EXPECT_EQ(machine["measured"]["ranks"], 3);
  EXPECT_EQ(machine["measured"]["hosts"], 1);
  const std::string topology = machine["measured"]["topology"];
  const Ran other = run_program({"plan", "alltoall", "ring:4", "--machine", "here.toml"}, folder_);
  EXPECT_NE(other.out.find("measured between 3 threads on"), std::string::npos) << other.out;
  EXPECT_NE(other.out.find("ring:4"), std::string::npos) << other.out << topology;
}

TEST_F(TuneCommand, SaysWhatIsWrong) {
  const auto refused = [&](const std::vector<std::string>& arguments, const std::string& reason) {
    const Ran ran = run_program(arguments, folder_);
    EXPECT_EQ(ran.status, 2);
    EXPECT_NE(ran.err.find(reason), std::string::npos) << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
  };
  refused({"tune", "--transport", "thread"}, "did you mean 'threads'");
  refused({"tune", "--ranks", "1"}, "--ranks");
  refused({"tune", "--ranks", "3", "--topology", "ring:4"}, "ring:4 has 4 ranks, and there are 3");
  refused({"tune", "--topology", "ring:3@0,1,1"}, "node 1 has two ranks");
  std::ofstream(folder_ / "hosts.toml") << "topology = 'ring:3'\nhosts = ['a', 'b', 'c']\n";
  refused({"tune", "--topology", "hosts.toml"}, "names hosts, and threads are all on one");
  refused({"tune", "--seconds", "0"}, "--seconds 0: expected more than 0");
  refused({"tune", "--segment", "1KiB"}, "--segment");
  refused({"tune", "--transport", "mpi"}, "not started by an MPI");
  refused({"topology", "ring:4", "--here"}, "--here");
}

/// A plan measured on threads, kept and found again.
TEST_F(TuneCommand, PlansByMeasurement) {
  const std::vector<std::string> words{"plan",    "allgather", "ring:3", "--bytes",  "1KiB", "--effort",
                                       "measure", "--seconds", "0.2",    "--wisdom", "w",    "--json"};
  const Ran first = run_program(words, folder_), second = run_program(words, folder_);
  ASSERT_EQ(first.status, 0) << first.err;
  ASSERT_EQ(second.status, 0) << second.err;
  const Json fresh = Json::parse(first.out), kept = Json::parse(second.out);
  EXPECT_EQ(fresh["effort"], "measure");
  EXPECT_EQ(fresh["measured_on"], "threads");
  EXPECT_FALSE(fresh["recalled"]);
  EXPECT_GT(fresh["best"]["measured_s"], 0);
  EXPECT_TRUE(kept["recalled"]);
  EXPECT_EQ(kept["best"]["choice"], fresh["best"]["choice"]);
  EXPECT_EQ(kept["best"]["measured_s"], fresh["best"]["measured_s"]);
  EXPECT_EQ(run_program({"plan", "bcast", "ring:3", "--transport", "mpi"}, folder_).status, 2);
}

/// Whatever the computer, its threads are as many as those of the topology it names.
TEST_F(TuneCommand, TopologyHereNamesOne) {
  const Ran ran = run_program({"topology", "--here", "--json"}, folder_);
  ASSERT_EQ(ran.status, 0) << ran.err;
  const Json json = Json::parse(ran.out);
  EXPECT_GE(json["threads"], 1);
  EXPECT_EQ(json["topology"], fmt::format("crossbar:{}", json["threads"].get<int>()));
  for (const Json& cache : json["caches"]) EXPECT_GT(cache["bytes"], 0);
  EXPECT_NE(run_program(std::vector<std::string>{"topology", "--here"}, folder_)
                .out.find("nodes with memory inside is assumed"),
            std::string::npos);
}

}  // namespace
}  // namespace quadrille::cli_tune_test
