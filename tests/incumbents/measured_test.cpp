// Rules from measurements: with times that follow a law, the best algorithm of every size is found with few calls.
#include "incumbents/measured.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

#include "incumbents/explained.hpp"

namespace quadrille::measured_test {
namespace {

using incumbents::Candidate;
using incumbents::Measured;
using incumbents::MeasuredRules;
using incumbents::Measuring;
using incumbents::Mpi;
using incumbents::Setting;
using incumbents::TimesBySize;

TEST(TimesBySize, LieOnLinesInLogarithms) {
  TimesBySize times;
  EXPECT_TRUE(std::isinf(times.at(8)));
  times.set(64, 1);
  EXPECT_EQ(times.at(8), 1);
  EXPECT_EQ(times.at(1 << 20), 1);
  times.set(1024, 16);
  EXPECT_DOUBLE_EQ(times.at(256), 4);
  EXPECT_EQ(times.at(1024), 16);
  EXPECT_EQ(times.at(4096), 16);
  times.set(256, 2);
  EXPECT_DOUBLE_EQ(times.at(128), std::sqrt(2));
  times.set(1024, std::numeric_limits<Seconds>::infinity());
  EXPECT_TRUE(std::isinf(times.at(512)));
  EXPECT_EQ(times.at(256), 2);
}

/// Start-ups fall and the time of a byte rises with the number of the algorithm: each one is the best of some sizes.
Seconds law(int number, Bytes block) {
  return 64.0 / (1 << number) + (1 << number) * 0.001 * static_cast<double>(block);
}

struct Tried {
  std::set<std::pair<std::string, Bytes>> calls;
  Measured measured;
};
std::string text_of(const std::vector<Setting>& settings) {
  std::string text;
  for (const Setting& s : settings) text += s.name + "=" + std::to_string(s.value) + " ";
  return text;
}
Tried measure(Mpi mpi, const std::function<Seconds(const std::vector<Setting>&, Bytes)>& time, bool over = false) {
  Tried tried;
  Measuring how;
  how.mpi = mpi;
  how.ranks = 8;
  how.most = 1 << 16;
  how.over = [over] { return over; };
  how.time = [&](const std::vector<Setting>& settings, Collective, Bytes block, Seconds) {
    EXPECT_TRUE(tried.calls.emplace(text_of(settings), block).second) << "measured twice";
    return time(settings, block);
  };
  tried.measured = measured_rules(how);
  return tried;
}

const MeasuredRules& rules_of(const Measured& measured, Collective collective) {
  for (const MeasuredRules& one : measured.collectives)
    if (one.rules.collective == collective) return one;
  throw Error(Error::Kind::argument, "no rules for it");
}

/// The number of the algorithm that a block of so many bytes is given.
int chosen(const MeasuredRules& rules, Bytes block) {
  int id = -1;
  for (const incumbents::Rule& rule : rules.rules.rules)
    if (rule.from <= block) id = rule.use.own->id;
  return id;
}

TEST(MeasuredRules, TakeTheBestOfEverySize) {
  const auto time = [](const std::vector<Setting>& s, Bytes block) {
    return s.front().value == 0 ? 1000 : law(s.front().value, block);
  };
  const Tried tried = measure(Mpi::openmpi, time);
  EXPECT_FALSE(tried.measured.hurried);
  const MeasuredRules& rules = rules_of(tried.measured, Collective::alltoall);
  double logs = 0;
  int sizes = 0;
  for (Bytes block = 64; block <= 1 << 16; block = block * 5 / 4, ++sizes) {
    Seconds best = std::numeric_limits<Seconds>::infinity();
    for (int id = 1; id <= 4; ++id) best = std::min(best, law(id, block));
    logs += std::log(law(chosen(rules, block), block) / best);
    EXPECT_LE(law(chosen(rules, block), block), 1.2 * best) << block;
  }
  EXPECT_LE(std::exp(logs / sizes), 1.02);
  EXPECT_GT(rules.own_choice, 2);
  EXPECT_LT(rules.calls, 5 * 11) << "as many as by measuring all sizes";
  EXPECT_TRUE(incumbents::explain(incumbents::openmpi_text({rules.rules}, "measured")).mistakes.empty());
}

TEST(MeasuredRules, KeepTheOwnChoiceWhereNothingIsFaster) {
  const auto time = [](const std::vector<Setting>& s, Bytes block) {
    return (s.front().value == 0 ? 1.02 : 1.0) + 0.01 * static_cast<double>(block);
  };
  for (const MeasuredRules& one : measure(Mpi::openmpi, time).measured.collectives) {
    ASSERT_EQ(one.rules.rules.size(), 1U);
    EXPECT_EQ(one.rules.rules.front().use.own->id, 0);
    EXPECT_EQ(one.own_choice, 1);
  }
}

/// The selection of MPICH has no way to say it.
TEST(MeasuredRules, NameAnAlgorithmOfMpichWhateverItsOwnChoiceTakes) {
  const auto time = [](const std::vector<Setting>& s, Bytes) { return s.front().value == 0 ? 0.5 : 1.0; };
  const Measured measured = measure(Mpi::mpich, time).measured;
  ASSERT_FALSE(measured.collectives.empty());
  for (const MeasuredRules& one : measured.collectives) {
    EXPECT_DOUBLE_EQ(one.own_choice, 0.5);
    EXPECT_FALSE(one.rules.rules.front().use.own->name.empty());
  }
  std::vector<incumbents::Rules> all;
  for (const MeasuredRules& one : measured.collectives) all.push_back(one.rules);
  EXPECT_TRUE(incumbents::explain(incumbents::mpich_text(all)).mistakes.empty());
}

TEST(MeasuredRules, LeaveOutWhatTheMpiDoesNotKnow) {
  const auto none = [](const std::vector<Setting>&, Bytes) { return std::numeric_limits<Seconds>::infinity(); };
  EXPECT_TRUE(measure(Mpi::openmpi, none).measured.collectives.empty());
  const auto one = [](const std::vector<Setting>& s, Bytes) {
    return s.front().value == 1 ? 1.0 : std::numeric_limits<Seconds>::infinity();
  };
  for (const MeasuredRules& rules : measure(Mpi::openmpi, one).measured.collectives) {
    ASSERT_EQ(rules.rules.rules.size(), 1U);
    EXPECT_EQ(rules.rules.rules.front().use.own->id, 1);
  }
}

TEST(MeasuredRules, NeedFourSizesWhereTimeIsShort) {
  const auto time = [](const std::vector<Setting>& s, Bytes block) { return law(s.front().value, block); };
  const Tried tried = measure(Mpi::openmpi, time, true);
  EXPECT_TRUE(tried.measured.hurried);
  std::set<Bytes> sizes;
  for (const auto& [settings, bytes] : tried.calls) sizes.insert(bytes);
  EXPECT_EQ(sizes, (std::set<Bytes>{8, 64, 2048, 1 << 16}));
}

TEST(MeasuredRules, AreForTwoRanksAndMore) {
  Measuring how;
  how.ranks = 1;
  EXPECT_THROW(measured_rules(how), Error);
}

TEST(Settings, AreControlVariablesOfTheMpi) {
  std::set<std::string> all;
  for (const Mpi mpi : {Mpi::openmpi, Mpi::mpich})
    for (const Collective c : collectives())
      for (const Candidate& one : incumbents::candidates(mpi, c)) all.insert(text_of(settings_for(one)));
  EXPECT_TRUE(all.contains("MPIR_CVAR_ALLREDUCE_INTRA_ALGORITHM=4 "));
  EXPECT_TRUE(all.contains("coll_tuned_alltoall_algorithm=3 coll_tuned_alltoall_algorithm_segmentsize=0 "));
  EXPECT_TRUE(
      all.contains("coll_tuned_bcast_algorithm=2 coll_tuned_bcast_algorithm_segmentsize=8192 "
                   "coll_tuned_bcast_algorithm_chain_fanout=4 "));
  EXPECT_EQ(text_of(incumbents::settings_for_own_choice(Mpi::mpich, Collective::bcast)),
            "MPIR_CVAR_BCAST_INTRA_ALGORITHM=0 ");
}

}  // namespace
}  // namespace quadrille::measured_test
