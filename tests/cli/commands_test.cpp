// The program as a user meets it: what it prints, in which form, with which exit status.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/text.hpp"
#include "program.hpp"

namespace quadrille::cli_test {
namespace {

using Json = nlohmann::json;

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

Json answer(const std::string& line) {
  const Ran ran = run_program(line + " --json");
  EXPECT_EQ(ran.status, 0) << line << ": " << ran.err;
  EXPECT_EQ(ran.err, "") << line;
  Json json = Json::parse(ran.out, nullptr, false);
  EXPECT_FALSE(json.is_discarded()) << line << ":\n" << ran.out;
  return json;
}

void expect_keys(const Json& json, const std::vector<std::string>& keys, const std::string& where) {
  for (const std::string& key : keys) EXPECT_TRUE(json.contains(key)) << where << " has no " << key;
}

TEST(Cli, PrintsAPriceWorkedByHand) {
  // Two dimensions, alpha + 1 byte-second each way: 1 + 8 and 1 + 16 on unit constants; 3 blocks must enter through 2
  // ports.
  const Ran ran =
      run_program("price allgather hypercube:2 --machine unit --bytes 8 --algorithm allgather_adea --rounds");
  EXPECT_EQ(ran.status, 0);
  EXPECT_EQ(ran.err, "");
  EXPECT_EQ(ran.out, R"(allgather on hypercube:2 (4 ranks), blocks of 8 B, machine unit, which counts start-ups + bytes

allgather_adea  26
formula: Saad & Schultz 1985, eq. (4.3)

             formula  counted  equal  costs  what is counted
  start-ups        2        2  yes        2  rounds with a message, by turns at
                                             links
  hops             2        2  yes        0  longest route of each round; half
                                             the diameter is paid
  bytes           24       24  yes       24  on the busiest link or port of each
                                             round
  permuted         0        0  yes        0  bytes a rank rearranges
  barriers         0        0  yes        0  of all ranks
  packed           0        0  yes        0  bytes of messages that are not one
                                             run of memory

the closed form equals the count, as it claims

limit   14: no schedule is faster; it is set by port
        latency          2  data must cross 2 links, one a round
        port            12  a rank must move 24 B through 2 ports
        work            12  12 block crossings over 8 links that can be busy at
                            once
        cut              8  16 B must cross a cut of 2 links
gap     the time is 1.86 times the limit

traffic (representatives stood for all ranks)
  messages                                              8
  links crossed by all messages                         8
  bytes times links crossed                            96
  largest messages of all rounds                     24 B
  busiest directed link                              16 B
  busiest wire, both directions                      32 B
  busiest rank sends                                 24 B
  busiest rank receives                              24 B
  most messages on a link in a round                    1

round by round, without barriers
  round  time  messages  largest  charged  on a link  busiest link  hops  permuted  packed
      0     9         4      8 B      8 B          1  0->1             1       0 B     0 B
      1    17         4     16 B     16 B          1  0->2             1       0 B     0 B
)");
}

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

TEST(Cli, PlanSaysWhatHowLongWhyAndWhyNot) {
  const Ran ran = run_program("plan alltoall hypercube:6 --machine ipsc860 --bytes 32");
  EXPECT_EQ(ran.status, 0);
  for (const std::string_view part :
       {"alltoall on hypercube:6 (64 ranks), blocks of 32 B, machine ipsc860", "use     alltoall_", "time    ",
        "start-up ", "limit   ", "no schedule is faster", "gap     ", "second  ",
        "prove   quadrille verify alltoall hypercube:6 --bytes 32", "Theorem 1", "alltoall_mce:phases=3,3 ", "8.774 ms",
        "second  alltoall_mce:phases=2,2,2: 9.987 ms", "the best other algorithm is alltoall_mtadea: 10.49 ms",
        "proven  yes: every rank ends with what it must",
        "13 algorithms cannot run here (--all says why): alltoall_bidir,"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\nin\n" << ran.out;
}

TEST(Cli, TheTextOfAQuestionIsACommandLine) {
  EXPECT_EQ(run_program("price scatter ring:9 bytes=4096 root=3 --algorithm scatter_direct --json").out,
            run_program("price scatter ring:9 --bytes 4096 --root 3 --algorithm scatter_direct --json").out);
  EXPECT_EQ(run_program("plan multibcast ring:9 4KiB sources=2,5:100 --json").out,
            run_program("plan multibcast ring:9 --bytes 4KiB --sources 2,5:100 --json").out);
}

TEST(Cli, PlanFitsEightyColumns) {
  for (const std::string line :
       {"plan alltoall hypercube:6 --machine ipsc860 --bytes 32", "plan alltoall ring:9 --set switching=circuit",
        "plan allgather torus:4x4 --machine paragon --effort simulate", "plan bcast mesh:8x8 --effort simulate",
        "plan multibcast mesh:8x8 --machine paragon-h95 --bytes 2KiB --sources E(5)"}) {
    const Ran ran = run_program(line);
    EXPECT_EQ(ran.status, 0) << ran.err;
    std::istringstream lines(ran.out);
    for (std::string one; std::getline(lines, one);)
      if (one.find("quadrille verify") == std::string::npos) {  // a quoted command stays whole
        EXPECT_LE(one.size(), 80U) << line << "\n" << one;
      }
  }
}

TEST(Cli, PlanReportAndPriceSayThatTheyAreProven) {
  const Json json = Json::parse(run_program("plan alltoall hypercube:4 --machine ipsc860 --json").out);
  EXPECT_EQ(json["best"]["proof"]["state"], "proven");
  EXPECT_EQ(json["best"]["proof"]["counted"], true);
  EXPECT_EQ(json["mistakes"], Json::array());
  const Ran stops = run_program("plan alltoall ring:9 --set switching=circuit --all");
  EXPECT_EQ(stops.status, 0);
  EXPECT_NE(stops.out.find("alltoall_signed:radix=3 may come to a stop: round"), std::string::npos) << stops.out;
  const Ran wrong = run_program("verify alltoall ring:9 --set switching=circuit --algorithm alltoall_signed");
  EXPECT_EQ(wrong.status, 1);
  EXPECT_NE(wrong.out.find("circuits that"), std::string::npos) << wrong.out;
}

TEST(Cli, TheLineThatPlanSuggestsProves) {
  const std::string out =
      run_program("plan scatter hypercube:4 --machine ipsc860 --set ports=all --root 5 --bytes 3kB").out;
  const auto at = out.find("quadrille verify");
  ASSERT_NE(at, std::string::npos) << out;
  std::string line = out.substr(at + 10, out.find("\n\n", at) - at - 10);
  for (auto broken = line.find(" \\\n"); broken != std::string::npos; broken = line.find(" \\\n"))
    line.replace(broken, line.find_first_not_of(' ', broken + 3) - broken, " ");
  const Ran proof = run_program(line);
  EXPECT_EQ(proof.status, 0) << line << proof.err;
  EXPECT_NE(proof.out.find("scatter from 5 on hypercube:4 (16 ranks), blocks of 3000 B"), std::string::npos)
      << proof.out;
  EXPECT_NE(proof.out.find("proven correct"), std::string::npos) << proof.out;
}

TEST(Cli, PlanPricesEveryPartitionWhenCircuitsAreExact) {
  const std::string line = "plan alltoall hypercube:6 --machine ipsc860 --bytes 32 --set circuit=exact";
  EXPECT_NE(run_program(line).out.find("all 11 partitions of 6 dimensions"), std::string::npos);
  const Json json = answer(line);
  int priced = 0;  // partitions of 6: 11, two of them by the names of direct and standard
  for (const Json& c : json["candidates"])
    priced += c["algorithm"] == "alltoall_mce" || c["algorithm"] == "alltoall_direct" ||
              c["algorithm"] == "alltoall_standard";
  EXPECT_EQ(priced, 11);
}

TEST(Cli, EmptyBlocksHaveNoLimit) {
  const Ran ran = run_program("plan allgather hypercube:3 --machine ipsc860 --bytes 0");
  EXPECT_EQ(ran.status, 0);
  EXPECT_NE(ran.out.find("limit   none: there is nothing to move"), std::string::npos) << ran.out;
  EXPECT_EQ(answer("plan allgather hypercube:3 --machine ipsc860 --bytes 0")["gap"], 1);
}

TEST(Cli, WhatItSuggestsWhenNothingCanRunRuns) {
  const Ran none = run_program("verify bcast ring:5 --machine unit --algorithm bcast_binomial");
  EXPECT_EQ(none.status, 2);
  const std::string out = run_program("verify alltoall ring:5 --machine unit --set duplex=half").out;
  const auto at = out.find("'quadrille "), end = out.find("' says why");
  ASSERT_TRUE(at != std::string::npos && end != std::string::npos) << out;
  const Ran why = run_program(out.substr(at + 11, end - at - 11));
  EXPECT_EQ(why.status, 0) << why.err;
  EXPECT_NE(why.out.find("no: "), std::string::npos);
}

TEST(Cli, PlanInJson) {
  const Json json = answer("plan alltoall hypercube:6 --machine ipsc860 --bytes 32");
  expect_keys(json,
              {"spec", "machine", "best", "bound", "gap", "second", "runner_up", "facts", "candidates", "refused"},
              "plan");
  expect_keys(json["spec"], {"collective", "topology", "ranks", "bytes"}, "spec");
  expect_keys(json["best"], {"algorithm", "params", "choice", "exact", "price_s", "parts", "counts"}, "best");
  expect_keys(json["best"]["parts"], {"startup_s", "circuit_s", "wire_s", "permute_s", "barrier_s"}, "parts");
  expect_keys(json["best"]["counts"], {"startups", "hops", "bytes", "permuted_bytes", "packed_bytes", "barriers"},
              "counts");
  expect_keys(json["bound"], {"time_s", "binding", "parts"}, "bound");
  EXPECT_EQ(json["spec"]["bytes"], 32);
  EXPECT_EQ(json["machine"]["alpha_s"], 177.5e-6);
  EXPECT_EQ(json["best"], json["candidates"][0]);
  for (const Json& c : json["candidates"]) {
    EXPECT_LE(json["best"]["price_s"], c["price_s"]);
    if (c["choice"] != "alltoall_mce:phases=3,3") continue;
    EXPECT_EQ(c["params"]["phases"], Json({3, 3}));
    EXPECT_NEAR(c["price_s"].get<double>(), 8774.136e-6, 1e-12);  // 5150.2 + 32 * 113.248 us
  }
  for (const Json& r : json["refused"]) EXPECT_NE(r["reason"], "");
  EXPECT_DOUBLE_EQ(json["gap"], json["best"]["price_s"].get<double>() / json["bound"]["time_s"].get<double>());
}

TEST(Cli, VerifyInJson) {
  const Json json = answer("verify allgather hypercube:3 --machine unit");
  expect_keys(json, {"spec", "machine", "holds", "proofs"}, "verify");
  EXPECT_EQ(json["holds"], true);
  ASSERT_GT(json["proofs"].size(), 2U);
  for (const Json& proof : json["proofs"]) {
    expect_keys(proof,
                {"choice", "holds", "statements", "counterexample", "by_symmetry", "rounds", "messages", "deliveries",
                 "duplicates", "scratch_bytes", "link_messages"},
                "proof");
    EXPECT_GE(proof["deliveries"], 8 * 7);
    EXPECT_TRUE(proof["counterexample"].is_null());
  }
}

TEST(Cli, VerifyWithAndWithoutSymmetryCountsTheSame) {
  const std::string line = "verify alltoall hypercube:4 --machine ipsc860 --algorithm alltoall_mce:phases=2,2";
  Json quick = answer(line)["proofs"][0], slow = answer(line + " --no-symmetry")["proofs"][0];
  EXPECT_EQ(quick["by_symmetry"], true);
  EXPECT_EQ(slow["by_symmetry"], false);
  for (const char* key : {"by_symmetry", "visits"}) quick.erase(key), slow.erase(key);
  EXPECT_EQ(quick, slow);
}

TEST(Cli, PriceInJson) {
  const Json json =
      answer("price alltoall hypercube:6 --machine ipsc860 --bytes 32 --algorithm alltoall_mce:phases=3,3 --rounds");
  expect_keys(
      json, {"spec", "machine", "choice", "claims", "formula", "counted", "equal", "bound", "gap", "traffic", "rounds"},
      "price");
  EXPECT_EQ(json["equal"], true);
  EXPECT_EQ(json["formula"]["counts"], json["counted"]["counts"]);
  EXPECT_EQ(json["counted"]["counts"]["startups"], 14);
  EXPECT_EQ(json["traffic"]["messages"], 14 * 64);
  std::int64_t messages = 0;
  for (const Json& r : json["rounds"]) messages += r["messages"].get<std::int64_t>();
  EXPECT_EQ(messages, 14 * 64);
}

/// Half of 64 blocks leave in each of six rounds and as many come, none of them in one run of memory.
TEST(Cli, PackingIsPricedExactly) {
  const Json json =
      answer("price alltoall hypercube:6 --machine ipsc860 --bytes 32 --algorithm alltoall_mtadea --rounds");
  EXPECT_EQ(json["equal"], true);
  EXPECT_EQ(json["formula"]["counts"]["packed_bytes"], 6 * 64 * 32);
  EXPECT_EQ(json["counted"]["price_s"], json["formula"]["price_s"]);
  EXPECT_EQ(json["rounds"][0]["packed_bytes"], 64 * 32);
}

TEST(Cli, TheClosedFormAloneNeedsNoCounting) {
  const Json json =
      answer("price alltoall hypercube:24 --machine ipsc860 --bytes 1 --algorithm alltoall_direct --formula");
  EXPECT_EQ(json["formula"]["counts"]["startups"], 16777215);
  EXPECT_TRUE(json["counted"].is_null());
}

TEST(Cli, RunInJson) {
  const Json json =
      answer("run alltoall hypercube:2 --machine ipsc860 --bytes 64 --algorithm alltoall_direct --repeat 3 --trace");
  expect_keys(json,
              {"spec", "machine", "choice", "proven", "repetitions", "cores", "measured_s", "least_s", "most_s",
               "messages", "moved_bytes", "permuted_bytes", "checked_bytes", "price_s", "measured_over_price", "trace"},
              "run");
  EXPECT_EQ(json["proven"], true);
  EXPECT_EQ(json["messages"], 12);
  EXPECT_EQ(json["moved_bytes"], 12 * 64);
  EXPECT_GE(json["checked_bytes"], 12 * 64);
  EXPECT_EQ(json["trace"].size(), 3U);
  EXPECT_LE(json["least_s"], json["measured_s"]);
  EXPECT_LE(json["measured_s"], json["most_s"]);
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
  EXPECT_GE(answer("topology")["families"].size(), 3U);
  EXPECT_GE(answer("machine")["machines"].size(), 3U);
  EXPECT_EQ(answer("machine ipsc860")["origins"]["beta"]["honesty"], "text");
}

TEST(Cli, AlgorithmsAreAMatrixThatFitsATerminal) {
  const Ran ran = run_program("algorithm --machine unit");
  EXPECT_EQ(ran.status, 0) << ran.err;
  std::istringstream lines(ran.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 120U) << line;
  const Json matrix = answer("algorithm --machine unit")["matrix"];
  std::set<std::string> seen, collectives, families;
  for (const Json& cell : matrix) collectives.insert(cell["collective"]), families.insert(cell["topology"]);
  EXPECT_EQ(matrix.size(), collectives.size() * families.size());
  EXPECT_GE(families.size() + 1, answer("topology")["families"].size());  // ethernet is a bus
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
  EXPECT_EQ((*cube)["algorithms"][0], "bcast_esbt");
}

TEST(Cli, PriceShowsWhereMessagesCompete) {
  const std::string line =
      "price alltoall hypercube:3 --machine unit --bytes 8 --algorithm alltoall_standard --contention";
  const Json alone = answer(line)["contention"];
  EXPECT_EQ(alone["on"], "hypercube:3");
  EXPECT_EQ(alone["s"], 1);
  EXPECT_EQ(alone["time_s"], alone["alone_time_s"]);
  const Json bus = answer(line + " --on bus:8")["contention"];
  EXPECT_EQ(bus["s"], 8);
  EXPECT_EQ(bus["rounds"][0]["links"][0]["name"], "the bus");
  EXPECT_EQ(bus["time_s"], 3 * (1 + 8 * 32));
  EXPECT_EQ(answer(line + " --on bus:8 --half-bus")["contention"]["s"], 4);
  EXPECT_EQ(answer(line + " --on mesh:8 --who senders")["contention"]["s_senders"], 4);
  const Ran ran = run_program(line + " --on mesh:8");
  EXPECT_EQ(ran.status, 0);
  for (const std::string_view part :
       {"competition on mesh:8", "worst link", "links that messages compete for", "S = 4"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\n" << ran.out;
  EXPECT_NE(run_program(line).out.find("no link carries two messages in one round"), std::string::npos);
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

TEST(Cli, WhatTheBudgetLeavesUndecidedIsNotProven) {
  const std::string line = "verify bcast ring:50000 --machine unit --bytes 1000 --algorithm bcast_pipelined:packets=1";
  const Ran ran = run_program(line);
  EXPECT_EQ(ran.status, 3);
  EXPECT_NE(ran.out.find("is not decided\n  proving 25 000 rounds on ring:50000 takes more than"), std::string::npos);
  const Json json = Json::parse(run_program(line + " --json").out);
  EXPECT_EQ(json["holds"], false);
  EXPECT_NE(json["proofs"][0]["unproven"].get<std::string>().find("--budget"), std::string::npos);
  EXPECT_EQ(run_program("verify allgather hypercube:5 --machine unit --algorithm allgather_tea2 --budget 100").status,
            3);
  EXPECT_EQ(run_program("verify allgather hypercube:5 --machine unit --algorithm allgather_tea2 --budget 10000").status,
            0);
  const Ran all = run_program("verify allgather hypercube:5 --machine unit --budget 2000");
  EXPECT_EQ(all.status, 3);
  EXPECT_NE(all.out.find("not decided"), std::string::npos);
}

TEST(Cli, APlanThatFindsNothingSaysWhyAndIsANo) {
  const std::string line = "plan alltoall ring:5 --set duplex=node-half";
  const Ran ran = run_program(line);
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err, "");
  EXPECT_NE(ran.out.find("algorithms cannot run here\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("alltoall_mce "), std::string::npos) << ran.out;
  const Json json = Json::parse(run_program(line + " --json").out);
  EXPECT_TRUE(json["best"].is_null());
  EXPECT_TRUE(json["candidates"].empty());
  EXPECT_FALSE(json["refused"].empty());
  const Ran none = run_program("verify alltoall ring:5 --machine unit --set duplex=node-half");
  EXPECT_EQ(none.status, 1);
  EXPECT_NE(none.out.find("nothing to prove"), std::string::npos) << none.out;
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
