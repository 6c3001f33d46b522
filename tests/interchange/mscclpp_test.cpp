// Execution plans of MSCCL++: GPUs that perform them on symbols end with what the collective demands, whichever thread
// block runs first; and what plans cannot say is refused.
#include "interchange/mscclpp.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "plan_machine.hpp"
#include "quadrille/machine.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::mscclpp_test {
namespace {

using nlohmann::json;
using testing::PlanFault;
using testing::PlanMachine;
using testing::Symbols;

/// Element `unit` of chunk `chunk` of what a rank has at first.
std::int64_t symbol(std::int64_t rank, std::int64_t chunk, std::int64_t unit) {
  return (rank * 100000 + chunk) * 1000 + unit;
}

/// One plan with buffers that are filled as the collective says.
class Played {
 public:
  Played(const json& plan, const Spec& spec, std::int64_t units)
      : machine_(plan, units),
        spec_(spec),
        units_(units),
        in_(plan["gpus"][0]["input_chunks"]),
        out_(plan["gpus"][0]["output_chunks"]) {
    for (Rank r = 0; r < spec.ranks(); ++r)
      for (std::int64_t c = 0; c < in_; ++c)
        for (std::int64_t u = 0; u < units; ++u) {
          const Symbols own{symbol(r, c, u)};
          machine_.at(static_cast<std::size_t>(r), 'i', c, u) = own;
          if (spec.collective == Collective::allgather)
            machine_.at(static_cast<std::size_t>(r), 'o', r * in_ + c, u) = own;
          if (spec.collective == Collective::bcast && r == spec.root)
            machine_.at(static_cast<std::size_t>(r), 'o', c, u) = own;
        }
  }

  void run(std::mt19937& random) {
    machine_.run(random);
    for (Rank r = 0; r < spec_.ranks(); ++r)
      for (std::int64_t c = 0; c < out_; ++c)
        for (std::int64_t u = 0; u < units_; ++u)
          testing::plan_require(machine_.at(static_cast<std::size_t>(r), 'o', c, u) == wanted(r, c, u),
                                fmt::format("gpu {} has something else in chunk {}", r, c));
  }

 private:
  Symbols wanted(Rank r, std::int64_t c, std::int64_t u) const {
    Symbols sum;
    const std::int64_t per_rank = std::max<std::int64_t>(1, std::min(in_, out_));
    switch (spec_.collective) {
      case Collective::allgather:
        return {symbol(c / in_, c % in_, u)};
      case Collective::bcast:
        return {symbol(spec_.root, c, u)};
      case Collective::alltoall: {
        const std::int64_t pieces = in_ / spec_.ranks();
        return {symbol(c / pieces, r * pieces + c % pieces, u)};
      }
      default:
        break;
    }
    for (Rank other = 0; other < spec_.ranks(); ++other)
      sum.push_back(symbol(other, spec_.collective == Collective::allreduce ? c : r * per_rank + c, u));
    return sum;
  }

  PlanMachine machine_;
  Spec spec_;
  std::int64_t units_, in_, out_;
};

std::string plan_text(const Spec& spec, const Machine& machine, const Choice& choice) {
  const Built built = build(spec, machine, choice);
  std::string text;
  interchange::write_mscclpp({spec, *built.schedule, to_text(*choice.algorithm, choice.params)},
                             [&](std::string_view part) { text += part; });
  return text;
}

std::int64_t instances_in(const json& plan) {
  for (const auto& tb : plan["gpus"][0]["threadblocks"])
    for (const auto& op : tb["ops"])
      if (op.contains("tbg_info")) return op["tbg_info"]["tbg_size"];
  return 1;
}

struct Tally {
  std::map<Collective, int> played, shared;
  int ports = 0, joined = 0;
  std::map<std::string, int> refusals;
};

void play(const Spec& spec, const Machine& machine, const Algorithm& a, const Params& params, Tally& tally) {
  json plan;
  try {
    plan = json::parse(plan_text(spec, machine, {&a, params}));
  } catch (const Error& error) {
    ASSERT_EQ(error.kind(), Error::Kind::illegal) << error.what();
    ++tally.refusals[error.what()];
    return;
  }
  const std::int64_t instances = instances_in(plan);
  for (const unsigned seed : {1U, 2U}) {
    std::mt19937 random(seed);
    try {
      Played(plan, spec, 2 * instances + 1).run(random);
    } catch (const PlanFault& fault) {
      FAIL() << fault.what() << "\n" << plan.dump(1);
    }
  }
  ++tally.played[spec.collective];
  tally.shared[spec.collective] += instances > 1;
  tally.ports += plan.dump().find("\"port\"") != std::string::npos;
  tally.joined += !plan["gpus"][0]["semaphores"].empty();
}

/// Every algorithm with a few of its variants where it is legal.
TEST(Mscclpp, EveryPlanPerformsItsCollectiveOnSymbols) {
  const std::vector<Machine> machines = testing::test_machines();
  Tally tally;
  for (const char* topology :
       {"hypercube:3", "torus:3x4", "ring:5", "crossbar:6", "xgft:2;2,4;1,2", "crossbar:1", "crossbar:3*2"})
    for (const Machine& machine : {machines.front(), machines.back()})
      for (const Algorithm& a : algorithms())
        for (const Bytes bytes : {Bytes{96 * 16}, Bytes{96} << 10}) {
          if (!testing::can_request(a.collective, topology)) continue;
          const auto known = std::find_if(interchange::plan_collectives.begin(), interchange::plan_collectives.end(),
                                          [&](const auto& c) { return c.collective == a.collective; });
          if (known == interchange::plan_collectives.end()) continue;
          const Spec spec = testing::request(a.collective, topology, bytes);
          if (!testing::sampled(testing::command(spec, machine, a, {}), 16)) continue;
          if (!a.illegal(spec, machine, {}).empty()) continue;
          const std::vector<Params> variants = a.variants(spec, machine);
          for (std::size_t i = 0; i < variants.size(); i += std::max<std::size_t>(1, variants.size() / 2)) {
            SCOPED_TRACE(testing::command(spec, machine, a, variants[i]));
            play(spec, machine, a, variants[i], tally);
            if (::testing::Test::HasFatalFailure()) return;
          }
        }
  const int least = testing::sanitized ? 1 : 20;
  for (const interchange::PlanCollective& c : interchange::plan_collectives) {
    RecordProperty(std::string(c.name),
                   fmt::format("{} played, {} in shares", tally.played[c.collective], tally.shared[c.collective]));
    EXPECT_GE(tally.played[c.collective], least) << c.name;
    EXPECT_GE(tally.shared[c.collective], testing::sanitized ? 0 : 5) << c.name;
  }
  RecordProperty("through_ports", tally.ports);
  RecordProperty("in_several_blocks", tally.joined);
  EXPECT_GE(tally.ports, least);
  EXPECT_GE(tally.joined, least);
  for (const auto& [why, times] : tally.refusals) RecordProperty(fmt::format("refused_{}", times), why);
}

Spec asked(Collective collective, const char* topology, Bytes bytes) {
  return checked({.collective = collective, .topology = parse_topology(topology), .bytes = bytes});
}

/// The checker finds what is wrong: operations that are left out, one after the other.
TEST(Mscclpp, APlanWithoutOneOfItsOperationsIsFound) {
  for (const char* choice : {"allreduce_halving", "allgather_daisy", "alltoall_bruck", "bcast_binomial"}) {
    SCOPED_TRACE(choice);
    const Choice parsed = parse_choice(choice);
    const Spec spec = asked(parsed.algorithm->collective, "crossbar:4", 4096);
    const json good = json::parse(plan_text(spec, load_machine("unit"), parsed));
    int left_out = 0, found = 0;
    for (std::size_t gpu = 0; gpu < 4; ++gpu)
      for (std::size_t tb = 0; tb < good["gpus"][gpu]["threadblocks"].size(); ++tb) {
        const std::size_t ops = good["gpus"][gpu]["threadblocks"][tb]["ops"].size();
        for (std::size_t i = 0; i < ops; ++i) {
          json bad = good;
          bad["gpus"][gpu]["threadblocks"][tb]["ops"].erase(i);
          ++left_out;
          std::mt19937 random(7);
          try {
            Played(bad, spec, 2).run(random);
          } catch (const PlanFault&) {
            ++found;
          }
        }
      }
    EXPECT_EQ(found, left_out);
  }
}

std::string complaint(const Spec& spec, const char* choice) {
  try {
    plan_text(spec, load_machine("unit"), parse_choice(choice));
  } catch (const Error& error) {
    return error.what();
  }
  return "written";
}

TEST(Mscclpp, WhatPlansCannotSayIsRefused) {
  EXPECT_EQ(complaint(asked(Collective::scatter, "crossbar:4", 4096), "scatter_tree"),
            "MSCCL++: it has no scatter; expected one of allgather, allreduce, reduce_scatter, alltoall, bcast");
  EXPECT_EQ(complaint(asked(Collective::allgather, "crossbar:4", 0), "allgather_daisy"),
            "MSCCL++: there is nothing to send; expected a size above 0");
  EXPECT_EQ(complaint(asked(Collective::allgather, "crossbar:4", 100), "allgather_daisy"),
            "MSCCL++: chunks are multiples of 16 bytes, and the schedule has pieces of 100; expected a size of whole "
            "multiples in each piece");
  EXPECT_EQ(complaint(asked(Collective::bcast, "crossbar:4", 4096 + 16), "bcast_chain:packets=3"),
            "MSCCL++: buffers are cut in equal chunks, and the schedule has pieces of 1371 and 1370 bytes; expected a "
            "size that its pieces divide");
  EXPECT_EQ(complaint(asked(Collective::allgather, "crossbar:4", Bytes{1} << 31), "allgather_daisy"),
            "MSCCL++: buffers are below 4 GiB, and one of this schedule has 4 chunks of 2147483648 bytes; expected "
            "chunks of at most 1073741808 bytes");
  EXPECT_EQ(complaint(asked(Collective::allgather, "ring:256", 4096), "allgather_daisy"),
            "MSCCL++: 16 semaphores of a GPU join 17 thread blocks of 64 operations, and its rounds need more; "
            "expected fewer ranks, or an algorithm of fewer rounds");
  Spec exact = asked(Collective::allreduce, "crossbar:4", 4096);
  exact.canonical = true;
  EXPECT_NE(complaint(exact, "allreduce_halving").find("operators take operands in any order"), std::string::npos);
}

TEST(Mscclpp, PlansAreChosenForTheSizesThatTheirSharesFit) {
  const Spec spec = asked(Collective::allgather, "crossbar:8", 64 << 10);
  const json plan = json::parse(plan_text(spec, load_machine("unit"), parse_choice("allgather_daisy")));
  EXPECT_EQ(instances_in(plan), 8);
  EXPECT_EQ(plan["gpus"][0]["output_chunks"], 8);
  EXPECT_EQ(plan["min_message_size"], 8 * 16 * 8);  // eight chunks of eight shares of 16 bytes
  EXPECT_EQ(plan["max_message_size"], Bytes{8} * ((Bytes{1} << 29) - 16));
  EXPECT_EQ(plan["collective"], "allgather");
  EXPECT_EQ(plan["inplace"], true);
}

}  // namespace
}  // namespace quadrille::mscclpp_test
