// One default machine for every command, named with the word; and what is said of a machine before the answer.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "program.hpp"

namespace quadrille::cli_defaults_test {
namespace {

using Json = nlohmann::ordered_json;
namespace fs = std::filesystem;

Json answer(const std::string& line) {
  const Ran ran = run_program(line + " --json");
  EXPECT_EQ(ran.err, "") << line;
  return Json::parse(ran.out, nullptr, false);
}

/// Wherever its lines are broken.
bool says(const std::string& text, std::string_view part) {
  std::string flat;
  for (const char c : text)
    if (const bool blank = c == ' ' || c == '\n'; !blank || (!flat.empty() && flat.back() != ' '))
      flat += blank ? ' ' : c;
  return flat.find(part) != std::string::npos;
}

/// A file with these constants, gone with the test.
class MachineAt {
 public:
  explicit MachineAt(const std::string& toml) {
    path_ = fs::temp_directory_path() / ("quadrille_defaults_" + std::to_string(getpid()) + ".toml");
    std::ofstream(path_) << toml;
  }
  ~MachineAt() { fs::remove(path_); }
  std::string option() const { return " --machine " + path_.string(); }

 private:
  fs::path path_;
};

TEST(CliDefaults, AllCommandsMeanTheSameMachineAndSaySo) {
  const std::string exchange = " alltoall hypercube:3 --bytes 64", by = " --algorithm alltoall_mce:phases=1,2";
  for (const std::string& line :
       {"plan" + exchange, "verify" + exchange + by, "price" + exchange + by, "simulate" + exchange + by,
        "run" + exchange + by + " --repeat 1", std::string("sweep alltoall hypercube:3 --bytes 64"),
        std::string("algorithm --on hypercube:3"), std::string("algorithm alltoall_mce"), std::string("algorithm")}) {
    const Ran ran = run_program(line);
    EXPECT_EQ(ran.status, 0) << line << ": " << ran.err;
    EXPECT_TRUE(says(ran.out, "machine localhost (default)")) << line << "\n" << ran.out;
    EXPECT_FALSE(says(run_program(line + " --machine localhost").out, "(default)")) << line;
  }
  for (const std::string& line : {"plan" + exchange, "verify" + exchange + by, "price" + exchange + by,
                                  "simulate" + exchange + by, "run" + exchange + by + " --repeat 1"}) {
    const Json json = answer(line);
    EXPECT_EQ(json["machine"]["name"], "localhost") << line;
    EXPECT_EQ(json["machine"]["default"], true) << line;
    EXPECT_EQ(answer(line + " --machine localhost")["machine"]["default"], false) << line;
  }
}

/// Neither failures nor the part that a job has make another machine; switches and several ranks on a node do.
TEST(CliDefaults, TheMachineIsThatOfTheWholeNetwork) {
  for (const auto& [network, machine] :
       {std::pair("torus:4x4!0-1", "localhost"), std::pair("torus:4x4!n3", "localhost"),
        std::pair("torus:4x4@0-7", "localhost"), std::pair("torus:4x4*2", "cluster"),
        std::pair("torus:4x4!0-1*2", "cluster"), std::pair("fattree:4!n1", "cluster")})
    EXPECT_EQ(answer(std::string("plan allgather ") + network)["machine"]["name"], machine) << network;
  for (const std::string blanks : {"fattree:4 * 2", "fattree:4 !n1"}) {
    const Ran ran = run_program({"plan", "allgather", blanks, "--json"}, fs::temp_directory_path());
    EXPECT_EQ(Json::parse(ran.out, nullptr, false)["machine"]["name"], "cluster") << blanks << ran.err;
  }
}

/// A refusal names the network that was asked for, and the nearest one as it is.
TEST(CliDefaults, ARefusalNamesTheNetworkThatWasAskedFor) {
  const Json plan = answer("plan allgather torus:4x4!0-1 --machine cluster");
  std::string found;
  for (const Json& refused : plan["refused"])
    if (refused["algorithm"] == "allgather_adea") found = refused["reason"];
  EXPECT_EQ(found,
            "needs a hypercube, and torus:4x4!0-1 (routes between any two ranks) is not one; nearest: hypercube:4");
}

/// What plan proposes, verify must accept with the same words.
TEST(CliDefaults, VerifyAcceptsWhatPlanProposes) {
  for (const std::string question :
       {"alltoall hypercube:6", "allgather torus:4x4", "bcast ring:12", "gather crossbar:9", "scatter mesh:3x3"}) {
    const Json plan = answer("plan " + question);
    const std::string choice = plan["best"]["choice"];
    const Ran ran = run_program("verify " + question + " --algorithm " + choice);
    EXPECT_EQ(ran.status, 0) << question << " " << choice << ": " << ran.err;
  }
  EXPECT_EQ(run_program("verify alltoall hypercube:6 --algorithm alltoall_mce:phases=3,3").status, 0);
  const Ran refused = run_program("verify alltoall hypercube:6 --machine unit --algorithm alltoall_mce:phases=3,3");
  EXPECT_EQ(refused.status, 2);
  EXPECT_TRUE(says(refused.err, "with machine 'unit'")) << refused.err;
}

TEST(CliDefaults, ConstantsOfThreadsAreNotUsedForMoreRanksInSilence) {
  const Ran ran = run_program("plan alltoall hypercube:6 --bytes 64");
  EXPECT_TRUE(says(ran.out, "note constants of localhost were measured between threads on 2 cores; here are 64 ranks"))
      << ran.out;
  EXPECT_TRUE(says(answer("plan alltoall hypercube:6")["machine_notes"].dump(), "more than its cores"));
  EXPECT_TRUE(answer("plan alltoall hypercube:1")["machine_notes"].empty());
  EXPECT_TRUE(answer("plan alltoall hypercube:6 --machine ipsc860")["machine_notes"].empty());
  EXPECT_EQ(answer("plan alltoall hypercube:1")["machine"]["measured"]["transport"], "threads");
}

TEST(CliDefaults, WhatIsNotGivenAndMattersIsListed) {
  const MachineAt bare("alpha = \"1.5us\"\nbeta = \"100Gbit/s\"\nswitching = \"wormhole\"\n");
  const std::string question = "plan alltoall crossbar:16 --bytes 64" + bare.option();
  EXPECT_TRUE(says(run_program(question).out, "rho not given: copying is free"));
  EXPECT_FALSE(says(run_program(question + " --set rho=0.1ns/B").out, "rho not given"));
  EXPECT_FALSE(says(run_program(question + " --set rho=0").out, "rho not given")) << "0 was given";
  EXPECT_FALSE(says(run_program("plan bcast crossbar:2 --bytes 64" + bare.option()).out, "rho not given"))
      << "nothing is copied there";
}

/// A plan has prices at hand from which it says so; who proves all algorithms finds prices for it.
TEST(CliDefaults, APlanListsWhatOthersList) {
  const MachineAt bare("alpha = \"1.5us\"\nbeta = \"100Gbit/s\"\nswitching = \"wormhole\"\nports = \"all\"\n");
  std::size_t listed = 0;
  for (const std::string network :
       {"crossbar:5", "hypercube:3", "fattree:4", "star:3*2", "dragonfly:2,2,1", "torus:3x3"})
    for (const std::string collective : {"alltoall", "allgather", "bcast", "allreduce", "reduce_scatter"})
      for (const std::string given : {"", " --set rho=0", " --set rho=0 --set per_hop=0 --set overhead=0"}) {
        const std::string question = collective + " " + network + " --bytes 64" + bare.option() + given;
        const Json plan = answer("plan " + question)["machine_notes"];
        EXPECT_EQ(plan, answer("verify " + question)["machine_notes"]) << question;
        listed += !plan.empty();
      }
  EXPECT_GT(listed, 30U);
}

TEST(CliDefaults, WhatCannotAnswerIsChargedForNothing) {
  const MachineAt bare("alpha = \"1.5us\"\nbeta = \"100Gbit/s\"\n");
  EXPECT_EQ(run_program("plan allreduce ring:8 --bytes 64 --operands ordered" + bare.option()).status, 0);
}

TEST(CliDefaults, ImplausibleConstantsAreWarnedOf) {
  const Ran ran = run_program("plan bcast ring:4 --machine ipsc860 --set alpha=1.5");
  EXPECT_TRUE(says(ran.out, "alpha = 1.5 s is implausible")) << ran.out;
  EXPECT_TRUE(says(run_program("sweep bcast ring:4 --bytes 64 --machine ipsc860 --set beta=12.5").out,
                   "beta = 12.5 s/B is implausible"));
  EXPECT_TRUE(says(run_program("machine ipsc860 --set beta=12.5").out, "beta = 12.5 s/B is implausible"));
  EXPECT_FALSE(says(run_program("plan bcast ring:4 --machine ipsc-1985 --set alpha=1000").out, "implausible"));
}

TEST(CliDefaults, UnknownAlgorithmsAreAnsweredInALine) {
  const Ran ran = run_program("price alltoall hypercube:6 --algorithm alltoall_mcee");
  EXPECT_EQ(ran.status, 2);
  EXPECT_TRUE(says(ran.err, "unknown name; did you mean 'alltoall_mce'? known: alltoall_")) << ran.err;
  EXPECT_FALSE(says(ran.err, "allgather_")) << ran.err;
  EXPECT_LT(ran.err.size(), 600u) << ran.err;
  const Ran typo = run_program("price alltoall hypercube:6 --algorithm alltoal_mce");
  EXPECT_TRUE(says(typo.err, "did you mean 'alltoall'?")) << typo.err;
}

}  // namespace
}  // namespace quadrille::cli_defaults_test
