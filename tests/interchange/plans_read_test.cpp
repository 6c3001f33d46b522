// Execution plans of MSCCL++ that others wrote, by hand: what they mean here, and what is wrong with those that are
// wrong.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "interchange/mscclpp.hpp"
#include "interchange/schedule_file.hpp"
#include "quadrille/algorithm.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/verify.hpp"

namespace quadrille::plans_read_test {
namespace {

using nlohmann::ordered_json;

ordered_json op(const char* name) { return {{"name", name}}; }
ordered_json tell(const char* name) { return {{"name", name}, {"channel_ids", {0}}, {"channel_type", "memory"}}; }
ordered_json local(char buffer, int index) { return {{"type", std::string(1, buffer)}, {"index", index}, {"size", 1}}; }
ordered_json remote(int index) { return {{"buffer_id", 0}, {"index", index}, {"size", 1}}; }

/// An allreduce of two GPUs: each puts its vector into the other's scratch, which adds it to its own.
ordered_json two_gpus() {
  ordered_json gpus = ordered_json::array();
  for (int r = 0; r < 2; ++r) {
    ordered_json put = op("put");
    put["src_buff"] = {local('i', 0)}, put["dst_buff"] = {remote(0)}, put["channel_type"] = "memory";
    ordered_json add = op("re");
    add["src_buff"] = {local('i', 0), local('s', 0)}, add["dst_buff"] = {local('o', 0)};
    ordered_json block{
        {"id", 0},
        {"ops",
         {tell("signal"), tell("wait"), op("nop"), put, op("nop"), tell("signal"), tell("wait"), op("nop"), add}},
        {"channels", {{{"channel_type", "memory"}, {"channel_ids", {0}}}}},
        {"remote_buffer_refs", {{{"access_channel_type", "memory"}, {"remote_buffer_ids", {0}}}}}};
    gpus.push_back({{"id", r},
                    {"input_chunks", 1},
                    {"output_chunks", 1},
                    {"scratch_chunks", 1},
                    {"threadblocks", {block}},
                    {"channels", {{{"channel_type", "memory"}, {"connected_to", {1 - r}}}}},
                    {"remote_buffers", {{{"rank", 1 - r}, {"type", "s"}, {"access_channel_types", {"memory"}}}}},
                    {"semaphores", ordered_json::array()}});
  }
  return {{"name", "two"}, {"collective", "allreduce"}, {"protocol", "Simple"}, {"inplace", false}, {"gpus", gpus}};
}

ordered_json table_of(const char* type, int peer, const char* buffer, ordered_json blocks, int in, int out) {
  return {{"input_chunks", in},
          {"output_chunks", out},
          {"scratch_chunks", 0},
          {"threadblocks", std::move(blocks)},
          {"channels", {{{"channel_type", type}, {"connected_to", {peer}}}}},
          {"remote_buffers", {{{"rank", peer}, {"type", buffer}, {"access_channel_types", {type}}}}}};
}
ordered_json block_of(int id, const char* type, ordered_json ops) {
  return {{"id", id},
          {"ops", std::move(ops)},
          {"channels", {{{"channel_type", type}, {"channel_ids", {0}}}}},
          {"remote_buffer_refs", {{{"access_channel_type", type}, {"remote_buffer_ids", {0}}}}}};
}

/// In place: each reads the other's contribution to its own chunk, adds, and writes the sum to both.
ordered_json in_place() {
  ordered_json gpus = ordered_json::array();
  for (int r = 0; r < 2; ++r) {
    ordered_json add = op("rres");
    add["src_buff"] = {local('i', r), remote(r)}, add["dst_buff"] = {local('i', r), remote(r)};
    add["channel_type"] = "memory";
    ordered_json signal = tell("rlxsignal"), wait = tell("rlxwait");
    ordered_json gpu = table_of(
        "memory", 1 - r, "i",
        {block_of(0, "memory", {signal, wait, op("nop"), add, op("nop"), tell("signal"), tell("wait")})}, 2, 2);
    gpu["id"] = r;
    gpus.push_back(gpu);
  }
  return {{"name", "two"}, {"collective", "allreduce"}, {"protocol", "Simple"}, {"inplace", true}, {"gpus", gpus}};
}

/// Through a port, in two thread blocks: one waits for the data and meets the other, which sends it back.
ordered_json there_and_back(bool meets) {
  const auto put = [](int chunk) {
    ordered_json one = tell("pws");
    one["channel_type"] = "port";
    one["src_buff"] = {local('o', chunk)}, one["dst_buff"] = {remote(chunk)};
    return one;
  };
  ordered_json wait = tell("wait");
  wait["channel_type"] = "port";
  ordered_json barrier{{"name", "barrier"}, {"barrier_id", 0}, {"num_threadblocks", 2}};
  ordered_json first = table_of("port", 1, "o", {block_of(0, "port", {put(0), wait, wait})}, 1, 2);
  ordered_json second =
      table_of("port", 0, "o",
               {block_of(0, "port", meets ? ordered_json{wait, barrier} : ordered_json{wait}),
                block_of(1, "port", meets ? ordered_json{barrier, put(1), put(0)} : ordered_json{put(1), put(0)})},
               1, 2);
  first["id"] = 0, second["id"] = 1;
  return {{"name", "two"},
          {"collective", "allgather"},
          {"protocol", "Simple"},
          {"inplace", true},
          {"gpus", {first, second}}};
}

std::string complaint(const ordered_json& plan) {
  try {
    interchange::read_schedule(plan.dump(), "a");
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}
ordered_json& ops_of(ordered_json& plan, int gpu) { return plan["gpus"][gpu]["threadblocks"][0]["ops"]; }

TEST(PlansOfOthers, AnAllreduceIsProven) {
  const interchange::ScheduleFile file = interchange::read_schedule(two_gpus().dump(), "a");
  EXPECT_FALSE(file.spec);
  Spec spec{.collective = Collective::allreduce, .topology = parse_topology("crossbar:2"), .bytes = 64};
  spec = checked(spec);
  EXPECT_EQ(interchange::mismatch(file, spec), "");
  Claims claims;
  claims.once = claims.contention_free = claims.port_free = false;
  claims.identical = Identical::no;
  const SchedulePtr schedule = interchange::schedule_of(file, spec);
  const Proof proof = verify(spec, load_machine("unit"), *schedule, claims);
  EXPECT_TRUE(proof.holds) << proof.counterexample->text;
  EXPECT_EQ(proof.messages, 2);
  EXPECT_EQ(schedule->shape().rounds, 2);  // the exchange, and what each makes of it
  ordered_json forgets = two_gpus();
  ops_of(forgets, 1)[8]["src_buff"][0] = local('s', 0);  // its own contribution is missing
  const Proof wrong = verify(spec, load_machine("unit"),
                             *interchange::schedule_of(interchange::read_schedule(forgets.dump(), "a"), spec), claims);
  EXPECT_FALSE(wrong.holds);
}

TEST(PlansOfOthers, AReductionInPlaceIsProven) {
  const interchange::ScheduleFile file = interchange::read_schedule(in_place().dump(), "a");
  Spec spec{.collective = Collective::allreduce, .topology = parse_topology("crossbar:2"), .bytes = 64};
  spec = checked(spec);
  Claims claims;
  claims.once = claims.contention_free = claims.port_free = false;
  claims.identical = Identical::no;
  const SchedulePtr schedule = interchange::schedule_of(file, spec);
  const Proof proof = verify(spec, load_machine("unit"), *schedule, claims);
  EXPECT_TRUE(proof.holds) << proof.counterexample->text;
  EXPECT_EQ(proof.messages, 4);
  EXPECT_EQ(schedule->shape().rounds, 4);  // a copy, the sums, their way back, a copy
  ordered_json plan = in_place();
  ops_of(plan, 0)[3]["dst_buff"].erase(1);  // the other one does not get the sum
  ops_of(plan, 0)[3]["name"] = "rre";
  const interchange::ScheduleFile other = interchange::read_schedule(plan.dump(), "a");
  EXPECT_FALSE(verify(spec, load_machine("unit"), *interchange::schedule_of(other, spec), claims).holds);
}

/// Each of two takes half of the sums: one by what it reads of the other's scratch, in which chunks lie elsewhere than
/// in the vector; one by a copy of its own.
TEST(PlansOfOthers, ScratchHoldsAnyChunk) {
  ordered_json plan = in_place();
  const auto copy = [](char from, int index, char to, int at) {
    ordered_json one = op("copy");
    one["src_buff"] = {local(from, index)}, one["dst_buff"] = {local(to, at)};
    return one;
  };
  for (int r = 0; r < 2; ++r) {
    plan["gpus"][r]["scratch_chunks"] = 3;
    plan["gpus"][r]["remote_buffers"] = {{{"rank", 1 - r}, {"type", "s"}, {"access_channel_types", {"memory"}}},
                                         {{"rank", 1 - r}, {"type", "i"}, {"access_channel_types", {"memory"}}}};
    ordered_json& block = plan["gpus"][r]["threadblocks"][0];
    block["remote_buffer_refs"][0]["remote_buffer_ids"] = {0, 1};
    ordered_json add = op("rres"), back{{"buffer_id", 1}, {"index", r}, {"size", 1}};
    add["src_buff"] = {local('i', r), remote(2)}, add["dst_buff"] = {local('i', r), back};
    add["channel_type"] = "memory";
    block["ops"] = {copy('i', 1 - r, 's', 2), op("nop"),   tell("signal"), tell("wait"), op("nop"), add, op("nop"),
                    tell("signal"),           tell("wait")};
  }
  Spec spec{.collective = Collective::allreduce, .topology = parse_topology("crossbar:2"), .bytes = 64};
  spec = checked(spec);
  Claims claims;
  claims.once = claims.contention_free = claims.port_free = false;
  claims.identical = Identical::no;
  const auto proof = [&](const ordered_json& of) {
    return verify(spec, load_machine("unit"),
                  *interchange::schedule_of(interchange::read_schedule(of.dump(), "a"), spec), claims);
  };
  EXPECT_TRUE(proof(plan).holds) << proof(plan).counterexample->text;
  ops_of(plan, 0)[0] = copy('i', 0, 's', 2);  // the wrong half
  EXPECT_FALSE(proof(plan).holds);
}

/// What came in is sent back, too, which is not needed, but must not happen before it came.
TEST(PlansOfOthers, ThreadBlocksMeetAtBarriers) {
  const interchange::ScheduleFile file = interchange::read_schedule(there_and_back(true).dump(), "a");
  Spec spec{.collective = Collective::allgather, .topology = parse_topology("crossbar:2"), .bytes = 64};
  spec = checked(spec);
  Claims claims;
  claims.once = claims.contention_free = claims.port_free = false;
  claims.identical = Identical::no;
  const Proof proof = verify(spec, load_machine("unit"), *interchange::schedule_of(file, spec), claims);
  EXPECT_TRUE(proof.holds) << proof.counterexample->text;
  EXPECT_EQ(proof.messages, 3);
  EXPECT_EQ(complaint(there_and_back(false)),
            "'a': gpu 1, thread block 1, operation 1: nothing orders it behind another that touches the same chunk; "
            "expected a signal and a wait, a release and an acquire, or a nop");
  ordered_json plan = there_and_back(true);
  plan["gpus"][1]["threadblocks"][1]["ops"][0]["num_threadblocks"] = 3;
  plan["gpus"][1]["threadblocks"][0]["ops"][1]["num_threadblocks"] = 3;
  EXPECT_NE(complaint(plan).find("it waits for ever"), std::string::npos);
}

TEST(PlansOfOthers, WhatIsWrongIsRefusedWithItsPlace) {
  ordered_json plan = two_gpus();
  ops_of(plan, 1).erase(5);  // it does not say that its data is there
  EXPECT_EQ(complaint(plan),
            "'a': gpu 0, thread block 0, operation 6: it waits for ever; expected signals and releases "
            "for all that wait");
  plan = two_gpus();
  ops_of(plan, 0).erase(6);  // it does not wait for the data
  EXPECT_EQ(complaint(plan),
            "'a': gpu 0, thread block 0, operation 7: nothing orders it behind another that touches the "
            "same chunk; expected a signal and a wait, a release and an acquire, or a nop");
  plan = two_gpus();
  ops_of(plan, 0).erase(4);
  EXPECT_EQ(complaint(plan), "'a': gpu 0, thread block 0, operation 4: signal before the threads meet; expected a nop");
  plan = two_gpus();
  ops_of(plan, 0)[8]["src_buff"][1]["index"] = 4;
  EXPECT_EQ(complaint(plan),
            "'a': gpu 0, thread block 0, operation 8: 'index' is missing or wrong: expected chunks of "
            "the 1 that gpu 0 has in s");
  plan = two_gpus();
  ops_of(plan, 0)[8]["name"] = "repkt";
  EXPECT_NE(complaint(plan).find("operation 8: 'name' is missing or wrong: expected one of nop, barrier, put, pws"),
            std::string::npos);
  plan = two_gpus();
  plan["protocol"] = "LL";
  EXPECT_NE(complaint(plan).find("packets are not read"), std::string::npos);
  plan = two_gpus();
  plan["collective"] = "gather";
  EXPECT_NE(complaint(plan).find("one of allgather, allreduce, reducescatter, alltoall, broadcast"), std::string::npos);
}

/// What export writes, with one operation less: never the same proof without a word.
TEST(PlansOfOthers, APlanWithoutOneOfItsOperationsIsRefusedOrWrong) {
  const Choice choice = parse_choice("allreduce_halving");
  Spec spec{.collective = Collective::allreduce, .topology = parse_topology("crossbar:4"), .bytes = 4096};
  spec = checked(spec);
  const Built built = build(spec, load_machine("unit"), choice);
  std::string text;
  interchange::write_mscclpp({spec, *built.schedule, ""}, [&](std::string_view part) { text += part; });
  const ordered_json good = ordered_json::parse(text);
  EXPECT_EQ(complaint(good), "accepted");
  int refused = 0, wrong = 0, left_out = 0;
  for (int gpu = 0; gpu < 4; ++gpu)
    for (std::size_t i = 0; i < good["gpus"][gpu]["threadblocks"][0]["ops"].size(); ++i) {
      ordered_json bad = good;
      ops_of(bad, gpu).erase(i);
      ++left_out;
      if (complaint(bad) != "accepted") {
        ++refused;
        continue;
      }
      const SchedulePtr read = interchange::schedule_of(interchange::read_schedule(bad.dump(), "a"), spec);
      wrong += !verify(spec, load_machine("unit"), *read, built.claims, {.use_symmetry = false}).holds;
    }
  EXPECT_EQ(refused + wrong, left_out);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace quadrille::plans_read_test
