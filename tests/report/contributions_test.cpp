// Who has combined which contributions when, as a report tells it of reductions, read by the rules of
// docs/reference/report.md.
#include "contributions.hpp"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "quadrille/plan.hpp"
#include "quadrille/price.hpp"
#include "quadrille/report.hpp"
#include "quadrille/verify.hpp"
#include "report/json.hpp"
#include "sampled.hpp"

namespace quadrille::report_test {
namespace {

Json document(const std::string& question, const char* machine = "unit") {
  ReportOptions options;
  options.command = "quadrille report";
  return Json::parse(report_document(plan(parse_spec(question), load_machine(machine)), options));
}

/// What a report tells of a proven schedule: of the best one, unless a choice is named. Without the chart of sizes, for
/// which a report makes many plans.
Json told(const std::string& question, const std::string& choice = "", const std::string& machine_name = "unit") {
  const Spec spec = parse_spec(question);
  const Machine machine = load_machine(machine_name);
  const auto best = [&] {
    const Plan found = plan(spec, machine);
    return Choice{found.best().algorithm, found.best().params};
  };
  const Built built = build(spec, machine, choice.empty() ? best() : parse_choice(choice));
  EXPECT_TRUE(verify(spec, machine, *built.schedule, built.claims).holds);
  return {{"schedule", Json::parse(report::schedule_json(spec, *built.schedule).dump())},
          {"network", {{"ranks", spec.ranks()}, {"nodes", spec.topology->nodes()}}}};
}

struct Held {
  std::string question, choice, machine = "unit";
};

class Contributed : public ::testing::TestWithParam<Held> {};

TEST_P(Contributed, EndsWithTheResults) {
  const Held& c = GetParam();
  const Json json = told(c.question, c.choice, c.machine);
  ASSERT_EQ(json["schedule"]["detail"], "contributions");
  EXPECT_EQ(Combined(json).play(), "");
}

INSTANTIATE_TEST_SUITE_P(
    Networks, Contributed,
    ::testing::Values(Held{"allreduce ring:4 1KiB", "allreduce_ring"}, Held{"allreduce torus:4x4 100", ""},
                      Held{"allreduce torus:4x6 96", "allreduce_axes:first=1"}, Held{"allreduce mesh:3x4 100", ""},
                      Held{"allreduce hypercube:4 1KiB", "allreduce_halving", "unit-one-port"},
                      Held{"allreduce ring:7 100", ""}, Held{"allreduce crossbar:12 100", ""},
                      Held{"allreduce crossbar:6 99 element=3", ""}, Held{"allreduce hypercube:3 8", "allreduce_esbt"},
                      Held{"allreduce bus:6 100", "", "bus-1986"}, Held{"allreduce memory:8 100", "", "memory-1986"},
                      Held{"reduce torus:4x4 1KiB root=5", ""}, Held{"reduce mesh:4x4 100", ""},
                      Held{"reduce crossbar:9 100", "", "unit-one-port"}, Held{"reduce_scatter ring:6 100", ""},
                      Held{"reduce_scatter mesh:3x3 100", ""},
                      Held{"reduce_scatter crossbar:4 counts=8,0,3,40", "", "unit-one-port"},
                      Held{"scan ring:8 64", "scan_chain:packets=4"}, Held{"scan mesh:3x4 64", ""},
                      Held{"scan crossbar:8 8", "", "unit-one-port"}, Held{"exscan crossbar:9 8", "", "unit-one-port"},
                      Held{"exscan ring:5 8", ""}));

// On a ring of 4 each block collects one contribution a round, three times, and then goes round as the result.
TEST(Contributions, OfARingGrowByOneEachRound) {
  const Json json = told("allreduce ring:4 1KiB", "allreduce_ring");
  const Combined run(json);
  ASSERT_EQ(json["schedule"]["rounds"], 6);
  for (std::size_t r = 0; r < 4; ++r) {
    std::multiset<std::size_t> sizes;
    for (std::int64_t block = 0; block < 4; ++block) sizes.insert(run.ranks(3, r, {0, block}).size());
    EXPECT_EQ(sizes, (std::multiset<std::size_t>{1, 2, 3, 4})) << r;
    for (std::int64_t block = 0; block < 4; ++block) {
      EXPECT_EQ(run.ranks(0, r, {0, block}), (Ranks{static_cast<std::int64_t>(r)}));
      EXPECT_EQ(run.ranks(6, r, {0, block}), (Ranks{0, 1, 2, 3}));
    }
  }
}

// Rank 1 of a chain has the result 0 .. 1 after one round; a rank's own contribution is all that rank 0 needs.
TEST(Contributions, OfAChainArePrefixesInOrder) {
  const Combined run(told("scan ring:5 8", "scan_chain:packets=1"));
  for (std::size_t r = 0; r < 5; ++r) {
    Ranks all;
    for (std::int64_t c = 0; c <= static_cast<std::int64_t>(r); ++c) all.insert(c);
    EXPECT_EQ(run.ranks(r, r), all);
    EXPECT_TRUE(run.at(r, r).in_order);
    if (r > 0) {
      EXPECT_EQ(run.ranks(r - 1, r), (Ranks{static_cast<std::int64_t>(r)}));
    }
  }
}

// An exclusive scan's result does not contain the rank's own contribution: before anything comes there is none of it.
TEST(Contributions, OfAnExclusiveScanLeaveTheOwnOut) {
  const Combined run(told("exscan ring:4 8", "exscan_chain:packets=1"));
  EXPECT_EQ(run.ranks(0, 0), (Ranks{0}));
  for (std::size_t r = 1; r < 4; ++r) EXPECT_TRUE(run.ranks(0, r).empty());
  EXPECT_EQ(run.ranks(3, 3), (Ranks{0, 1, 2}));
  EXPECT_EQ(run.ranks(3, 1), (Ranks{0}));
}

// The root alone gets a result; what others have combined on the way is told all the same.
TEST(Contributions, OfAReductionToOneAreToldEverywhere) {
  const Combined run(told("reduce hypercube:3 8", "reduce_binomial", "unit-one-port"));
  EXPECT_EQ(run.wanted(0), 1);
  for (std::int64_t r = 1; r < 8; ++r) EXPECT_EQ(run.wanted(r), 0);
  EXPECT_EQ(run.ranks(3, 0), (Ranks{0, 1, 2, 3, 4, 5, 6, 7}));
  std::multiset<std::size_t> sizes;
  for (std::size_t r = 0; r < 8; ++r) sizes.insert(run.ranks(3, r).size());
  EXPECT_EQ(sizes, (std::multiset<std::size_t>{1, 1, 1, 1, 2, 2, 4, 8}));
}

// The block of rank 5 goes from rank 0 up to it, that of rank 0 from rank 1 up and then to rank 0, which is put in
// front. All others come round the end of the ring in between.
TEST(Contributions, SayWhetherTheyKeepTheOrderOfRanks) {
  const Combined run(told("reduce_scatter ring:6 100", "reduce_scatter_ring"));
  for (std::size_t r = 0; r < 6; ++r) {
    EXPECT_EQ(run.wanted(static_cast<std::int64_t>(r)), 1);
    const Part own{0, static_cast<std::int64_t>(r)};
    EXPECT_EQ(run.ranks(5, r, own).size(), 6u);
    EXPECT_EQ(run.at(5, r, own).in_order, r == 0 || r == 5) << r;
  }
}

/// A reduce_scatter of three ranks by hand: rank 1 puts together what ranks 0 and 2 need, in the same scratch block.
class OneScratchBlock final : public Schedule {
 public:
  OneScratchBlock() {
    shape_.ranks = 3, shape_.rounds = 6, shape_.in = shape_.out = 3, shape_.tmp = 1, shape_.cut.bytes = 4;
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& steps) const override {
    struct Move {
      Rank from, to;
      Buffer source, target;
      Slot slot, landing;
      Combine how;
    };
    const auto with = [](Buffer buffer, Slot slot) { return Combine{Combine::Incoming::right, false, buffer, slot}; };
    const std::array<Move, 6> moves{{{2, 1, Buffer::in, Buffer::tmp, 0, 0, with(Buffer::in, 0)},
                                     {1, 0, Buffer::tmp, Buffer::out, 0, 0, with(Buffer::in, 0)},
                                     {0, 1, Buffer::in, Buffer::tmp, 2, 0, with(Buffer::in, 2)},
                                     {1, 2, Buffer::tmp, Buffer::out, 0, 2, with(Buffer::in, 2)},
                                     {0, 1, Buffer::in, Buffer::out, 1, 1, with(Buffer::in, 1)},
                                     {2, 1, Buffer::in, Buffer::out, 1, 1, with(Buffer::out, 1)}}};
    const Move& m = moves[static_cast<std::size_t>(t)];
    if (r == m.from) steps.send(m.to, m.source, contiguous(m.slot, 1));
    if (r == m.to) steps.combine(m.from, m.target, contiguous(m.landing, 1), m.how);
  }

 private:
  Shape shape_;
};

// What a rank has passed on is gone once its place is used for another block.
TEST(Contributions, AreForgottenWhenTheirPlaceIsUsedAgain) {
  const Spec spec = parse_spec("reduce_scatter crossbar:3 4");
  const Json schedule = Json::parse(report::schedule_json(spec, OneScratchBlock()).dump());
  ASSERT_EQ(schedule["detail"], "contributions");
  const Combined run(Json{{"schedule", schedule}, {"network", {{"ranks", 3}, {"nodes", 3}}}});
  EXPECT_EQ(run.play(), "");
  EXPECT_EQ(run.ranks(2, 1, {0, 0}), (Ranks{1, 2}));
  EXPECT_EQ(run.ranks(3, 1, {0, 0}), (Ranks{1}));
  EXPECT_EQ(run.ranks(3, 1, {0, 2}), (Ranks{0, 1}));
  EXPECT_EQ(run.ranks(6, 1, {0, 1}), (Ranks{0, 1, 2}));
}

// A block without bytes is nobody's result.
TEST(Contributions, OfEmptyBlocksAreNotWanted) {
  const Combined run(told("reduce_scatter crossbar:4 counts=8,0,3,40", "", "unit-one-port"));
  EXPECT_EQ(run.wanted(1), 0);
  EXPECT_EQ(run.wanted(2), 1);
}

// Sizes that are tried beside the question's own are whole elements, and blocks keep their proportions.
TEST(Contributions, AreOfWholeElementsAtEverySize) {
  const Json even = document("allreduce ring:4 64 element=8");
  EXPECT_FALSE(even["crossover"]["bytes"].empty());
  for (const Bytes size : even["crossover"]["bytes"]) EXPECT_EQ(size % 8, 0);
  const Json uneven = document("reduce_scatter crossbar:4 counts=8,0,4,40 element=4", "unit-one-port");
  const Json& bounds = uneven["crossover"]["bound_s"];
  EXPECT_LT(bounds.front(), bounds.back());
}

// Equal steps are told once, and beyond the budget messages alone are shown.
TEST(Contributions, StayShort) {
  const Json cube = told("allreduce hypercube:8 8", "allreduce_doubling", "unit-one-port")["schedule"];
  EXPECT_TRUE(cube["detail"] == "contributions" && cube.dump().size() < 3'000u);
  if (testing::sanitized) return;  // the same again, larger
  EXPECT_LT(told("allreduce ring:64 4KiB", "allreduce_ring")["schedule"].dump().size(), 30'000u);
  const Json large = told("allreduce torus:24x24 1MiB", "allreduce_axes:first=1", "unit-one-port")["schedule"];
  EXPECT_TRUE(large["detail"] == "messages" && !large.contains("made"));
}

}  // namespace
}  // namespace quadrille::report_test
