// Exit statuses, errors for programs that parse, help, and the line that says that there is work.
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "program.hpp"

namespace quadrille::cli_status_test {
namespace {

using Json = nlohmann::json;

struct Ends {
  std::string line;
  int status;
};

TEST(CliStatus, EveryCommandEndsAsDocumented) {
  const std::vector<Ends> all{
      {"plan bcast ring:4", 0},
      {"plan transpose mesh:3x3 --machine unit --set duplex=node-half --set switching=store-and-forward", 1},
      {"plan bcast fattree:1024 64", 3},
      {"verify transpose mesh:3x3 --machine unit --set duplex=node-half --set switching=store-and-forward", 1},
      {"verify bcast ring:4", 0},
      {"verify allgather torus:5x7 --budget 100", 3},
      {"verify allgather ring:8 --algorithm allgather_daisy --budget 10", 3},
      {"verify alltoall hypercube:6 --machine unit --algorithm alltoall_direct", 2},
      {"price bcast ring:4 --algorithm bcast_chain", 0},
      {"price allgather ring:64 --algorithm allgather_daisy --budget 5", 3},
      {"price bcast hypercube:10 --machine unit --bytes 1GiB --algorithm bcast_pipelined:packets=1000000", 3},
      {"simulate bcast ring:4", 0},
      {"simulate allgather ring:3 --algorithm allgather_doubling", 2},
      {"run bcast ring:4 --algorithm bcast_chain --repeat 1", 0},
      {"run allgather crossbar:64 --set ports=all --algorithm allgather_linear --bytes 1GiB", 3},
      {"sweep bcast ring:4 --bytes 8", 0},
      {"sweep bcast ring:4 --bytes 8..1", 2},
      {"reproduce nobody", 2},
      {"algorithm nosuch", 2},
      {"topology ring:0", 2},
      {"machine nosuch", 2},
      {"tune --ranks 1", 2},
      {"wisdom show none", 2},
      {"plot bcast ring:4 -o x.gif", 2},
      {"report bcast ring:4", 2},
      {"--help", 0},
      {"nonsense", 2}};
  for (const Ends& ends : all) EXPECT_EQ(run_program(ends.line).status, ends.status) << ends.line;
}

TEST(CliStatus, AnInterruptedSweepEndsWith130AndGoesOn) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "cli_interrupted";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string line =
      "sweep alltoall torus:16x16 --bytes 1..4KiB+1 --effort simulate --messages 65536 --threads 1 -o s.csv";
  const pid_t child = start_program(line, folder);
  const auto lines = [&] {
    std::ifstream file(folder / "s.csv");
    return std::count(std::istreambuf_iterator<char>(file), {}, '\n');
  };
  for (int i = 0; i < 600 && lines() < 3; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(end_program(child, SIGINT), 130);
  EXPECT_GE(lines(), 3);
  std::filesystem::remove_all(folder);
}

TEST(CliStatus, ErrorsAreJsonForThoseWhoAskedForIt) {
  struct Case {
    std::string line, kind, says;
    int status;
  };
  const std::vector<Case> cases{
      {"plan bcast ring:0 --json", "argument", "expected", 2},
      {"plan bcast --json", "usage", "TOPOLOGY is required", 2},
      {"plann --json", "usage", "did you mean 'plan'?", 2},
      {"simulate allgather ring:3 --algorithm allgather_doubling --json", "illegal", "", 2},
      {"price allgather ring:64 --algorithm allgather_daisy --budget 5 --json", "budget", "--budget", 3},
      {"report bcast ring:4 -o nowhere/x.html --json", "argument", "there is no folder 'nowhere'", 2}};
  for (const Case& c : cases) {
    const Ran ran = run_program(c.line);
    EXPECT_EQ(ran.status, c.status) << c.line;
    const Json json = Json::parse(ran.out, nullptr, false);
    ASSERT_TRUE(json.is_object() && json.size() == 1 && json.contains("error")) << c.line << ": " << ran.out;
    EXPECT_EQ(json["error"]["kind"], c.kind) << c.line;
    EXPECT_EQ(json["error"]["status"], c.status) << c.line;
    const std::string message = json["error"]["message"];
    EXPECT_NE(message.find(c.says), std::string::npos) << c.line << ": " << message;
    EXPECT_EQ(ran.err, "quadrille: " + message + "\n") << c.line;
  }
}

TEST(CliStatus, HelpIsHelp) {
  EXPECT_EQ(run_program("help").out, run_program("--help").out);
  EXPECT_EQ(run_program("help plan").out, run_program("plan --help").out);
  EXPECT_EQ(run_program("help").status, 0);
  EXPECT_EQ(run_program("help nonsense").status, 2);
  EXPECT_NE(run_program("help plann").err.find("did you mean 'plan'?"), std::string::npos);
  for (const char* part : {"0 done", "1 the answer is no", "2 bad usage", "3 not decided", "130 interrupted"})
    EXPECT_NE(run_program("--help").out.find(part), std::string::npos) << part;
}

TEST(CliStatus, LinesToGoOnWithQuoteWhatShellsWouldSplit) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "cli quoting";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "my machine.toml") << "alpha = 1e-6\nbeta = 1e-9\n";
  const Ran ran = run_program({"plan", "bcast", "ring:4", "--machine", "my machine.toml"}, folder);
  EXPECT_NE(ran.out.find("--machine 'my machine.toml' --algorithm"), std::string::npos) << ran.out << ran.err;
  std::filesystem::remove_all(folder);
}

TEST(CliStatus, LongWorkIsSaidOnATerminalOnly) {
  const std::string line = "simulate alltoall torus:76x76 --machine unit --algorithm alltoall_bidir --quick";
  const std::string shown = run_on_terminal(line, true).out;
  EXPECT_NE(shown.find("at work (2 s)"), std::string::npos) << shown;
  EXPECT_EQ(run_program("verify bcast ring:4").err, "");
}

}  // namespace
}  // namespace quadrille::cli_status_test
