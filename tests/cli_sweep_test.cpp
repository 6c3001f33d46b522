// The commands that simulate to choose, and keep what they found out: plan --effort simulate, wisdom, sweep.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace quadrille {
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
  for (const char* part : {"played message by message, circuit network", "simulated     price  vs best",
                           "8 candidates priced, 1 played, 7 not begun: a bound says enough"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << " in\n" << ran.out;
  const Json json = answer(line);
  EXPECT_EQ(json["effort"], "simulate");
  EXPECT_EQ(json["best"]["clock"], "timed");
  const double priced = json["best"]["time_s"];
  EXPECT_NEAR(json["best"]["simulated_s"], priced, 1e-12);  // nothing competes
  EXPECT_GE(json["candidates"][1]["at_least_s"], json["best"]["simulated_s"]);
  expect_refused({{"plan bcast ring:4 --network free", "--network: nothing is simulated without --effort simulate"},
                  {"plan bcast ring:4 --effort guess", "--effort 'guess': unknown name; known: estimate, simulate"},
                  {"plan bcast ring:4 --effort estimate --wisdom x", "--wisdom: estimates are not kept"}});
}

TEST(CliSweep, WisdomIsKeptShownCheckedAndForgotten) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "cli_wisdom";
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
  EXPECT_NE(run("wisdom merge a.wisdom b.wisdom").out.find("1 answer added; the file has 2 now"), std::string::npos);
  EXPECT_NE(run("wisdom check a.wisdom").out.find("2 answers, all proven again"), std::string::npos);
  EXPECT_EQ(run("wisdom check a.wisdom --budget 1").status, 1);
  EXPECT_EQ(Json::parse(run("wisdom show a.wisdom --json").out)["answers"].size(), 2U);
  EXPECT_NE(run("wisdom forget a.wisdom --collective bcast").out.find("the file has 1 now"), std::string::npos);
  std::ofstream(folder / "a.wisdom", std::ios::app) << "x";
  for (const char* line : {"wisdom show a.wisdom", "plan bcast ring:8 --wisdom a.wisdom"}) {
    EXPECT_EQ(run(line).status, 2);
    EXPECT_NE(run(line).err.find("wisdom file 'a.wisdom': is cut off"), std::string::npos);
  }
  EXPECT_NE(run("wisdom show none").err.find("no such file"), std::string::npos);
  std::filesystem::remove_all(folder);
}

TEST(CliSweep, SweepsGoOnAndRefuseAnotherQuestion) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "cli_sweep";
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
                  {"sweep alltoall hypercube --ranks 6", "'hypercube' has a power of two of ranks"},
                  {"sweep alltoall ring:4 --ranks 8", "expected a family without a size"},
                  {"sweep alltoall ring:4 ring:4", "topology 'ring:4' is named twice"},
                  {"sweep alltoall ring:4 --bytes 8..1", "it goes down"},
                  {"sweep alltoall ring:4 --algorithms bcast_chain", "bcast_chain performs bcast, not alltoall"},
                  {"sweep alltoall ring:4 -o out.txt", "expected a name that ends in .csv or .json"},
                  {"sweep alltoall ring:4 --force", "--force is for the file of -o"}});
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace quadrille
