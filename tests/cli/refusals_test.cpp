// What the program refuses, and that it says what would be accepted.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "program.hpp"

namespace quadrille::cli_refusals_test {
namespace {

struct Bad {
  std::string line, says;
  int status = 2;
};

void expect_refused(const std::vector<Bad>& cases) {
  for (const Bad& bad : cases) {
    const Ran ran = run_program(bad.line);
    EXPECT_EQ(ran.status, bad.status) << bad.line;
    EXPECT_EQ(ran.out.empty(), bad.line.find("--json") == std::string::npos) << bad.line;
    EXPECT_TRUE(ran.err.starts_with("quadrille: ")) << bad.line << ": " << ran.err;
    EXPECT_NE(ran.err.find(bad.says), std::string::npos) << bad.line << ": " << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << bad.line << ": " << ran.err;
  }
}

TEST(Cli, RefusesBadTopologies) {
  expect_refused({{"plan alltoall tours:4", "topology 'tours': unknown family; did you mean 'torus'? known: "},
                  {"plan alltoall omega:0", "omega stages '0': expected a whole number from 1 to 30"},
                  {"plan sendrecv ring:1", "sendrecv needs two ranks, and ring:1 has one"},
                  {"plan barrier ring:4 --bytes 4KiB", "messages of a barrier have no size to choose"},
                  {"plan barrier ring:4 --bits any", "--bits: for reduce, allreduce, reduce_scatter only, not barrier"},
                  {"plan scan ring:4 --bits canonical", "--bits: for reduce, allreduce, reduce_scatter only, not scan"},
                  {"plan alltoall hypercube:-1", "hypercube dimension '-1': expected"},
                  {"plan alltoall hypercube:64", "hypercube dimension '64': expected"},
                  {"plan alltoall hypercube:abc", "hypercube dimension 'abc': expected"},
                  {"plan alltoall hypercube", "a size is missing; expected hypercube:D"},
                  {"topology -1", "topology '-1': unknown family"},
                  {"topology ring:6 --route 0 6", "rank of ring:6 '6': expected a whole number from 0 to 5"},
                  {"topology ring:6 --route -1 0", "rank of ring:6 '-1': expected"},
                  {"topology --route 0 1", "--route needs a topology"},
                  {"algorithm --on tours:4", "unknown family"},
                  {"topology fly:2^40", "fly stages '40': expected a whole number from 1 to 30"},
                  {"topology mesh:4x", "mesh side '': expected a whole number from 1 to"}});
  const std::string price = "price alltoall hypercube:3 --machine unit --algorithm alltoall_standard ";
  expect_refused({{price + "--contention --on mesh:9", "has 9 ranks and 9 nodes; expected 8 and 8"},
                  {price + "--contention --on memory:8", "has 8 ranks and 9 nodes; expected 8 and 8"},
                  {price + "--contention --who ranks", "expected messages or senders"},
                  {price + "--half-bus", "add --contention"}});
}

TEST(Cli, RefusesBadRanksAndSizes) {
  expect_refused(
      {{"plan bcast hypercube:6 --root 64", "root on hypercube:6 '64': expected a whole number from 0 to 63"},
       {"plan bcast hypercube:6 --root -1", "'-1': expected a whole number from 0 to 63"},
       {"plan bcast hypercube:6 --root=-1", "'-1': expected a whole number from 0 to 63"},
       {"plan bcast hypercube:6 --root x", "'x': expected"},
       {"plan alltoall hypercube:6 --root 1", "alltoall has no root"},
       {"plan bcast hypercube:6 --target 1", "only sendrecv has a target"},
       {"plan sendrecv hypercube:6 --target -1", "target on hypercube:6 '-1': expected"},
       {"plan sendrecv hypercube:6 --target 0", "it is the source"},
       {"plan bcast hypercube:6 64KiB --bytes 3", "'64KiB': bytes is given twice"},
       {"plan bcast hypercube:6 64KiB why=3", "'why=3': expected a size such as 64KiB, bytes=SIZE, root=RANK"},
       {"plan bcast hypercube:6 root=64", "root on hypercube:6 '64': expected a whole number from 0 to 63"},
       {"plan alltoall hypercube:6 64KiB root=1", "alltoall has no root"},
       {"plan alltoall hypercube:6 --bytes -1", "bytes '-1': negative; expected a size such as"},
       {"plan alltoall hypercube:6 --bytes=-1", "bytes '-1': negative"},
       {"plan alltoall hypercube:6 --bytes 0.5", "not a whole number of bytes"},
       {"plan alltoall hypercube:6 --bytes ten", "unknown unit"},
       {"plan alltoall hypercube:6 --bytes 10XB", "unknown unit"},
       {"plan alltoall hypercube:6 --bytes 99999999999999999999", "larger than 2^62 bytes"},
       {"plan alltoall hypercube:20 --bytes 1TiB", "expected at most 4194303 here"},
       {"run alltoall hypercube:2 --algorithm alltoall_direct --repeat 0", "--repeat '0': expected"},
       {"run alltoall hypercube:2 --algorithm alltoall_direct --seed -1", "--seed '-1': expected"}});
}

TEST(Cli, TheLargestSizeItNamesIsAccepted) {
  EXPECT_EQ(run_program("plan alltoall hypercube:20 --machine ipsc860 --bytes 4194303").status, 0);
  EXPECT_EQ(run_program("plan alltoall hypercube:20 --machine ipsc860 --bytes 4194304").status, 2);
}

TEST(Cli, RefusesBadAlgorithms) {
  expect_refused(
      {{"verify alltoall hypercube:6 --machine unit --algorithm alltoall_direct",
        "needs circuit or wormhole switching; try"},
       {"price alltoall ring:6 --machine unit --algorithm alltoall_mce:phases=3,3",
        "needs a hypercube, and ring:6 is not one"},
       {"price alltoall hypercube:6 --machine ipsc860 --algorithm alltoall_mce:phases=3,4", "phases 3,4 add up to 7"},
       {"price alltoall hypercube:6 --machine ipsc860 --algorithm alltoall_mce:phases=3,x",
        "phases of alltoall_mce 'x'"},
       {"price alltoall hypercube:6 --machine ipsc860 --algorithm alltoall_mce:phase=3", "did you mean 'phases'?"},
       {"price alltoall hypercube:6 --machine unit --algorithm alltoall_mcee", "did you mean 'alltoall_mce'?"},
       {"price alltoall hypercube:6 --machine unit --algorithm allgather_adea",
        "allgather_adea performs allgather, not alltoall"},
       {"price alltoal hypercube:6 --machine unit --algorithm alltoall_mce", "did you mean 'alltoall'?"},
       {"price alltoall hypercube:6 --machine unit --rounds --formula --algorithm alltoall_mtadea",
        "--rounds counts and --formula does not"},
       {"algorithm nosuch", "its first word 'nosuch': unknown collective; known: allgather, allreduce, alltoall, "}});
}

TEST(Cli, RefusesBadMachines) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "cli_bad_machines";
  std::filesystem::create_directories(folder);
  const auto file = [&](const std::string& name, const std::string& text) {
    std::ofstream(folder / name) << text;
    return "plan alltoall hypercube:3 --machine " + (folder / name).string();
  };
  const std::string plan = "plan alltoall hypercube:3 --machine ";
  expect_refused(
      {{plan + "nowhere.toml", "machine file 'nowhere.toml': no such file; expected a preset ("},
       {plan + "ipsc86", "did you mean 'ipsc860'?"},
       {plan + folder.string(), "is a directory"},
       {file("truncated.toml", "alpha = 1\nbeta = "), "line 2, column 8: not TOML"},
       {file("type.toml", "alpha = [1]\nbeta = 1\n"), "line 1: alpha is an array; expected a value"},
       {file("nan.toml", "alpha = nan\nbeta = 1\n"), "line 1: alpha 'nan': expected a time from 0 to 1e9 s"},
       {file("negative.toml", "alpha = 1\nbeta = -1e-9\n"), "line 2: beta '-1e-09': expected"},
       {file("missing.toml", "alpha = 1\n"), "beta is missing; every machine file sets alpha and beta"},
       {file("empty.toml", ""), "alpha is missing"},
       {plan + "unit --set foo=1", "machine parameter 'foo': unknown name; did you mean 'rho'? known: alpha, "},
       {plan + "unit --set alpha", "a value is missing; expected alpha=..."},
       {plan + "unit --set alpha=-1", "machine parameter alpha '-1': expected a time from 0 to 1e9 s"},
       {plan + "unit --set alpha=nan", "machine parameter alpha 'nan': expected"},
       {plan + "unit --set ports=two", "machine parameter ports 'two': expected one or all"},
       {"machine nosuch", "unknown preset, and there is no such file"},
       {"machine --toml", "--toml needs a machine"},
       {"machine --set alpha=1", "--set needs a machine"}});
}

TEST(Cli, RefusesBadUsage) {
  expect_refused({{"", "a command is missing: plan, verify, "},
                  {"plann", "did you mean 'plan'? known:"},
                  {"plann alltoall", "did you mean 'plan'?"},
                  {"plan", "COLLECTIVE is required; see 'quadrille plan --help'"},
                  {"plan alltoall", "TOPOLOGY is required"},
                  {"plan alltoall hypercube:3 more", "'more': expected a size such as 64KiB, bytes=SIZE, root=RANK"},
                  {"plan alltoall hypercube:3 --fast", "was not expected: --fast"},
                  {"plan alltoall hypercube:3 --algorithm alltoall_mce", "was not expected: --algorithm"},
                  {"plan alltoall hypercube:3 64 KiB", "'KiB': expected a size such as 64KiB"},
                  {"sweep alltoall fattree --ranks 16..16 --bytes 64", "name the networks, such as fattree:K"},
                  {"plan alltoall hypercube:3 --bytes", "--bytes"},
                  {"plan alltoall hypercube:3 --set", "--set: 1 required KEY=VALUE missing"},
                  {"plan alltoall hypercube:3 --bytes 1 --bytes 2", "--bytes"},
                  {"topology ring:6 --route 1", "--route"},
                  {"algorithm --markdown --list", "excludes"},
                  {"algorithm alltoall_mce --markdown", "excludes --markdown"},
                  {"reproduce foster -k 4", "takes no k"},
                  {"reproduce saad-schultz -k 32", "16, 64, 256, 1024"},
                  {"price alltoall hypercube:3 --machine unit", "--algorithm is required"}});
}

TEST(Cli, AnEmptyValueIsNotNoValue) {
  const auto folder = std::filesystem::temp_directory_path();
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"topology", ""},
                                             {"machine", ""},
                                             {"algorithm", ""},
                                             {"plan", "bcast", "hypercube:3", "--root", ""},
                                             {"plan", "", "hypercube:3"},
                                             {"plan", "bcast", "hypercube:3", "--set", ""},
                                             {"topology", "ring:6", "--route", "", "1"},
                                             {"verify", "bcast", "hypercube:3", "--algorithm", ""}}) {
    const Ran ran = run_program(words, folder);
    EXPECT_EQ(ran.status, 2) << words.front();
    EXPECT_EQ(ran.out, "") << words.front();
    EXPECT_NE(ran.err.find("the value is empty"), std::string::npos) << ran.err;
  }
}

TEST(Cli, RefusesWhatWouldTakeTooLong) {
  expect_refused(
      {{"price bcast hypercube:10 --machine unit --bytes 1GiB --algorithm bcast_pipelined:packets=1000000",
        "price --formula", 3},
       {"price bcast hypercube:3 --machine unit --bytes 1MiB --algorithm bcast_pipelined:packets=200000 --rounds",
        "expected at most 100 000"},
       {"price bcast hypercube:3 --machine unit --algorithm bcast_binomial --budget 0", "--budget '0': expected"},
       {"topology ring:40000000 --route 0 20000000", "crosses 20 000 000 links; at most 100 000 are listed"},
       {"plan alltoall hypercube:30", "expected at most 3 here"},
       {"plan bcast hypercube:3 --set alpha=1e308", "alpha '1e308': expected a time from 0 to 1e9 s"},
       {"topology mesh:200x3 --sources 1", "200 rows of 3 ranks are not drawn"},
       {"topology ring:8 --sources 9", "source on ring:8 '9': expected a whole number from 0 to 7"},
       {"topology ring:8 --sources 1 --route 0 1", "--route excludes --sources"},
       {"plan alltoallv ring:8", "the demands are missing"},
       {"plan alltoallv ring:8 --demands 0-9", "rank of pair '0-9' on ring:8 '9': expected a whole number from 0 to 7"},
       {"plan alltoall ring:8 --demands all", "only alltoallv has demands, not alltoall"},
       {"plan alltoallv ring:8 --demands ./no-such.csv", "no-such.csv"},
       {"topology --sources 1", "--sources needs a topology, such as mesh:10x10"},
       {"algorithm --bytes abc", "bytes 'abc': unknown unit"},
       {"machine unit --toml --json", "give one of them"}});
  EXPECT_EQ(run_program("plan alltoall hypercube:30 --bytes 3").status, 0);
}

}  // namespace
}  // namespace quadrille::cli_refusals_test
