// The program as a user meets it: what it prints, in which form, with which exit status.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "answers.hpp"
#include "base/text.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::cli_test {
namespace {

using Json = nlohmann::json;
using cli_answers::answer;
using cli_answers::expect_keys;

const std::vector<std::string> commands{"plan",     "verify",  "price", "simulate", "run",    "reproduce", "algorithm",
                                        "topology", "machine", "sweep", "wisdom",   "report", "plot"};

/// One small task per command that has an answer at once.
const std::vector<std::string> answers{
    "plan alltoall hypercube:3 --machine ipsc860 --bytes 32",
    "verify allgather hypercube:3 --machine unit",
    "verify allgather hypercube:3 --machine unit --algorithm allgather_adea",
    "price alltoall hypercube:3 --machine ipsc860 --bytes 32 --algorithm alltoall_mce:phases=1,2 --rounds",
    "simulate alltoall hypercube:3 --machine ipsc860 --bytes 32 --heat",
    "run alltoall hypercube:2 --machine ipsc860 --bytes 64 --algorithm alltoall_direct --repeat 1 --trace",
    "algorithm",
    "algorithm alltoall_mce",
    "algorithm --on ring:6",
    "topology",
    "topology hypercube:3",
    "topology ring:12 --route 10 3",
    "topology bifly:2^3 --route 1 6",
    "price alltoall hypercube:3 --machine unit --algorithm alltoall_standard --contention --on mesh:8",
    "machine",
    "machine ipsc860"};

TEST(Cli, PrintsARouteAndWhereSourcesAre) {
  EXPECT_EQ(run_program("topology mesh:3x4 --sources Cr(6)").out, R"(mesh:3x4: 6 of 12 ranks send

  # # # #
  # . . .
  # . . .
)");
  EXPECT_EQ(run_program("topology ring:12 --route 10 3").out, R"(ring:12: 10 to 3 crosses 5 links
  link  from  to
    20    10  11
    22    11   0
     0     0   1
     2     1   2
     4     2   3
)");
}

TEST(Cli, ListsInJson) {
  EXPECT_GT(answer("algorithm")["algorithms"].size(), 20U);
  const Json one = answer("algorithm alltoall_mce");
  expect_keys(one, {"algorithm", "collective", "summary", "source", "parameters", "places"}, "algorithm");
  EXPECT_EQ(one["parameters"][0]["name"], "phases");
  const Json ring = answer("algorithm --on ring:6");
  for (const Json& a : ring["algorithms"]) EXPECT_EQ(a["legal"].get<bool>(), a["reason"] == "") << a["algorithm"];
  EXPECT_EQ(answer("topology hypercube:3")["diameter"], 3);
  EXPECT_EQ(answer("topology mesh:3x4 --sources DR(4)")["places"], Json::parse("[[0,0],[0,2],[1,1],[2,2]]"));
  EXPECT_EQ(answer("topology hypercube:3 --route 1 6")["ranks"], Json({1, 0, 2, 6}));
  const Json families = answer("topology")["families"];
  EXPECT_GE(families.size(), 3U);
  for (const Json& f : families) {
    if (f["example"].is_null()) continue;
    EXPECT_EQ(answer("topology " + f["example"].get<std::string>())["family"], f["name"]);
  }
  EXPECT_GE(answer("machine")["machines"].size(), 3U);
  EXPECT_EQ(answer("machine ipsc860")["origins"]["beta"]["honesty"], "text");
}

TEST(Cli, AlgorithmsAreAMatrixThatFitsATerminal) {
  const Ran ran = run_program("algorithm");
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120U) << line;
  const Json matrix = answer("algorithm")["matrix"];
  std::set<std::string> seen, collectives, families;
  for (const Json& cell : matrix) collectives.insert(cell["collective"]), families.insert(cell["topology"]);
  EXPECT_EQ(matrix.size(), collectives.size() * families.size());
  const auto shown = [](const TopologyFamily& f) { return f.like.empty() && topology_of(f, 64) != nullptr; };
  EXPECT_EQ(std::ssize(families), std::count_if(topology_families().begin(), topology_families().end(), shown));
  for (const Json& cell : matrix) {
    EXPECT_EQ(cell["algorithms"].empty(), cell["gap"].is_null()) << cell;
    EXPECT_GE(cell["gap"].is_null() ? 1 : cell["gap"].get<double>(), 1 - 1e-12) << cell;
    seen.insert(cell["algorithms"].begin(), cell["algorithms"].end());
  }
  EXPECT_GT(seen.size(), 60U);
  const auto cube = std::find_if(matrix.begin(), matrix.end(), [](const Json& cell) {
    return cell["collective"] == "bcast" && cell["topology"] == "hypercube:6";
  });
  ASSERT_NE(cube, matrix.end());
  EXPECT_EQ((*cube)["algorithms"][0], "bcast_binomial");
}

TEST(Cli, AMachineWrittenIsTheMachineRead) {
  const std::filesystem::path file = std::filesystem::path(::testing::TempDir()) / "cli_written.toml";
  const Ran written = run_program("machine ipsc860 --set ports=all --set alpha=95us --toml");
  EXPECT_EQ(written.status, 0);
  std::ofstream(file) << written.out;
  Json read = answer("machine " + file.string()), given = answer("machine ipsc860 --set ports=all --set alpha=95us");
  EXPECT_EQ(read, given);
  EXPECT_EQ(read["alpha_s"], 95e-6);
}

TEST(Cli, AnErrorUnderJsonIsJsonAndSaidOnStderr) {
  const Ran ran = run_program("plan alltoall tours:4 --json");
  EXPECT_EQ(ran.status, 2);
  EXPECT_EQ(Json::parse(ran.out)["error"]["kind"], "argument");
  EXPECT_TRUE(ran.err.starts_with("quadrille: topology 'tours'"));
}

TEST(Cli, AnswersWithoutColourInPipesAndFiles) {
  for (const std::string& line : answers) {
    const Ran ran = run_program(line);
    EXPECT_EQ(ran.status, 0) << line << ": " << ran.err;
    EXPECT_EQ(ran.err, "") << line;
    EXPECT_EQ(ran.out.find('\x1b'), std::string::npos) << line;
    EXPECT_TRUE(ran.out.ends_with("\n")) << line;
    for (const std::string_view row : base::split(ran.out, '\n'))
      EXPECT_FALSE(row.ends_with(" ")) << line << ": '" << row << "'";
  }
}

TEST(Cli, ColoursOnATerminalUnlessToldNotTo) {
  const std::string line = "plan alltoall hypercube:3 --machine ipsc860";
  EXPECT_NE(run_on_terminal(line, false).out.find("\x1b[1m"), std::string::npos);
  EXPECT_EQ(run_on_terminal(line, true).out.find('\x1b'), std::string::npos);
}

TEST(Cli, ProgressIsShownOnATerminalAndWiped) {
  const std::string out = run_on_terminal("verify allgather hypercube:3 --machine unit", true).out;
  EXPECT_NE(out.find("proving allgather_adea"), std::string::npos) << out;
  EXPECT_LT(out.rfind("\r\x1b[K"), out.find("allgather on hypercube:3")) << out;
}

std::vector<std::string> examples(const std::string& command) {
  const Ran help = run_program(command + " --help");
  EXPECT_EQ(help.status, 0) << command;
  EXPECT_EQ(help.err, "") << command;
  const auto at = help.out.find("\nExample");
  EXPECT_NE(at, std::string::npos) << command << " has no example";
  std::vector<std::string> lines;
  if (at == std::string::npos) return lines;
  for (const std::string_view line : base::split(std::string_view(help.out).substr(at), '\n'))
    if (line.starts_with("  quadrille ")) lines.emplace_back(line.substr(12));
  EXPECT_FALSE(lines.empty()) << command;
  return lines;
}

TEST(Cli, EveryExampleOfTheHelpRuns) {
  const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "cli_examples";
  std::filesystem::create_directories(folder);
  for (const std::string& command : commands)  // report and plot read what sweep has written
    for (const std::string& line : examples(command)) {
      const Ran ran = run_program(line, folder);
      EXPECT_EQ(ran.status, 0) << line << ": " << ran.err;
      EXPECT_NE(ran.out, "") << line;
    }
  std::filesystem::remove_all(folder);
}

TEST(Cli, HelpNamesEveryCommandAndVersionIsOneLine) {
  const Ran help = run_program("--help");
  EXPECT_EQ(help.status, 0);
  for (const std::string& command : commands)
    EXPECT_NE(help.out.find("\n  " + command + " "), std::string::npos) << command;
  const Ran version = run_program("--version");
  EXPECT_EQ(version.status, 0);
  EXPECT_TRUE(version.out.starts_with("quadrille ")) << version.out;
  EXPECT_EQ(std::count(version.out.begin(), version.out.end(), '\n'), 1);
}

TEST(Cli, DefaultsAreWhatTheHelpSays) {
  EXPECT_EQ(answer("plan alltoall hypercube:3")["machine"]["name"], "localhost");
  EXPECT_EQ(answer("run bcast hypercube:2 --algorithm bcast_binomial")["machine"]["name"], "localhost");
  EXPECT_EQ(answer("verify bcast hypercube:3 --machine unit")["machine"]["name"], "unit");
  EXPECT_EQ(answer("price bcast hypercube:3 --machine unit --algorithm bcast_binomial")["machine"]["name"], "unit");
  EXPECT_EQ(answer("plan alltoall hypercube:3")["spec"]["bytes"], 1024);
  EXPECT_EQ(answer("plan sendrecv hypercube:3 --root 1")["spec"]["target"], 6);
}

TEST(Cli, AnErrorThatNobodyReadsIsStillTheStatus) {
  const int status = std::system(QUADRILLE_PROGRAM " topology tours:4 2>&-");
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

TEST(Cli, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const int status = std::system(QUADRILLE_PROGRAM " topology >/dev/full 2>/dev/null");
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 2);
}

}  // namespace
}  // namespace quadrille::cli_test
