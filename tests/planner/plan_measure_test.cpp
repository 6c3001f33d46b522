// Plans by measurement: who is measured, in which order, what becomes of it, and what wisdom keeps.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "quadrille/plan.hpp"
#include "quadrille/wisdom.hpp"
#include "settings.hpp"

namespace quadrille::plan_measure_test {
namespace {

using testing::request;

/// A place where what is expected to be slower is faster: the n-th candidate asked for takes 10 - n ms, every third
/// repetition ten times as long.
class Contrary {
 public:
  RunResult operator()(const Built& built, const RunOptions& how) {
    const std::string name = to_text(*built.choice.algorithm, built.choice.params);
    asked.push_back(name);
    checked += how.check ? 1 : 0;
    const Seconds time = (10 - static_cast<double>(number_.emplace(name, number_.size()).first->second)) * 1e-3;
    RunResult result;
    for (int i = 0; i < how.repetitions; ++i) result.times.push_back(++runs_ % 3 == 0 ? 10 * time : time);
    return result;
  }
  std::vector<std::string> asked;
  int checked = 0;

 private:
  std::map<std::string, std::size_t> number_;
  int runs_ = 0;
};

TEST(PlanMeasure, TheMedianOfTurnsDecides) {
  const Spec spec = request(Collective::allgather, "hypercube:3", 4096);
  const Machine machine = load_machine("localhost");
  Contrary place;
  const Plan expected = plan(spec, machine, {.effort = Effort::simulate});
  const Plan found = plan(spec, machine, {.effort = Effort::measure, .run = std::ref(place), .place = "mpich"});
  EXPECT_EQ(found.place, "mpich");
  const std::set<std::string> names(place.asked.begin(), place.asked.end());
  const auto ways = static_cast<std::ptrdiff_t>(names.size());
  ASSERT_GT(ways, 1);
  ASSERT_LE(ways, 6);
  EXPECT_EQ(place.checked, ways) << "the data of each are checked once";
  EXPECT_EQ(place.asked.front(), to_text(*expected.best().algorithm, expected.best().params));
  for (std::size_t i = names.size(); i < place.asked.size(); ++i)
    EXPECT_EQ(place.asked[i], place.asked[i % names.size()]) << "they take turns";
  EXPECT_EQ(place.asked.size(), 6 * names.size()) << "one to warm up, and five turns";
  // The last that was begun with is the fastest, the first the slowest; the rest was not measured.
  for (std::ptrdiff_t i = 0; i < ways; ++i) {
    const Candidate& c = found.candidates[static_cast<std::size_t>(i)];
    EXPECT_EQ(to_text(*c.algorithm, c.params), place.asked[static_cast<std::size_t>(ways - 1 - i)]);
    EXPECT_EQ(c.measured.how, Timing::How::timed);
    EXPECT_NEAR(c.known(), (10.0 - static_cast<double>(ways - 1 - i)) * 1e-3, 1e-9) << "outliers do not count";
    for (std::ptrdiff_t k = 0; k < i; ++k)
      EXPECT_NE(found.candidates[static_cast<std::size_t>(k)].algorithm, c.algorithm);
  }
  for (auto c = found.candidates.begin() + ways; c != found.candidates.end(); ++c)
    EXPECT_EQ(c->measured.how, Timing::How::none);
}

TEST(PlanMeasure, NoTimeMeansOneRunOfEach) {
  Contrary place;
  plan(request(Collective::bcast, "ring:4", 1024), load_machine("localhost"),
       {.effort = Effort::measure, .run = std::ref(place), .seconds = 0});
  EXPECT_EQ(place.asked.size(), std::set<std::string>(place.asked.begin(), place.asked.end()).size());
}

TEST(PlanMeasure, ThreadsAreMeasuredByThemselves) {
  const Plan found =
      plan(request(Collective::alltoall, "crossbar:3", 1024), load_machine("localhost"), {.effort = Effort::measure});
  EXPECT_EQ(found.place, "threads");
  EXPECT_EQ(found.best().measured.how, Timing::How::timed);
  EXPECT_GT(found.best().known(), 0);
}

TEST(PlanMeasure, WisdomKeepsItForThatPlace) {
  const Spec spec = request(Collective::allgather, "hypercube:3", 4096);
  const Machine machine = load_machine("localhost");
  Question question{spec, machine, Effort::measure};
  question.place = "openmpi";
  Wisdom wisdom;
  wisdom.put(question, {parse_choice("allgather_daisy"), 0.125});
  EXPECT_NE(wisdom.text().find("clock=measure,dataflow,openmpi"), std::string::npos) << wisdom.text();
  const Wisdom again = Wisdom::parse(wisdom.text(), "a.wisdom");
  EXPECT_EQ(again.text(), wisdom.text());
  const auto never = [](const Built&, const RunOptions&) -> RunResult {
    throw Error(Error::Kind::internal, "nothing is to be run");
  };
  const Plan found =
      plan(spec, machine, {.effort = Effort::measure, .run = never, .place = "openmpi", .wisdom = &again});
  EXPECT_TRUE(found.recalled);
  EXPECT_EQ(found.best().algorithm->name, "allgather_daisy");
  EXPECT_EQ(found.best().measured.time, 0.125);
  question.place = "mpich";
  EXPECT_FALSE(again.recall(question).answer) << "another place is another question";
}

}  // namespace
}  // namespace quadrille::plan_measure_test
