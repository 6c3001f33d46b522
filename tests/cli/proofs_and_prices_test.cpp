// quadrille verify, price and run as a user meets them.
#include "answers.hpp"

namespace quadrille::cli_proofs_and_prices_test {
namespace {

using Json = nlohmann::json;
using cli_answers::answer;
using cli_answers::expect_keys;

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

}  // namespace
}  // namespace quadrille::cli_proofs_and_prices_test
