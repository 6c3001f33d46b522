// Schedules that others wrote, by hand: what they mean here, and what is wrong with those that are wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "interchange/schedule_file.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"

namespace quadrille::foreign_test {
namespace {

using interchange::read_schedule;
using interchange::ScheduleFile;

std::string complaint(const std::string& text) {
  try {
    read_schedule(text, "a");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

Spec asked(Collective collective, const std::string& topology) {
  return checked({.collective = collective, .topology = parse_topology(topology), .bytes = 64});
}

Proof proof_of(const std::string& text, const Spec& spec) {
  const ScheduleFile file = read_schedule(text, "a");
  EXPECT_EQ(interchange::mismatch(file, spec), "");
  Claims claims;
  claims.once = claims.contention_free = claims.port_free = false;
  claims.identical = Identical::no;
  return verify(spec, load_machine("unit"), *interchange::schedule_of(file, spec), claims);
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// An allreduce in place between two GPUs, as MSCCL's tools generate it: reduce-scatter, then allgather.
std::string two_gpus() {
  std::string text =
      R"(<algo name="rs_ag_2" proto="Simple" nchannels="1" nchunksperloop="2" ngpus="2" coll="allreduce" inplace="1">)"
      "\n";
  const auto step = [](int s, const char* type, int chunk) {
    return fmt::format(
        R"(<step s="{0}" type="{1}" srcbuf="i" srcoff="{2}" dstbuf="i" dstoff="{2}" cnt="1" depid="-1" deps="-1" hasdep="0"/>)"
        "\n",
        s, type, chunk);
  };
  for (int r = 0; r < 2; ++r) {
    text += fmt::format(
        R"(<gpu id="{0}" i_chunks="2" o_chunks="0" s_chunks="0"><tb id="0" send="{1}" recv="{1}" chan="0">)", r, 1 - r);
    text += "\n" + step(0, "s", 1 - r) + step(1, "rrc", r) + step(2, "s", r) + step(3, "r", 1 - r);
    text += "</tb></gpu>\n";
  }
  return text + "</algo>\n";
}

TEST(Msccl, AnAllreduceInPlaceIsProven) {
  const Spec spec = asked(Collective::allreduce, "crossbar:2");
  const Proof proof = proof_of(two_gpus(), spec);
  EXPECT_TRUE(proof.holds) << proof.counterexample->text;
  EXPECT_EQ(proof.messages, 4);
  EXPECT_EQ(proof.rounds, 2);  // both ranks send and receive at once, twice
}

TEST(Msccl, WrongStepsAreFound) {
  const Spec spec = asked(Collective::allreduce, "crossbar:2");
  // A chunk that is stored in place of being combined: somebody's contribution is missing.
  const Proof stored = proof_of(replaced(two_gpus(), R"(type="rrc")", R"(type="r")"), spec);
  EXPECT_FALSE(stored.holds);
  EXPECT_EQ(complaint(replaced(two_gpus(), R"(send="1")", R"(send="0")")),
            "'a', line 2: a thread block sends to its own gpu; expected another");
  EXPECT_EQ(complaint(replaced(two_gpus(), R"(srcoff="1")", R"(srcoff="7")")),
            "'a', line 3: chunks 7 to 7 of buffer i; gpu 0 has 2 that a allreduce uses");
  EXPECT_EQ(complaint(replaced(two_gpus(), R"(type="rrc")", R"(type="rrx")")),
            "'a', line 4: type='rrx'; expected one of s, r, rcs, rrc, rrs, rrcs, cpy, re, nop");
  EXPECT_EQ(complaint(replaced(two_gpus(), R"(coll="allreduce")", R"(coll="custom")")),
            "'a', line 1: coll='custom'; expected one of allgather, allreduce, reducescatter, alltoall, broadcast, "
            "reduce, gather, scatter");
  EXPECT_NE(complaint(replaced(two_gpus(), "</algo>", "")).find("no XML"), std::string::npos);
}

/// Rank 0's chunk goes to 1 and on to 2 by another thread block, which has to wait for it.
std::string chain(const std::string& wait) {
  const auto step = [](const char* type, const std::string& waits, const char* hasdep) {
    return fmt::format(
        R"(<step s="0" type="{}" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" {} hasdep="{}"/></tb>)"
        "\n",
        type, waits, hasdep);
  };
  const std::string none = R"(depid="-1" deps="-1")";
  return R"(<algo name="chain" nchunksperloop="1" ngpus="3" coll="broadcast" inplace="1">)"
         "\n"
         R"(<gpu id="0" i_chunks="1" o_chunks="1" s_chunks="0"><tb id="0" send="1" recv="-1" chan="0">)" +
         step("s", none, "0") +
         R"(</gpu><gpu id="1" i_chunks="1" o_chunks="1" s_chunks="0"><tb id="0" send="-1" recv="0" chan="0">)" +
         step("r", none, "1") + R"(<tb id="1" send="2" recv="-1" chan="0">)" + step("s", wait, "0") +
         R"(</gpu><gpu id="2" i_chunks="1" o_chunks="1" s_chunks="0"><tb id="0" send="-1" recv="1" chan="0">)" +
         step("r", none, "0") + "</gpu></algo>\n";
}

TEST(Msccl, AStepThatDoesNotWaitForItsDataIsRefused) {
  const Proof proof = proof_of(chain(R"(depid="0" deps="0")"), asked(Collective::bcast, "crossbar:3"));
  EXPECT_TRUE(proof.holds) << proof.counterexample->text;
  EXPECT_EQ(proof.rounds, 2);
  const std::string why = complaint(chain(R"(depid="-1" deps="-1")"));
  EXPECT_NE(why.find("touch the same chunk, and none waits for the other"), std::string::npos) << why;
  EXPECT_NE(complaint(chain(R"(depid="1" deps="0")")).find("waits for one that waits for it"), std::string::npos);
  EXPECT_NE(complaint(chain(R"(depid="4" deps="0")")).find("no such step"), std::string::npos);
}

constexpr const char* three_ranks =
    "num_ranks 3\n"
    "rank 0 {\n"
    "a: send 4096b to 1 tag 7\n"
    "b: send 4096b to 2 tag 7\n"
    "b requires a\n"
    "}\n"
    "rank 1 {\n"
    "r: recv 4096b from 0 tag 7\n"
    "}\n"
    "rank 2 {\n"
    "r: recv 4096b from 0 tag 7\n"
    "c: calc 0\n"
    "c requires r\n"
    "}\n";

TEST(Goal, OperationsBecomeRounds) {
  const ScheduleFile file = read_schedule(three_ranks, "a");
  EXPECT_FALSE(file.collective);
  EXPECT_FALSE(file.says_contents);
  const Spec spec = asked(Collective::bcast, "crossbar:3");
  const SchedulePtr schedule = interchange::schedule_of(file, spec);
  EXPECT_EQ(schedule->shape().rounds, 2);
  const Traffic traffic = count(spec, load_machine("unit"), *schedule);
  EXPECT_EQ(traffic.messages, 2);
  EXPECT_EQ(traffic.cost.startups, 2);
  EXPECT_EQ(traffic.cost.bytes, 2 * 4096);
  const SchedulePtr at_once =
      interchange::schedule_of(read_schedule(replaced(three_ranks, "b requires a\n", ""), "a"), spec);
  EXPECT_EQ(at_once->shape().rounds, 1);
}

TEST(Goal, RefusalsNameTheLine) {
  const std::vector<std::pair<std::array<const char*, 2>, const char*>> wrong{
      {{"b requires a", "b requires z"}, "'a', line 5: label 'z' is not known yet"},
      {{"calc 0", "calc 1000"}, "'a', line 12: a time of computing, which a schedule has not; expected calc 0"},
      {{"to 2", "to 3"}, "'a', line 4: peer '3'"},
      {{"recv 4096b from 0 tag 7\n}", "recv 4095b from 0 tag 7\n}"}, "'a', line 8: 4095 bytes; line 3 sends 4096"},
      {{"from 0 tag 7\n}", "from -1 tag 7\n}"}, "'a', line 8: a receive from any rank"},
      {{"r: recv 4096b from 0 tag 7\n}", "}"}, "'a', line 3: 0 sends 1 times to 1 with tag 7, which receives 0 times"},
      {{"rank 1 {", "rank 0 {"}, "'a', line 7: rank 0 comes twice"},
      {{"b: send", "a: send"}, "'a', line 4: label 'a' comes twice"},
      {{"4096b to 1", "4096 to 1"}, "'a', line 3: expected send 64b to 3"}};
  for (const auto& [change, why] : wrong)
    EXPECT_EQ(complaint(replaced(three_ranks, change[0], change[1])).substr(0, std::string_view(why).size()), why);
  // Each waits for what the other sends after it has received.
  EXPECT_NE(complaint("num_ranks 2\nrank 0 {\na: recv 8b from 1\nb: send 8b to 1\nb requires a\n}\n"
                      "rank 1 {\na: recv 8b from 0\nb: send 8b to 0\nb requires a\n}\n")
                .find("wait for each other in a circle"),
            std::string::npos);
}

constexpr const char* by_hand =
    R"({"quadrille_schedule": 1, "spec": {"collective": "bcast", "ranks": 3, "bytes": 64, "root": 0},
 "cut": {"bytes": 64, "parts": 1, "packets": 1}, "blocks": {"in": 0, "out": 1, "tmp": 0}, "rounds": 2,
 "steps": [{"rank": 0, "round": 0, "do": [{"send": 1, "out": [0]}]},
           {"rank": 1, "round": 0, "do": [{"recv": 0, "out": [0]}]},
           {"rank": 1, "round": 1, "do": [{"send": 2, "out": [0]}]},
           {"rank": 2, "round": 1, "do": [{"recv": 1, "out": [0]}]}]})";

TEST(Json, AScheduleByHandIsProvenAtAnySize) {
  for (const Bytes bytes : {1, 64, 1000}) {
    Spec spec = asked(Collective::bcast, "crossbar:3");
    spec.bytes = bytes;
    EXPECT_TRUE(proof_of(by_hand, spec).holds);
  }
  const Proof alone = proof_of(replaced(by_hand, R"("rank": 0, "round": 0)", R"("rank": 0, "round": 1)"),
                               asked(Collective::bcast, "crossbar:3"));
  ASSERT_FALSE(alone.holds);
  EXPECT_EQ(alone.counterexample->kind, Counterexample::Kind::matching);
}

TEST(Json, AnotherQuestionIsNotAnswered) {
  const ScheduleFile file = read_schedule(by_hand, "a");
  EXPECT_EQ(interchange::mismatch(file, asked(Collective::gather, "crossbar:3")), "its schedule performs bcast");
  EXPECT_EQ(interchange::mismatch(file, asked(Collective::bcast, "ring:4")),
            "its schedule is for 3 ranks, and ring:4 has 4");
  EXPECT_EQ(interchange::mismatch(file, asked(Collective::bcast, "ring:3")), "");
  Spec rooted = asked(Collective::bcast, "ring:3");
  rooted.root = 2;
  EXPECT_NE(interchange::mismatch(file, rooted).find("root=2"), std::string::npos);
}

TEST(Json, RefusalsNameThePlace) {
  const std::vector<std::pair<std::array<const char*, 2>, const char*>> wrong{
      {{R"("send": 1)", R"("send": 3)"}, "'a': rank 0: round 0: peer 3 does not exist"},
      {{R"("out": [0])", R"("out": [1])"}, "'a': rank 0: round 0: slots [1, 1, 1, 1] are not all there"},
      {{R"("out": [0])", R"("out": [0], "in": [0])"}, "'a': rank 0, round 0, transfer 0: 'out' is missing or wrong"},
      {{R"("round": 1)", R"("round": 2)"}, "'a': 'round' is missing or wrong: expected a whole number from 0 to 1"},
      {{R"("rank": 1, "round": 1)", R"("rank": 1, "round": 0)"}, "'a': rank 1: round 0 comes twice"},
      {{R"("root": 0)", R"("root": 5)"}, "'a': 'root' is missing or wrong"},
      {{R"("quadrille_schedule": 1)", R"("quadrille_schedule": 2)"}, "'a': 'quadrille_schedule' is missing or wrong"},
      {{R"("packets": 1)", R"("packets": 1000000000)"},
       "'a': 'blocks' is missing or wrong: expected at most 268 435 456"},
      {{R"("steps": [)", R"("steps": [,)"}, "'a': no JSON"}};
  for (const auto& [change, why] : wrong)
    EXPECT_EQ(complaint(replaced(by_hand, change[0], change[1])).substr(0, std::string_view(why).size()), why);
  EXPECT_EQ(complaint("schedule"),
            "'a': begins with 'schedule'; expected a schedule as 'quadrille export json' writes "
            "it, MSCCL's XML or GOAL");
}

}  // namespace
}  // namespace quadrille::foreign_test
