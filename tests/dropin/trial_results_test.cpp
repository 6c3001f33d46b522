// The results of trials in the file that plans keep their answers in.
#include "dropin/report/trial_results.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "dropin/decide/circumstances.hpp"
#include "files/file.hpp"

namespace quadrille::dropin {
namespace {

const Circumstances circumstances{"Open MPI v4.1.4", "crossbar:4", 0};

class Trials : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::remove(path_); }
  void TearDown() override { std::filesystem::remove(path_); }
  const std::string path_ = fmt::format("{}trials{}.wisdom", ::testing::TempDir(), getpid());
};

TrialResult result(Operation operation, int size_class, const std::string& choice, Seconds chosen = 1) {
  return {trial_of(circumstances, operation, size_class), choice, 2, chosen};
}

Wisdom with_an_answer() {
  Wisdom wisdom;
  Spec spec{.collective = Collective::bcast, .topology = parse_topology("ring:4"), .bytes = 8};
  wisdom.put({spec, load_machine("unit")}, {parse_choice("bcast_chain"), 3});
  return wisdom;
}

TEST(TrialsOf, SayTheirSizesInBytes) {
  EXPECT_EQ(trial_of(circumstances, Operation::bcast, 0).to, 0);
  EXPECT_EQ(trial_of(circumstances, Operation::bcast, 1).from, 1);
  const Trial trial = trial_of(circumstances, Operation::gather, 4);
  EXPECT_EQ(trial.operation, "gather");
  EXPECT_EQ(trial.from, 8);
  EXPECT_EQ(trial.to, 15);
  EXPECT_EQ(trial_of(circumstances, Operation::alltoallv, 7).to, Trial::any_size);
}

/// What the drop-in can plan is what files can hold.
TEST(TrialsOf, EveryOperationWithPlansCanBeKept) {
  for (std::size_t i = 0; i < operations; ++i) {
    const auto operation = static_cast<Operation>(i);
    for (const int size_class : {0, 1, 30, 61}) {
      Wisdom wisdom;
      if (has_plans(operation)) {
        wisdom.put(result(operation, size_class, "native"));
        EXPECT_NE(wisdom.find(trial_of(circumstances, operation, size_class)), nullptr) << to_string(operation);
        EXPECT_EQ(Wisdom::parse(wisdom.text(), "a file").text(), wisdom.text());
      } else {
        EXPECT_THROW(wisdom.put(result(operation, size_class, "native")), Error) << to_string(operation);
      }
    }
  }
}

TEST_F(Trials, AreAddedToWhatTheFileHas) {
  files::write_file(path_, with_an_answer().text());
  keep_trials(path_, {result(Operation::bcast, 4, "bcast_binomial")});
  keep_trials(path_, {result(Operation::bcast, 5, "native"), result(Operation::bcast, 4, "bcast_chain", 1.5)});
  const Wisdom wisdom = load_wisdom(path_);
  EXPECT_EQ(wisdom.size(), 1U);
  ASSERT_EQ(wisdom.trials().size(), 2U);
  EXPECT_EQ(wisdom.find(trial_of(circumstances, Operation::bcast, 4))->choice, "bcast_chain") << "the later one counts";
}

TEST_F(Trials, NextWisdomHasWhatOthersWroteMeanwhile) {
  NextWisdom next;
  const std::vector<TrialResult> ours{result(Operation::bcast, 4, "bcast_binomial")};
  const NextWisdom::Text first = next.with(path_, ours);
  EXPECT_EQ(first.instead, FileState{}) << "there is no file";
  EXPECT_EQ(Wisdom::parse(first.text, "first").trials().size(), 1U);
  files::write_file(path_, with_an_answer().text());
  const NextWisdom::Text second = next.with(path_, ours);
  EXPECT_EQ(second.instead, state_of(path_.c_str()));
  EXPECT_EQ(Wisdom::parse(second.text, "second").size(), 1U);
  EXPECT_EQ(Wisdom::parse(second.text, "second").trials().size(), 1U);
  files::write_file(path_, "damaged");
  EXPECT_EQ(next.with(path_, ours).text, "") << "a file that cannot be read is not to be replaced";
}

}  // namespace
}  // namespace quadrille::dropin
