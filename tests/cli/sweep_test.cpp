// The commands that simulate to choose, and keep what they found out: plan --effort simulate, wisdom, sweep.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>

#include "program.hpp"
#include "quadrille/wisdom.hpp"

namespace quadrille::cli_sweep_test {
namespace {

using Json = nlohmann::json;

Json answer(const std::string& line) {
  const Ran ran = run_program(line + " --json");
  EXPECT_EQ(ran.status, 0) << line << ": " << ran.err;
  return Json::parse(ran.out, nullptr, false);
}

struct Refused {
  std::string line, part;
};
void expect_refused(const std::vector<Refused>& cases) {
  for (const auto& [line, part] : cases) {
    const Ran ran = run_program(line);
    EXPECT_EQ(ran.status, 2) << line;
    EXPECT_EQ(ran.out, "") << line;
    EXPECT_NE(ran.err.find(part), std::string::npos) << line << ": " << ran.err;
  }
}

TEST(CliSweep, PlanBySimulationShowsPriceAndTime) {
  const std::string line = "plan alltoall hypercube:6 --machine ipsc860 --bytes 32 --effort simulate";
  const Ran ran = run_program(line);
  EXPECT_EQ(ran.status, 0) << ran.err;
  for (const char* part : {"simulated message by message, circuit network", "simulated     price  vs best",
                           "8 candidates priced, 1 simulated, 7 too slow at the least to be simulated"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << " in\n" << ran.out;
  const Json json = answer(line);
  EXPECT_EQ(json["effort"], "simulate");
  EXPECT_EQ(json["best"]["clock"], "timed");
  const double priced = json["best"]["price_s"];
  EXPECT_NEAR(json["best"]["simulated_s"], priced, 1e-12);  // nothing competes
  EXPECT_GE(json["candidates"][1]["at_least_s"], json["best"]["simulated_s"]);
  expect_refused(
      {{"plan bcast ring:4 --network free", "--network: nothing is simulated without --effort simulate"},
       {"plan bcast ring:4 --effort guess", "--effort 'guess': unknown name; known: estimate, measure, simulate"},
       {"plan bcast ring:4 --effort estimate --wisdom x", "--wisdom: estimates are not kept"}});
}

// A barrier has no size: a sweep asks it once for each network, and wisdom keeps it without one.
TEST(CliSweep, BarriersAreSweptAndKeptWithoutSizes) {
  const Json swept = answer("sweep barrier crossbar --ranks 1..8");
  EXPECT_EQ(swept["winners"].size(), 4u);
  expect_refused({{"sweep barrier crossbar --ranks 1..8 --bytes 1..4KiB", "messages of a barrier have no size"}});
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "barrier.wisdom";
  std::filesystem::remove(file);
  const std::string line = "plan barrier torus:4x4 --set ports=all --effort simulate --wisdom " + file.string();
  const Json first = answer(line), second = answer(line);
  EXPECT_EQ(first["best"]["algorithm"], "barrier_flood");
  EXPECT_EQ(first["recalled"], false);
  EXPECT_EQ(second["recalled"], true);
  EXPECT_EQ(second["best"]["algorithm"], "barrier_flood");
}

TEST(CliSweep, WisdomIsKeptShownCheckedAndForgotten) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "cli_wisdom";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto run = [&](const std::string& line) { return run_program(line, folder); };
  const std::string plan = "plan bcast ring:8 --machine ipsc-1985 --bytes 100 --wisdom a.wisdom --json";
  const Json first = Json::parse(run(plan).out), second = Json::parse(run(plan).out);
  EXPECT_EQ(first["recalled"], false);
  EXPECT_EQ(second["recalled"], true);
  EXPECT_EQ(first["best"]["choice"], second["best"]["choice"]);
  EXPECT_EQ(first["best"]["simulated_s"], second["best"]["simulated_s"]);
  run("plan scatter ring:8 --machine ipsc-1985 --wisdom b.wisdom");
  EXPECT_NE(run("wisdom merge a.wisdom b.wisdom").out.find("1 answer added; the file has 2 answers now"),
            std::string::npos);
  EXPECT_NE(run("wisdom check a.wisdom").out.find("2 answers, all proven again"), std::string::npos);
  EXPECT_EQ(run("wisdom check a.wisdom --budget 1").status, 3);
  EXPECT_EQ(Json::parse(run("wisdom show a.wisdom --json").out)["answers"].size(), 2U);
  EXPECT_NE(run("wisdom forget a.wisdom --collective bcast").out.find("the file has 1 answer now"), std::string::npos);
  std::ofstream(folder / "a.wisdom", std::ios::app) << "x";
  for (const char* line : {"wisdom show a.wisdom", "plan bcast ring:8 --wisdom a.wisdom"}) {
    EXPECT_EQ(run(line).status, 2);
    EXPECT_NE(run(line).err.find("wisdom file 'a.wisdom': is cut off"), std::string::npos);
  }
  EXPECT_NE(run("wisdom show none").err.find("no such file"), std::string::npos);
  std::filesystem::remove_all(folder);
}

/// What the drop-in writes and what plan --wisdom writes is one file.
TEST(CliSweep, WisdomHasTrialsBesideAnswers) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "cli_trials";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const auto run = [&](const std::string& line) { return run_program(line, folder); };
  update_wisdom((folder / "a").string(), [](Wisdom& wisdom) {
    wisdom.put(
        TrialResult{{"allgatherv", "ring:4@1,0,2,3", 8, 15, "Open MPI v4.1.4", 0}, "allgather_daisy", 2e-6, 1e-6});
    wisdom.put(TrialResult{{"bcast", "crossbar:4", 8, 15, "Open MPI v4.1.4", 100}, "native", 2e-6, 2e-6});
  });
  run("plan bcast ring:8 --machine ipsc-1985 --bytes 100 --wisdom a");
  const std::string shown = run("wisdom show a").out;
  for (const char* part : {"1 answer and 2 trials", "allgather_daisy", "ring:4@1,0,2,3", "8 - 15", "Open MPI v4.1.4",
                           "1.000 us", "native", "whole", "100 B"})
    EXPECT_NE(shown.find(part), std::string::npos) << part << "\n" << shown;
  EXPECT_NE(run("wisdom check a").out.find("1 answer and 2 trials, all proven again"), std::string::npos);
  EXPECT_EQ(run("wisdom check a --budget 1").status, 3);
  const Json trials = Json::parse(run("wisdom show a --json").out)["trials"];
  ASSERT_EQ(trials.size(), 2U);
  EXPECT_EQ(trials[0]["collective"], "allgatherv");
  EXPECT_EQ(trials[0]["from_bytes"], 8);
  EXPECT_EQ(trials[0]["chosen_s"], 1e-6);
  EXPECT_NE(run("wisdom merge b a").out.find("1 answer and 2 trials added; the file has 1 answer and 2 trials now"),
            std::string::npos);
  EXPECT_NE(
      run("wisdom forget b --collective allgatherv").out.find("1 trial forgotten; the file has 1 answer and 1 trial"),
      std::string::npos);
  EXPECT_NE(run("wisdom forget a --topology ring:4").out.find("1 trial forgotten"), std::string::npos);
  EXPECT_NE(run("wisdom forget a --collective allgathr").err.find("did you mean 'allgather'"), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(CliSweep, SweepsGoOnAndRefuseAnotherQuestion) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "cli_sweep";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  const std::string line = "sweep alltoall hypercube --ranks 4..16 --bytes 1..64*8 --machine ipsc860 -o out.csv";
  const Ran ran = run_program(line, folder);
  EXPECT_EQ(ran.status, 0) << ran.err;
  EXPECT_EQ(ran.err, "");  // no progress where nobody looks
  EXPECT_NE(ran.out.find("one algorithm for all sizes"), std::string::npos) << ran.out;
  const Ran again = run_program(line, folder);
  EXPECT_NE(again.out.find("; out.csv had 9 of them"), std::string::npos) << again.out;
  EXPECT_EQ(run_program(line + " --root 1", folder).status, 2);
  EXPECT_NE(run_program(line + " --set alpha=1", folder).err.find("another question; --force starts it anew, -o"),
            std::string::npos);
  EXPECT_EQ(run_program(line + " --set alpha=1 --force", folder).status, 0);
  const Json json = answer("sweep bcast ring:4 mesh:2x3 --bytes 8,1KiB --effort simulate --threads 2");
  for (const char* key : {"question", "complete", "rows", "winners", "fixed"}) EXPECT_TRUE(json.contains(key)) << key;
  EXPECT_EQ(json["complete"], true);
  expect_refused({{"sweep alltoall hypercube", "a size is missing; add it, or --ranks such as 4..64"},
                  {"sweep alltoall hypercube --ranks 6", "no hypercube has 6 ranks; the next larger one has 8"},
                  {"sweep alltoall ring:4 --ranks 8", "expected a family without a size"},
                  {"sweep alltoall ring:4 ring:4", "topology 'ring:4' is named twice"},
                  {"sweep alltoall ring:4 --bytes 8..1", "it goes down"},
                  {"sweep alltoall ring:4 --algorithms bcast_chain", "bcast_chain performs bcast, not alltoall"},
                  {"sweep alltoall ring:4 -o out.txt", "expected a name that ends in .csv or .json"},
                  {"sweep alltoall ring:4 --force", "--force is for the file of -o"}});
  std::filesystem::remove_all(folder);
}

/// The part of a picture's line beside a network, in the block under a heading.
std::string beside(const std::string& out, const std::string& heading, const std::string& network) {
  const auto block = out.find("\n" + heading + "\n");
  const auto line = out.find("  " + network + "  ", block);
  if (block == std::string::npos || line == std::string::npos) return "nothing under " + heading;
  const auto start = line + network.size() + 4;
  return out.substr(start, out.find('\n', start) - start);
}

// Nine sizes share 64 columns: each has 7. The rows of the same sweep say what every column must show; the shades are
// the steps of the picture's key: 1 as long, 2 more, 3 from 1.1, 4 from 1.25, 5 from 1.5, 6 from 2, 7 from 3, 8 from 5.
TEST(CliSweep, PictureShowsWinnersLeadsAndLosses) {
  const std::string line = "sweep alltoall hypercube:2 hypercube:6 --bytes 1..64KiB*4 --machine ipsc860";
  const std::string out = run_program(line + " --picture --ascii").out;
  const Json rows = answer(line)["rows"];
  const auto shade = [](double ratio) {
    return ratio < 1.005  ? '1'
           : ratio < 1.1  ? '2'
           : ratio < 1.25 ? '3'
           : ratio < 1.5  ? '4'
           : ratio < 2    ? '5'
           : ratio < 3    ? '6'
           : ratio < 5    ? '7'
                          : '8';
  };
  const std::map<std::string, char> letters{{"alltoall_mtadea", 'A'}, {"alltoall_direct", 'B'}, {"alltoall_mce", 'C'}};
  for (const std::string network : {"hypercube:2", "hypercube:6"}) {
    std::string winners, leads, losses, before;
    for (int i = 0; i < 9; ++i) {
      const std::int64_t bytes = std::int64_t{1} << 2 * i;
      Json best;
      double second = 1e9, fixed = 0;
      for (const Json& row : rows)
        if (row["topology"] == network && row["bytes"] == bytes && row["best"] == true) best = row;
      for (const Json& row : rows) {
        if (row["topology"] != network || row["bytes"] != bytes || row["price_s"].is_null()) continue;
        const double ratio = row["price_s"].get<double>() / best["price_s"].get<double>();
        if (row["algorithm"] != best["algorithm"]) second = std::min(second, ratio);
        if (row["algorithm"] == "alltoall_direct") fixed = ratio;
      }
      const std::string winner = best["algorithm"];
      winners += (winner == before ? std::string("-") : std::string(1, letters.at(winner))) + "------";
      leads += std::string(7, shade(second)), losses += std::string(7, shade(fixed));
      before = winner;
    }
    EXPECT_EQ(beside(out, "the fastest", network), winners) << out;
    EXPECT_EQ(beside(out, "how many times as long the second best algorithm takes", network), leads) << out;
    EXPECT_EQ(beside(out, "how many times as long as the best one algorithm for all sizes takes", network),
              losses + "  alltoall_direct")
        << out;
  }
  const char* locale = std::getenv("LC_ALL");
  const std::string before = locale == nullptr ? "" : locale;
  setenv("LC_ALL", "C.UTF-8", 1);
  EXPECT_NE(run_program(line + " --picture").out.find("A\u2500"), std::string::npos);
  setenv("LC_ALL", before.c_str(), 1);  // empty counts as none
}

/// A folder of its own, gone afterwards.
class CliFrom : public ::testing::Test {
 protected:
  CliFrom() { std::filesystem::create_directories(folder_); }
  ~CliFrom() override { std::filesystem::remove_all(folder_); }
  Ran run(const std::string& line) const { return run_program(line, folder_); }
  void keep(const std::string& line, const std::string& file) const {
    std::ofstream(folder_ / file) << run(line + " --json").out;
  }
  std::string content(const std::string& file) const {
    std::ifstream stream(folder_ / file);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

 private:
  std::filesystem::path folder_ =
      std::filesystem::path(::testing::TempDir()) / ("cli_from_" + std::to_string(getpid()));
};

TEST_F(CliFrom, EveryCommandsAnswerBecomesAReportOfItsQuestion) {
  const std::string task = " scatter hypercube:3 --root 5 --bytes 64 --machine ipsc860 --set alpha=1ms";
  const std::string by = " --algorithm scatter_tree";
  keep("run" + task + by + " --repeat 1", "run.json");
  keep("simulate" + task + by, "simulate.json");
  keep("price" + task + by, "price.json");
  keep("verify" + task + by, "verify.json");
  keep("plan" + task + " --effort simulate", "plan.json");
  run("sweep scatter hypercube:3 --root 5 --bytes 64 --machine ipsc860 --set alpha=1ms -o sweep.csv");
  run("sweep scatter hypercube:3 --root 5 --bytes 64 --machine ipsc860 --set alpha=1ms -o sweep.json");
  keep("sweep scatter hypercube:3 --root 5 --bytes 64 --machine ipsc860 --set alpha=1ms", "printed.json");
  const Json asked = Json::parse(run("report" + task + " --json").out);
  for (const std::string file : {"run.json", "simulate.json", "price.json", "verify.json", "plan.json", "sweep.csv",
                                 "sweep.json", "printed.json"}) {
    const Ran ran = run("report --from " + file + " --json");
    ASSERT_EQ(ran.status, 0) << file << ": " << ran.err;
    const Json read = Json::parse(ran.out);
    EXPECT_EQ(read["request"], asked["request"]) << file;
    EXPECT_EQ(read["candidates"], asked["candidates"]) << file;
    EXPECT_EQ(read["provenance"]["command"], "quadrille report --from " + file + " -o report.html");
  }
  const Json run_answer = Json::parse(content("run.json"));
  const Json both = Json::parse(run("report --from run.json simulate.json --json").out);
  EXPECT_EQ(both["answer"]["choice"], run_answer["choice"]);
  EXPECT_EQ(both["crossover"]["measured"].size(), 2U);
  EXPECT_EQ(both["crossover"]["measured"][0]["time_s"], run_answer["measured_s"]);
  EXPECT_EQ(run("plot --from run.json -o run.svg").status, 0);
  EXPECT_NE(content("run.svg").find("run on threads"), std::string::npos);
}

TEST_F(CliFrom, ASweepOfSeveralNetworksIsAMap) {
  run("sweep alltoall hypercube:2 hypercube:6 --bytes 1,64,4KiB --machine ipsc860 -o out.csv");
  EXPECT_EQ(run("plot --from out.csv -o map.svg").status, 0);
  const std::string map = content("map.svg");
  for (const char* part : {">hypercube:2</text>", ">hypercube:6</text>", ">64 B</text>", ">alltoall_mtadea</text>",
                           ">alltoall_mce</text>", "by price; below the letter"})
    EXPECT_NE(map.find(part), std::string::npos) << part;
  EXPECT_EQ(run("plot alltoall hypercube:6 --from out.csv -o sizes.svg").status, 0);
  EXPECT_NE(content("sizes.svg").find("time, s"), std::string::npos);
  const auto refused = [&](const std::string& line, const std::string& part) {
    const Ran ran = run(line);
    EXPECT_EQ(ran.status, 2) << line;
    EXPECT_NE(ran.err.find(part), std::string::npos) << line << ": " << ran.err;
  };
  refused("report --from out.csv -o x.html", "2 questions are answered; COLLECTIVE and TOPOLOGY say which");
  refused("report bcast ring:4 --from out.csv -o x.html", "no answer is about that; there are: alltoall hypercube:2");
  refused("report --from map.svg -o x.html", "'map.svg': not an answer of Quadrille; expected the JSON of");
  refused("report --from none.json -o x.html", "none.json");
  refused("report --from out.csv --root 1 -o x.html", "--root: the files of --from say that");
  refused("report -o x.html", "COLLECTIVE is required, or --from");
  refused("plot --from out.csv --what shapes -o x.svg",
          "'shapes': unknown picture; did you mean 'sizes'? known: rounds, sizes, winners");
  refused("plot alltoall ring:4 --what winners -o x.svg", "expected --from with the file of one sweep");
}

}  // namespace
}  // namespace quadrille::cli_sweep_test
