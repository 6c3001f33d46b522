// Schedules that are written and read back are the same: every algorithm's, on several networks and sizes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "interchange/goal.hpp"
#include "interchange/msccl.hpp"
#include "interchange/mscclpp.hpp"
#include "interchange/schedule_file.hpp"
#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "route.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::round_trip_test {
namespace {

using interchange::ScheduleFile;

struct Case {
  Spec spec;
  Machine machine;
  Built built;
  std::string text;  ///< the choice
};

/// Every algorithm with a few of its variants where it is legal.
template <class Visit>
void for_each_case(const Visit& visit) {
  const std::vector<Machine> machines = testing::test_machines();
  const std::vector<Machine> two{machines.front(), machines.back()};
  for (const char* topology : {"hypercube:3", "torus:3x4", "ring:5", "crossbar:6", "xgft:2;2,4;1,2", "crossbar:1"})
    for (const Machine& machine : two)
      for (const Algorithm& a : algorithms())
        for (const Bytes bytes : {Bytes{960}, Bytes{97}}) {
          if (!testing::can_request(a.collective, topology)) continue;
          const Spec spec = testing::request(a.collective, topology, bytes);
          if (!testing::sampled(testing::command(spec, machine, a, {})) || !a.illegal(spec, machine, {}).empty())
            continue;
          const std::vector<Params> variants = a.variants(spec, machine);
          for (std::size_t i = 0; i < variants.size(); i += std::max<std::size_t>(1, variants.size() / 3)) {
            const std::string text = to_text(a, variants[i]);
            SCOPED_TRACE(testing::command(spec, machine, a, variants[i]));
            visit(Case{spec, machine, build(spec, machine, {&a, variants[i]}), text});
            if (::testing::Test::HasFatalFailure()) return;
          }
        }
}

using Writer = std::int64_t (*)(const interchange::Written&, const interchange::TextSink&);

std::string written(const Case& c, Writer write) {
  std::string text;
  write({c.spec, *c.built.schedule, c.text}, [&](std::string_view part) { text += part; });
  return text;
}

std::string step_text(const Schedule& schedule, Round t, Rank r) {
  Collected collected;
  std::string text;
  for (const Transfer& x : collected.all(schedule, t, r)) {
    text += fmt::format("{}{}{}", x.kind == Kind::send ? '>' : '<', x.peer, "iot"[static_cast<int>(x.buffer)]);
    for_each_slot(x.slots, [&](Slot s) { text += fmt::format(" {}", s); });
    if (x.combine.combines()) {
      text += fmt::format("({} {}", static_cast<int>(x.combine.incoming), static_cast<int>(x.combine.buffer));
      for_each_slot(x.operand(), [&](Slot slot) { text += fmt::format(" {}", slot); });
      text += ")";
    }
    text += x.combine.again ? "again;" : ";";
  }
  return text;
}

/// What a proof says, whichever ranks it has looked at.
std::string proof_text(const Case& c, const Schedule& schedule) {
  const Proof p = verify(c.spec, testing::in_turns(c.machine), schedule, c.built.claims, {.use_symmetry = false});
  if (!p.holds) return p.counterexample->text;
  return fmt::format(
      "{} rounds, {} messages, {} deliveries, {} repeated, {} of scratch, {} on a link, depth {}, tree {}", p.rounds,
      p.messages, p.deliveries, p.duplicates, p.scratch, p.link_messages, p.depth, p.tree);
}

/// Proof and price. Chunks are in the order of memory: those side by side come back as one stretch, also where we have
/// several.
void expect_same(const Case& c, const Schedule& read, const std::string& text) {
  ASSERT_EQ(proof_text(c, read), proof_text(c, *c.built.schedule)) << text;
  Cost cost = count(c.spec, c.machine, read).cost;
  const Cost ours = count(c.spec, c.machine, *c.built.schedule).cost;
  ASSERT_LE(cost.packed, ours.packed) << text;
  cost.packed = ours.packed;
  ASSERT_EQ(cost, ours) << text;
}

TEST(RoundTrip, JsonIsTheScheduleTransferByTransfer) {
  int cases = 0;
  for_each_case([&](const Case& c) {
    const std::string text = written(c, interchange::write_schedule_json);
    const ScheduleFile file = interchange::read_schedule(text, "a.json");
    ASSERT_EQ(interchange::mismatch(file, c.spec), "");
    const SchedulePtr read = interchange::schedule_of(file, c.spec);
    const Shape &ours = c.built.schedule->shape(), &theirs = read->shape();
    ASSERT_EQ(theirs.rounds, ours.rounds);
    for (Rank r = 0; r < c.spec.ranks(); ++r)
      for (Round t = 0; t < ours.rounds; ++t) {
        ASSERT_EQ(step_text(*read, t, r), step_text(*c.built.schedule, t, r)) << "round " << t << ", rank " << r;
        ASSERT_EQ(read->barrier(t), c.built.schedule->barrier(t));
      }
    ASSERT_EQ(proof_text(c, *read), proof_text(c, *c.built.schedule));
    ASSERT_EQ(count(c.spec, c.machine, *read).cost, count(c.spec, c.machine, *c.built.schedule).cost);
    ++cases;
  });
  EXPECT_GE(cases, testing::sanitized ? 100 : 1500);
}

// Ways of messages come back where the network lets a schedule choose them, and are no matter where it does not.
TEST(RoundTrip, JsonKeepsTheWaysOfMessages) {
  const Spec spec = testing::request(Collective::alltoall, "torus:4x4@0,1,4,5,10:routes=chosen", 1 << 20);
  Machine machine = load_machine("cluster");
  machine.ports = Ports::all;
  const Built built = build(spec, machine, parse_choice("alltoall_linear"));
  ASSERT_NE(built.schedule->network(), nullptr);
  std::string text;
  interchange::write_schedule_json({spec, *built.schedule, "alltoall_linear"},
                                   [&](std::string_view part) { text += part; });
  const ScheduleFile file = interchange::read_schedule(text, "a.json");
  std::set<std::pair<Rank, Rank>> pairs;
  for (const interchange::NamedWay& way : file.ways) pairs.emplace(way.from, way.to);
  EXPECT_EQ(pairs.size(), 20U);
  const SchedulePtr read = interchange::schedule_of(file, spec);
  ASSERT_NE(read->network(), nullptr);
  for (Rank from = 0; from < 5; ++from)
    for (Rank to = 0; to < 5; ++to) {
      EXPECT_EQ(testing::route(*read->network(), from, to), testing::route(*built.schedule->network(), from, to));
      const auto ways = read->network()->divided(from, to), ours = built.schedule->network()->divided(from, to);
      EXPECT_TRUE(std::ranges::equal(ways, ours, [](const Topology::Way& a, const Topology::Way& b) {
        return a.links == b.links && a.parts == b.parts;
      }));
    }
  EXPECT_EQ(count(spec, machine, *read).cost, count(spec, machine, *built.schedule).cost);
  const Spec routed = by_routes(spec);
  EXPECT_EQ(interchange::schedule_of(file, routed)->network(), nullptr);
  EXPECT_GT(count(routed, machine, *interchange::schedule_of(file, routed)).cost.bytes,
            count(spec, machine, *read).cost.bytes);

  std::string wrong = text;
  wrong.replace(wrong.find("\"links\":[\"") + 10, 1, "x");
  try {
    interchange::schedule_of(interchange::read_schedule(wrong, "a.json"), spec);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("has no such link; expected names such as 0->"), std::string::npos)
        << error.what();
  }
}

TEST(RoundTrip, MscclHasTheSameProofAndPrice) {
  std::map<Collective, int> read_back, refused;
  std::map<std::string, int> reasons;
  for_each_case([&](const Case& c) {
    std::string text;
    try {
      text = written(c, interchange::write_msccl);
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), Error::Kind::illegal);
      ++refused[c.spec.collective];
      ++reasons[error.what()];
      return;
    }
    const ScheduleFile file = interchange::read_schedule(text, "a.xml");
    ASSERT_EQ(interchange::mismatch(file, c.spec), "");
    const SchedulePtr read = interchange::schedule_of(file, c.spec);
    ASSERT_NO_FATAL_FAILURE(expect_same(c, *read, text));
    ++read_back[c.spec.collective];
  });
  for (const interchange::MscclCollective& m : interchange::msccl_collectives)
    EXPECT_GE(read_back[m.collective], testing::sanitized ? 1 : 20) << m.name;
  for (const auto& [why, times] : reasons) RecordProperty(fmt::format("refused_{}", times), why);
}

TEST(RoundTrip, PlansOfMscclppHaveTheSameProofAndPrice) {
  std::map<Collective, int> read_back;
  std::map<std::string, int> reasons;
  for_each_case([&](Case c) {
    const Choice choice = parse_choice(c.text);
    if (c.spec.bytes == 97 || c.spec.sources || c.spec.collective == Collective::sendrecv) return;
    c.spec.bytes *= 16;  // chunks are of 16 bytes
    if (!choice.algorithm->illegal(c.spec, c.machine, choice.params).empty()) return;
    c.built = build(c.spec, c.machine, choice);
    std::string text;
    try {
      text = written(c, interchange::write_mscclpp);
    } catch (const Error& error) {
      ASSERT_EQ(error.kind(), Error::Kind::illegal);
      ++reasons[error.what()];
      return;
    }
    const ScheduleFile file = interchange::read_schedule(text, "a.json");
    ASSERT_EQ(file.form, "a plan of MSCCL++");
    ASSERT_EQ(interchange::mismatch(file, c.spec), "");
    const SchedulePtr read = interchange::schedule_of(file, c.spec);
    ASSERT_NO_FATAL_FAILURE(expect_same(c, *read, text));
    ++read_back[c.spec.collective];
  });
  for (const interchange::PlanCollective& m : interchange::plan_collectives)
    EXPECT_GE(read_back[m.collective], testing::sanitized ? 1 : 20) << m.name;
  for (const auto& [why, times] : reasons) RecordProperty(fmt::format("refused_{}", times), why);
}

std::int64_t write_by_data(const interchange::Written& w, const interchange::TextSink& sink) {
  return interchange::write_goal(w, sink, interchange::GoalOrder::data);
}
std::int64_t write_by_rounds(const interchange::Written& w, const interchange::TextSink& sink) {
  return interchange::write_goal(w, sink, interchange::GoalOrder::rounds);
}

bool has_barriers(const Schedule& schedule) {
  for (Round t = 0; t < schedule.shape().rounds; ++t)
    if (schedule.barrier(t)) return true;
  return false;
}

/// Without the comments it is another file, and says who sends how much to whom only.
std::string without_comments(const std::string& text) {
  std::string bare;
  for (std::size_t at = 0; at < text.size();) {
    const auto end = text.find('\n', at) + 1;
    if (!std::string_view(text).substr(at).starts_with("//")) bare += text.substr(at, end - at);
    at = end;
  }
  return bare;
}

TEST(RoundTrip, GoalHasTheSameProofAndPrice) {
  int cases = 0;
  for_each_case([&](const Case& c) {
    for (const Writer write : {write_by_data, write_by_rounds}) {
      if (has_barriers(*c.built.schedule)) {
        EXPECT_THROW(written(c, write), Error);
        continue;
      }
      const std::string text = written(c, write);
      const ScheduleFile file = interchange::read_schedule(text, "a.goal");
      ASSERT_EQ(interchange::mismatch(file, c.spec), "");
      const SchedulePtr read = interchange::schedule_of(file, c.spec);
      ASSERT_EQ(proof_text(c, *read), proof_text(c, *c.built.schedule)) << text;
      ASSERT_EQ(count(c.spec, c.machine, *read).cost, count(c.spec, c.machine, *c.built.schedule).cost) << text;
      ++cases;
    }
  });
  EXPECT_GE(cases, testing::sanitized ? 200 : 3000);
}

/// In the order of rounds the operations alone have as many messages and bytes, and no fewer start-ups than data need.
TEST(RoundTrip, BareGoalSendsAsMuchBetweenTheSameRanks) {
  for_each_case([&](const Case& c) {
    if (has_barriers(*c.built.schedule)) return;
    const std::string text = without_comments(written(c, write_by_rounds));
    const ScheduleFile file = interchange::read_schedule(text, "a.goal");
    ASSERT_FALSE(file.says_contents);
    const SchedulePtr read = interchange::schedule_of(file, c.spec);
    const Traffic ours = count(c.spec, c.machine, *c.built.schedule), theirs = count(c.spec, c.machine, *read);
    ASSERT_EQ(theirs.messages, ours.messages) << text;
    ASSERT_EQ(theirs.byte_hops, ours.byte_hops) << text;
    ASSERT_LE(theirs.cost.startups, ours.cost.startups)
        << to_text(c.spec) << ' ' << c.built.choice.algorithm->name << '\n'
        << text;
  });
}

}  // namespace
}  // namespace quadrille::round_trip_test
