// Schedules and machines in files, as commands write and take them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "json_schema.hpp"
#include "program.hpp"

namespace quadrille::cli_files_test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

class CliFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("cli_files_" + std::to_string(getpid()));
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  Ran run(const std::string& line) { return run_program(line, folder_); }
  Json answer(const std::string& line) {
    const Ran ran = run(line + " --json");
    EXPECT_EQ(ran.status, 0) << line << ": " << ran.err;
    return Json::parse(ran.out, nullptr, false);
  }
  std::string content(const std::string& name) {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }
  fs::path folder_;
};

TEST_F(CliFiles, AWrittenScheduleIsTakenByEveryCommand) {
  const std::string question = " allreduce hypercube:3 --bytes 1024 --set ports=one";
  for (const std::string form : {"json", "msccl", "mscclpp", "goal"}) {
    const std::string choice = " --algorithm allreduce_halving", file = " --algorithm file:a." + form;
    ASSERT_EQ(run("export " + form + question + choice + " -o a." + form).status, 0);
    EXPECT_EQ(answer("verify" + question + file)["holds"], true);
    EXPECT_EQ(answer("price" + question + file)["counted"]["counts"],
              answer("price" + question + choice)["counted"]["counts"]);
    EXPECT_EQ(answer("simulate" + question + file)["simulated_s"],
              answer("simulate" + question + choice)["simulated_s"]);
    EXPECT_EQ(answer("run" + question + file + " --repeat 1")["proven"], true);
    EXPECT_EQ(answer("report" + question + file)["request"]["bytes"], 1024);
    ASSERT_EQ(run("export json" + question + file + " -o b.json").status, 0);  // and on into another form
    EXPECT_EQ(answer("verify" + question + " --algorithm file:b.json")["holds"], true);
  }
}

TEST_F(CliFiles, AFileForEachRankIsWritten) {
  const Json json = answer("export chakra allreduce crossbar:4 --bytes 4KiB --algorithm allreduce_halving -o t");
  EXPECT_EQ(json["messages"], 16);
  for (const char* name : {"t.0.et", "t.1.et", "t.2.et", "t.3.et"}) EXPECT_GT(content(name).size(), 200U) << name;
  EXPECT_FALSE(fs::exists(folder_ / "t.4.et"));
  const Ran none = run("export chakra allreduce crossbar:4");
  EXPECT_EQ(none.status, 2);
  EXPECT_NE(none.err.find("--out: chakra has a file for each rank; expected a name such as out, for out.0.et"),
            std::string::npos)
      << none.err;
}

/// The planner's choice, or what was asked for; and what is refused.
TEST_F(CliFiles, CollectivesOfATraceArePerformed) {
  std::string trace;
  for (int r = 0; r < 16; ++r) {
    const std::string rank = std::to_string(r);
    trace += rank + " init\n" + rank + " bcast 4096 3\n" + rank + " allreduce 100 1000 0\n" + rank + " bcast 4096 3\n" +
             rank + " finalize\n";
  }
  write("app.ti", trace);
  Json json = answer("replay app.ti torus:4x4");
  ASSERT_EQ(json["collectives"].size(), 2U);
  EXPECT_EQ(json["collectives"][0]["collective"], "allreduce");
  EXPECT_EQ(json["collectives"][0]["bytes"], 800);
  EXPECT_EQ(json["collectives"][1]["times"], 2);
  EXPECT_EQ(json["collectives"][1]["planned"], true);
  json = answer("replay app.ti torus:4x4 --algorithm bcast_halving --algorithm allreduce_swing_latency:far=1");
  EXPECT_EQ(json["collectives"][1]["algorithm"], "bcast_halving");
  EXPECT_EQ(json["collectives"][1]["planned"], false);
  EXPECT_NE(run("replay app.ti torus:4x4 --algorithm bcast_halving").out.find("bcast_halving, as asked"),
            std::string::npos);
  EXPECT_NE(run("replay app.ti ring:8").err.find("of all its 16 ranks, and ring:8 has 8"), std::string::npos);
  EXPECT_NE(run("replay app.ti torus:4x4 --algorithm scan_chain").err.find("the trace has no scan"), std::string::npos);
  EXPECT_NE(run("replay app.ti torus:4x4 --algorithm bcast_halving --algorithm bcast_chain").err.find("a second one"),
            std::string::npos);
}

TEST_F(CliFiles, ATraceMayBeAListOfFiles) {
  fs::create_directories(folder_ / "parts");
  write("parts/1.txt", "0 init\n0 send 1 0 100\n0 finalize");
  write("parts/2.txt", "1 init\n1 recv 0 0 100\n1 finalize\n");
  write("rec.ti", "parts/1.txt\nparts/2.txt\n");
  EXPECT_EQ(answer("replay rec.ti ring:2")["messages"], 1);
  write("rec.ti", "parts/1.txt\nparts/3.txt\n");
  EXPECT_NE(run("replay rec.ti ring:2").err.find("'rec.ti': there is no file 'parts/3.txt'"), std::string::npos);
  write("parts/2.txt", "1 init\n1 frobnicate\n1 finalize\n");
  write("rec.ti", "parts/1.txt\nparts/2.txt\n");
  EXPECT_NE(run("replay rec.ti ring:2").err.find("'rec.ti and its 2 files one after the other', line 5"),
            std::string::npos);
}

TEST_F(CliFiles, AScheduleFileIsAsItsSchemaSays) {
  JsonSchemas schemas(fs::path(QUADRILLE_SOURCE_DIR) / "docs" / "schema");
  for (const std::string line :
       {"allreduce crossbar:6 --bytes 97 --algorithm allreduce_ring", "bcast ring:5 --algorithm bcast_chain:packets=3",
        "multibcast mesh:3x5 --sources E(3)", "reduce_scatter crossbar:4 --counts 1,2,3,4", "alltoall torus:3x3"}) {
    ASSERT_EQ(run("export json " + line + " -o a.json").status, 0) << line;
    for (const std::string& wrong : schemas.complaints("schedule", Json::parse(content("a.json"))))
      ADD_FAILURE() << line << ": " << wrong;
  }
}

TEST_F(CliFiles, AWrongScheduleGetsACounterexample) {
  ASSERT_EQ(run("export json bcast ring:4 --algorithm bcast_chain:packets=1 -o a.json").status, 0);
  std::string text = content("a.json");
  const std::string last = R"({"recv": 2, "out": [0]})";
  const auto at = text.find(last);
  ASSERT_NE(at, std::string::npos) << text;
  write("b.json", text.replace(at, last.size(), R"({"recv": 1, "out": [0]})"));
  const Ran ran = run("verify bcast ring:4 --algorithm file:b.json");
  EXPECT_EQ(ran.status, 1);
  EXPECT_NE(ran.out.find("wrong: matching"), std::string::npos) << ran.out;
  EXPECT_NE(run("run bcast ring:4 --algorithm file:b.json").status, 0);
  const Ran other = run("verify gather ring:4 --algorithm file:a.json");
  EXPECT_NE(other.err.find("file:a.json performs bcast, not gather"), std::string::npos) << other.err;
  const Ran none = run("verify bcast ring:4 --algorithm file:none.json");
  EXPECT_NE(none.err.find("none.json"), std::string::npos) << none.err;
}

TEST_F(CliFiles, BareGoalIsPricedAndSimulatedButNotProven) {
  write("a.goal", "num_ranks 2\nrank 0 {\na: send 64b to 1\n}\nrank 1 {\na: recv 64b from 0\n}\n");
  const std::string question = " bcast crossbar:2 --bytes 64 --algorithm file:a.goal";
  EXPECT_EQ(answer("price" + question)["traffic"]["messages"], 1);
  EXPECT_EQ(answer("simulate" + question)["messages"], 1);
  for (const std::string command : {"verify", "run"}) {
    const Ran ran = run(command + question);
    EXPECT_NE(ran.status, 0);
    EXPECT_NE(ran.err.find("there is nothing to prove"), std::string::npos) << ran.err;
  }
}

TEST_F(CliFiles, ANetworkFromAFileIsUsedAtOnce) {
  write("t.conf",
        "SwitchName=leaf0 Nodes=n[00-03]\nSwitchName=leaf1 Nodes=n[04-07]\nSwitchName=spine Switches=leaf[0-1]\n");
  const Json said = answer("topology --from t.conf --write t.net");
  EXPECT_EQ(said["topology"], "graph:t.net");
  EXPECT_EQ(said["form"], "topology.conf of SLURM");
  EXPECT_EQ(answer("topology graph:t.net")["ranks"], 8);
  EXPECT_EQ(run("plan bcast graph:t.net").status, 0);
  JsonSchemas schemas(fs::path(QUADRILLE_SOURCE_DIR) / "docs" / "schema");
  EXPECT_TRUE(schemas.complaints("topology", said).empty());
  write("t.conf", "SwitchName=leaf0 Nodes=n[00-03\n");
  EXPECT_NE(run("topology --from t.conf").err.find("'t.conf', line 1"), std::string::npos);
  EXPECT_NE(run("topology --write t.net").err.find("--from"), std::string::npos);
}

}  // namespace
}  // namespace quadrille::cli_files_test
