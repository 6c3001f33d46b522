// quadrille plan as a user meets it: what it says, what it suggests, and when it finds nothing.
#include <filesystem>
#include <fstream>
#include <sstream>

#include "answers.hpp"

namespace quadrille::cli_plan_test {
namespace {

using Json = nlohmann::json;
using cli_answers::answer;
using cli_answers::expect_keys;

TEST(Cli, PlanSaysWhatHowLongWhyAndWhyNot) {
  const Ran ran = run_program("plan alltoall hypercube:6 --machine ipsc860 --bytes 32");
  EXPECT_EQ(ran.status, 0);
  for (const std::string_view part :
       {"alltoall on hypercube:6 (64 ranks), blocks of 32 B, machine ipsc860", "use     alltoall_", "time    ",
        "start-up ", "limit   ", "no schedule is faster", "gap     ", "second  ",
        "prove   quadrille verify alltoall hypercube:6 --bytes 32", "Theorem 1", "  alltoall_mce:phases=3,3\n",
        "8.774 ms", "second  alltoall_mce:phases=2,2,2: 9.987 ms",
        "the best other algorithm is alltoall_mtadea: 10.49 ms", "proven  yes: every rank ends with what it must",
        "19 algorithms left out (--all says why): alltoall_bidir,"})
    EXPECT_NE(ran.out.find(part), std::string::npos) << part << "\nin\n" << ran.out;
}

TEST(Cli, TheTextOfAQuestionIsACommandLine) {
  EXPECT_EQ(run_program("price scatter ring:9 bytes=4096 root=3 --algorithm scatter_direct --json").out,
            run_program("price scatter ring:9 --bytes 4096 --root 3 --algorithm scatter_direct --json").out);
  EXPECT_EQ(run_program("plan alltoallv ring:9 4KiB demands=2-3,5-1:100 --json").out,
            run_program("plan alltoallv ring:9 --bytes 4KiB --demands 2-3,5-1:100 --json").out);
  EXPECT_EQ(run_program("plan multibcast ring:9 4KiB sources=2,5:100 --json").out,
            run_program("plan multibcast ring:9 --bytes 4KiB --sources 2,5:100 --json").out);
}

TEST(Cli, AnAddressHoldsTheWholeQuestion) {
  EXPECT_EQ(run_program("plan alltoall hypercube:6 --machine ipsc860 --bytes 32 --url").out,
            "play.html#collective=alltoall&topology=hypercube:6&bytes=32&machine=ipsc860\n");
  EXPECT_EQ(run_program("plan bcast torus:4x4!0-1 --set beta=2us/B --root 3 --url").out,
            "play.html#collective=bcast&topology=torus:4x4!0-1&bytes=1KiB&set=beta=2us/B&root=3\n");
  EXPECT_EQ(run_program("plan barrier ring:4 --url").out, "play.html#collective=barrier&topology=ring:4\n");
  const std::filesystem::path folder = ::testing::TempDir();
  std::ofstream(folder / "cli link.net") << "host a b\nlink a b 1GB/s\n";
  const std::string text = "graph:" + (folder / "cli%20link.net").string();
  EXPECT_EQ(run_program("plan alltoall " + text + " --bytes 8 --url").out,
            "play.html#collective=alltoall&topology=graph:cli%2520link.net&bytes=8"
            "&file.cli%20link.net=host%20a%20b%0Alink%20a%20b%201GB/s%0A\n");
  EXPECT_EQ(run_program("simulate alltoall ring:4 --order eager --jitter 5% --slow 0-1=2 --slow 2-3=4 --url").out,
            "play.html#collective=alltoall&topology=ring:4&bytes=1KiB&ask=simulate&order=eager&jitter=5%25"
            "&slow=0-1=2&slow=2-3=4\n");
  EXPECT_EQ(run_program("simulate alltoall ring:4 --slow 0-9=2 --url").status, 2);
  EXPECT_EQ(run_program("simulate alltoall ring:4 --order nonesuch --url").status, 2);
  EXPECT_EQ(run_program("plan alltoall hypercub:6 --url").status, 2);
  EXPECT_EQ(run_program("plan alltoall hypercube:6 --url --json").status, 2);
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
      if (const std::size_t name = one.rfind(' ') + 1; one.size() - name > 48) {
        EXPECT_LE(name, 56U) << line << "\n" << one;  // no choice of figures leaves room for such a name
      } else if (one.find("quadrille verify") == std::string::npos) {  // a quoted command stays whole
        EXPECT_LE(one.size(), 80U) << line << "\n" << one;
      }
  }
}

TEST(Cli, LongNamesComeLastAndPushNoFigureOffTheLine) {
  const Ran plan = run_program("plan allreduce dragonfly:4,2,2 --bytes 1MiB");
  EXPECT_EQ(plan.status, 0) << plan.err;
  EXPECT_NE(plan.out.find("      time  vs best  rounds   on wire  combined  candidate\n"), std::string::npos)
      << plan.out;
  const Ran verify = run_program("verify allreduce dragonfly:4,2,2 --bytes 1KiB");
  EXPECT_EQ(verify.status, 0) << verify.err;
  EXPECT_NE(verify.out.find("  by         algorithm\n"), std::string::npos) << verify.out;
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

TEST(Cli, APlanThatFindsNothingSaysWhyAndIsANo) {
  const std::string line =
      "plan transpose mesh:3x3 --machine unit --set duplex=node-half --set switching=store-and-forward";
  const Ran ran = run_program(line);
  EXPECT_EQ(ran.status, 1);
  EXPECT_EQ(ran.err, "");
  EXPECT_NE(ran.out.find("algorithms left out\n"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("transpose_swap "), std::string::npos) << ran.out;
  const Json json = Json::parse(run_program(line + " --json").out);
  EXPECT_TRUE(json["best"].is_null());
  EXPECT_TRUE(json["candidates"].empty());
  EXPECT_FALSE(json["refused"].empty());
  const Ran none =
      run_program("verify transpose mesh:3x3 --machine unit --set duplex=node-half --set switching=store-and-forward");
  EXPECT_EQ(none.status, 1);
  EXPECT_NE(none.out.find("nothing to prove"), std::string::npos) << none.out;
}

/// Groups of ranks are the network's own: where schedules choose ways there are none.
TEST(Cli, PlansByGroupsDoNotAskForThemWhereWaysAreChosen) {
  for (const char* const line : {"plan alltoall tree:4,2 --machine cluster --bytes 64",
                                 "plan allgather fattree:4@0-5 --machine aurora --bytes 64",
                                 "plan allgather xgft:2;4,4;1,2 --machine lumi --bytes 64"}) {
    const Ran ran = run_program(line);
    EXPECT_EQ(ran.status, 0) << line << ": " << ran.err;
    EXPECT_NE(ran.out.find("_levels:"), std::string::npos) << line << ran.out;
  }
}

}  // namespace
}  // namespace quadrille::cli_plan_test
