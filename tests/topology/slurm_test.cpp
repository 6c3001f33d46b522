// Jobs as SLURM's environment has them.
#include "topology/hosts/slurm.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "quadrille/placement.hpp"

namespace quadrille::topology::slurm_test {
namespace {

using Names = std::vector<std::string>;

std::string refusal(const SlurmJob& job) {
  try {
    slurm_hosts(job);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), Error::Kind::argument);
    return error.what();
  }
  return "accepted";
}

TEST(Slurm, NodesAreListedInBrackets) {
  EXPECT_EQ(slurm_nodes("login1"), Names{"login1"});
  EXPECT_EQ(slurm_nodes("n[01-03,07],login1"), (Names{"n01", "n02", "n03", "n07", "login1"}));
  EXPECT_EQ(slurm_nodes("n[8-11]"), (Names{"n8", "n9", "n10", "n11"}));
  EXPECT_EQ(slurm_nodes("n[098-101]-ib"), (Names{"n098-ib", "n099-ib", "n100-ib", "n101-ib"}));
  EXPECT_EQ(slurm_nodes("r[1-2]n[3,5],a.b"), (Names{"r1n3", "r1n5", "r2n3", "r2n5", "a.b"}));
}

TEST(Slurm, RanksOfNodesAreCounted) {
  EXPECT_EQ(slurm_counts("8(x3),4"), (std::vector<Rank>{8, 8, 8, 4}));
  EXPECT_EQ(slurm_counts("1"), std::vector<Rank>{1});
  EXPECT_EQ(slurm_counts("2,1(x2)"), (std::vector<Rank>{2, 1, 1}));
}

TEST(Slurm, JobsAreNetworks) {
  EXPECT_EQ(slurm_hosts({"n[1-4]", "2(x4)", "8"}).star(), "star:4*2");
  EXPECT_EQ(slurm_hosts({"n[1-2]", "3,1", ""}).star(), "star:2*3@0-3");
  EXPECT_EQ(slurm_hosts({"n[1-2]", "3,1", "4"}).words(), "2 hosts with 1 to 3 ranks");
  EXPECT_EQ(slurm_hosts({"n[1-16]", "1(x16)", "16"}).star(), "star:16*1");
  EXPECT_EQ(slurm_hosts({"n7", "8", "8"}).star(), "star:1*8");
  for (const SlurmJob& job : {SlurmJob{"n[1-3]", "8(x2),4", "20"}, SlurmJob{"n[1-3]", "4,8(x2)", ""}})
    EXPECT_EQ(parse_placement(slurm_hosts(job).star()).topology->ranks(), 20);
}

TEST(Slurm, VariablesHaveTheirNames) {
  const std::map<std::string, std::string> set{
      {"SLURM_JOB_NODELIST", "n[1-2]"}, {"SLURM_TASKS_PER_NODE", "4(x2)"}, {"SLURM_NTASKS", "8"}};
  const SlurmJob job = slurm_job([&](const char* name) {
    const auto found = set.find(name);
    return found == set.end() ? std::string() : found->second;
  });
  EXPECT_EQ(slurm_hosts(job).star(), "star:2*4");
}

TEST(Slurm, WhatIsNoJobIsRefusedByName) {
  for (const char* nodes : {"n[1-", "n[1-2", "n]1[", "n[]", "n[a-b]", "n[3-1]", ",", "n1,,n2", "n[1--2]", "n 1",
                            "n[1,]", "n[1-2]]", "n[0-9999999999]", "n[1-70000]", "n[1-1000]m[1-1000]", "n\x01"})
    EXPECT_NE(refusal({nodes, "1", ""}).find("SLURM_JOB_NODELIST="), std::string::npos) << nodes;
  for (const char* counts :
       {"x", "8(x", "8(x3", "8(x0)", "0", "8(3)", "-1", "8,,4", "(x3)", "99999999999", "1(x70000)"})
    EXPECT_NE(refusal({"n1", counts, ""}).find("SLURM_TASKS_PER_NODE="), std::string::npos) << counts;
  EXPECT_NE(refusal({"n[1-2]", "8", ""}).find("ranks of 2 nodes"), std::string::npos);
  EXPECT_NE(refusal({"n[1-2]", "8(x2)", "17"}).find("SLURM_NTASKS='17': expected 16"), std::string::npos)
      << refusal({"n[1-2]", "8(x2)", "17"});
  EXPECT_NE(refusal({"", "8", ""}).find("SLURM_JOB_NODELIST is not set"), std::string::npos);
  EXPECT_NE(refusal({"n1", "", ""}).find("SLURM_TASKS_PER_NODE is not set"), std::string::npos);
  EXPECT_NE(refusal({"n[1-60000]", "1000000(x60000)", ""}).find("ranks at most"), std::string::npos);
}

}  // namespace
}  // namespace quadrille::topology::slurm_test
