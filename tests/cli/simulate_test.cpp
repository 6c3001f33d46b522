// quadrille simulate as a user meets it.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace quadrille::cli_simulate_test {
namespace {

using Json = nlohmann::json;

/// Start-up 1, 0.25 a link, 0.5 a byte.
const std::string by_hand =
    " --machine unit --set alpha=1 --set per_hop=0.25 --set beta=0.5 --set circuit=exact --set switching=circuit";

Json answer(const std::string& line) {
  const Ran ran = run_program(line + " --json");
  EXPECT_EQ(ran.status, 0) << line << ": " << ran.err;
  Json json = Json::parse(ran.out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << ran.out;
  return json;
}

// Each rank of a line of three stays until its message has left or come: 1 + 0.25 + 4 for each of two messages.
TEST(CliSimulate, TellsWhatRanksDoWhen) {
  const std::string line =
      "simulate bcast mesh:3 --bytes 8 --algorithm bcast_pipelined:packets=1" + by_hand + " --network cut-through";
  const Json json = answer(line + " --timeline");
  const Json& t = json["timeline"];
  EXPECT_EQ(json["simulated_s"], 10.5);
  EXPECT_EQ(t["simulated_s"], 10.5);
  EXPECT_EQ(t["ranks"], Json::parse("[0, 1, 2]"));
  double last = 0;
  for (std::size_t i = 0; i < t["rank"].size(); ++i) last = std::max(last, t["end"][i].get<double>());
  EXPECT_EQ(last, 1e6);
  EXPECT_FALSE(answer(line).contains("timeline"));
  EXPECT_EQ(run_program(line + " --timeline").status, 2);
}

// Blocks of 8 B down a line of four, a rank at a time: 5.25 each, three of them.
TEST(CliSimulate, PrintsAChainWorkedByHand) {
  const Ran ran = run_program("simulate bcast mesh:4 --bytes 8 --algorithm bcast_pipelined:packets=1" + by_hand +
                              " --network cut-through --heat --ascii");
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const std::string_view part :
       {"of      bcast_pipelined", "dataflow, cut-through: 3 messages, 3 hops", "time    15.75\n",
        "start-up           3     19 %", "hops            0.75      5 %", "wire              12     76 %",
        "from     to  round  what  bytes  queued", "   0   5.25      0  0->1    8 B       -",
        "5.25   10.5      1  1->2    8 B       -", "10.5  15.75      2  2->3    8 B       -", "priced  ", "limit   ",
        "link    link 0->1 is busiest, 25 %"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\nin\n" << ran.out;
  // 4 of 15.75: over a quarter of the time, so the third of eight shades; three links up, none down.
  EXPECT_NE(ran.out.find("ranks 0..        333 \n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("ranks 0..         ...\n"), std::string::npos) << ran.out;
  // Rank k has nothing until k messages of three have come, and the last never sends.
  for (const std::string_view part :
       {" 0 % waiting", " 33 % waiting", " 67 % waiting", " 100 % waiting",
        "rank 3           ::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::::"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\nin\n" << ran.out;
  // A third of 64 columns a round.
  EXPECT_NE(ran.out.find("round 0          ######################"), std::string::npos) << ran.out;
}

// Two packets of 4 B, 3.25 each, down the same line: four rounds in any order. Other pipelines are shorter in one.
TEST(CliSimulate, PlaysEveryOrder) {
  for (const std::string order : {"dataflow", "eager", "lockstep"}) {
    const Json json = answer("simulate bcast mesh:4 --bytes 8 --algorithm bcast_pipelined:packets=2 --order " + order +
                             by_hand + " --network cut-through");
    EXPECT_EQ(json["order"], order);
    EXPECT_DOUBLE_EQ(json["simulated_s"], 13) << order;
  }
  const auto time = [&](const std::string& order) {
    return answer("simulate bcast hypercube:4 --bytes 64KiB --algorithm bcast_exchange:packets=44 --order " + order +
                  by_hand)["simulated_s"]
        .get<double>();
  };
  EXPECT_LT(time("eager"), 0.7 * time("dataflow"));
  const Json plan = answer("plan bcast hypercube:3 --bytes 1KiB --effort simulate --order eager");
  EXPECT_EQ(plan["order"], "eager");
  const Ran ran = run_program("simulate bcast mesh:4 --order egar");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("dataflow, eager, lockstep"), std::string::npos) << ran.err;
}

TEST(CliSimulate, JsonHasTheWholePathAndPartsThatAddUp) {
  for (const char* line : {"simulate alltoall fattree:4 --machine cluster --bytes 20000 --set ports=one",
                           "simulate barrier star:3*2 --machine cluster --algorithm barrier_flood"}) {
    const Json json = answer(line);
    double sum = 0;
    for (const auto& [name, seconds] : json["critical"].items()) sum += seconds.get<double>();
    EXPECT_NEAR(sum, json["simulated_s"], 1e-9 * sum) << line;
    EXPECT_GT(json["critical"]["overhead_s"], 0) << line;
  }
  const Json json = answer("simulate alltoall torus:4x4 --machine ipsc860 --set switching=circuit --bytes 1KiB");
  double sum = 0, now = 0;
  for (const auto& [name, seconds] : json["critical"].items()) sum += seconds.get<double>();
  EXPECT_NEAR(sum, json["simulated_s"], 1e-9 * sum);
  ASSERT_FALSE(json["path"].empty());
  for (const Json& step : json["path"]) {
    EXPECT_DOUBLE_EQ(step["begin_s"], now);
    now = step["end_s"];
  }
  EXPECT_DOUBLE_EQ(now, json["simulated_s"]);
  for (const char* key : {"price_s", "bound", "links", "busiest_link", "busiest_port", "waiting", "rounds", "choice"})
    EXPECT_TRUE(json.contains(key)) << key;
}

TEST(CliSimulate, TracesAreFilesOrNothing) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() / "quadrille-trace-test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string line = "simulate allgather ring:5 --algorithm allgather_daisy --trace ";
  EXPECT_EQ(run_program(line + (folder / "t.json").string()).status, 0);
  EXPECT_EQ(run_program(line + (folder / "t.csv").string()).status, 0);
  std::ifstream json(folder / "t.json");
  EXPECT_FALSE(Json::parse(json, nullptr, false).is_discarded());
  std::ifstream csv(folder / "t.csv");
  int lines = 0;
  for (std::string text; std::getline(csv, text);) ++lines;
  EXPECT_EQ(lines, 1 + 5 * 4);  // every rank sends every block but one on
  EXPECT_EQ(run_program(line + (folder / "t.txt").string()).status, 2);
  EXPECT_EQ(run_program(line + (folder / "bad.csv").string() + " --fail 0-1").status, 2);
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 2) << "something was left behind";
  std::filesystem::remove_all(folder);
}

// The middle link at half the speed: 8 s instead of 4.
TEST(CliSimulate, LinksAreSlowOrFail) {
  const std::string line = "simulate bcast mesh:4 --bytes 8 --algorithm bcast_pipelined:packets=1" + by_hand;
  for (const char* slow : {"1>2=2", "1-2=2", "2=2"})
    EXPECT_DOUBLE_EQ(answer(line + " --slow " + slow)["simulated_s"], 19.75) << slow;
  EXPECT_DOUBLE_EQ(answer(line + " --slow 2>1=2")["simulated_s"], 15.75);
  const Ran failed = run_program(line + " --fail 1-2");
  EXPECT_EQ(failed.status, 2);
  EXPECT_NE(failed.err.find("the message 1->2 of round 1 needs link 1->2, which has failed"), std::string::npos)
      << failed.err;
  for (const char* wrong :
       {"--fail 0-2", "--fail 0-9", "--fail x", "--slow 0-1", "--slow 0-1=0.5", "--jitter -1", "--skew 2hours",
        "--runs 5", "--network tube", "--order random", "--tolerance 0.01", "--network fluid --tolerance 0.5"})
    EXPECT_EQ(run_program(line + " " + wrong).status, 2) << wrong;
  EXPECT_EQ(run_program("simulate bcast bus:4 --fail 0-1").status, 2);
  EXPECT_NE(
      run_program("simulate bcast omega:3 --fail 0-1").err.find("expected a link of omega:3: its number, 0 .. 31"),
      std::string::npos);
}

TEST(CliSimulate, RunsShowHowRobustAScheduleIs) {
  const std::string line = "simulate bcast mesh:4 --bytes 8 --algorithm bcast_pipelined:packets=1" + by_hand;
  const Json json = answer(line + " --jitter 10% --runs 20");
  EXPECT_EQ(json["runs"]["count"], 20);
  EXPECT_GE(json["runs"]["least_s"], 15.75);
  EXPECT_LT(json["runs"]["least_s"], json["runs"]["median_s"]);
  EXPECT_LT(json["runs"]["median_s"], json["runs"]["most_s"]);
  EXPECT_LE(json["runs"]["most_s"], 15.75 * 1.1);
  EXPECT_EQ(json, answer(line + " --jitter 10% --runs 20"));
  EXPECT_NE(json["runs"], answer(line + " --jitter 10% --runs 20 --seed 100")["runs"]);
  EXPECT_TRUE(answer(line + " --quick")["path"].is_null());
}

// The order of data keeps every block in memory. Who has not asked for it gets that of rounds where they are too many.
TEST(CliSimulate, TakesTheOrderOfRoundsWhereThatOfDataDoesNotFit) {
  const std::string question =
      "simulate allreduce hypercube:15 --bytes 1MiB --machine cluster --quick "
      "--algorithm allreduce_halving";
  const Ran usual = run_program(question + " --json");
  ASSERT_EQ(usual.status, 0) << usual.err;
  EXPECT_EQ(Json::parse(usual.out)["order"], "dataflow");
  const Ran asked = run_program(question + " --order eager");
  EXPECT_EQ(asked.status, 3);
  EXPECT_NE(asked.err.find("use order dataflow"), std::string::npos) << asked.err;
}

}  // namespace
}  // namespace quadrille::cli_simulate_test
