// The results of trials in wisdom files.
#include <gtest/gtest.h>

#include "fuzz/entries.hpp"
#include "quadrille/wisdom.hpp"
#include "wisdom_lines.hpp"

namespace quadrille {
namespace {

using fuzz::sealed;
using testing::answer;
using testing::expect_refused;
using testing::good_lines;
using testing::question;
using testing::replaced;

TrialResult trial(const std::string& choice, Seconds chosen = 1, Bytes from = 8, Bytes to = 15) {
  return {{"bcast", "crossbar:4", from, to, "Open MPI v4.1.4", 0}, choice, 2, chosen};
}

const std::string trial_line_of_bcast =
    "trial bcast crossbar:4 bytes=8..15 mpi=Open_MPI_v4.1.4 segment=0 choice=bcast_binomial native=2 chosen=1\n";

TEST(WisdomTrials, KeepsTrialsBesideAnswers) {
  Wisdom wisdom;
  wisdom.put(question(32), answer("allgather_adea", 7.5));
  wisdom.put(trial("bcast_binomial"));
  wisdom.put({{"alltoallv", "ring:4@1,0,2,3", 0, Trial::any_size, "MPICH Version: 4.0.2", 100}, "native", 3, 3});
  const std::string text = wisdom.text();
  EXPECT_EQ(text, sealed(good_lines() +
                         "trial alltoallv ring:4@1,0,2,3 bytes=any mpi=MPICH_Version:_4.0.2 segment=100 choice=native "
                         "native=3 chosen=3\n" +
                         trial_line_of_bcast));
  const Wisdom again = Wisdom::parse(text, "x");
  EXPECT_EQ(again.text(), text);
  EXPECT_EQ(again.size(), 1U);
  const TrialResult* const found = again.find(trial("").trial);
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->choice, "bcast_binomial");
  EXPECT_EQ(found->trial.mpi, "Open MPI v4.1.4");
  EXPECT_EQ(again.find(trial("", 1, 16, 31).trial), nullptr);
  Trial other = trial("").trial;
  other.segment = 1;
  EXPECT_EQ(again.find(other), nullptr);
}

TEST(WisdomTrials, RefusesTrialsThatAreWrong) {
  EXPECT_EQ(Wisdom::parse(sealed(trial_line_of_bcast), "x").trials().size(), 1U);
  const auto broken = [&](const std::string& from, const std::string& to) {
    return sealed(replaced(trial_line_of_bcast, from, to));
  };
  expect_refused(broken("trial bcast", "trial gossip"), "line 2: trial 'gossip': unknown operation");
  expect_refused(broken("crossbar:4", "crossbar:x"), "line 2: ");
  expect_refused(broken("crossbar:4", "crossbar:4@0,1,2,3"), "topology 'crossbar:4@0,1,2,3': expected crossbar:4");
  for (const char* sizes : {"8..16", "9..15", "7..15", "15..8", "1..0", "16..15", "0..7"})
    expect_refused(broken("8..15", sizes), "expected 0..0, or a power of 2");
  expect_refused(broken("8..15", "-1..0"), "line 2: ");
  expect_refused(broken("8..15", "any"), "expected FROM..TO");
  expect_refused(broken("8..15", "8..0xf"), "line 2: ");
  expect_refused(broken("8..15", "08..15"), "is not as this program writes it");
  expect_refused(broken("trial bcast", "trial alltoallv"), "expected any");
  expect_refused(broken("mpi=Open_MPI_v4.1.4", "mpi="), "is not as this program writes it");
  expect_refused(broken("segment=0", "segment=-1"), "line 2: ");
  expect_refused(broken("bcast_binomial", "bcast_magic"), "unknown");
  expect_refused(broken("bcast_binomial", "alltoall_direct"), "performs alltoall, which is no bcast");
  expect_refused(broken("native=2", "native=-2"), "native=-2: expected seconds from 0");
  expect_refused(broken("chosen=1", "chosen=nan"), "expected a finite number");
  expect_refused(broken("chosen=1", "chosen=1 more"), "goes on with 'more'");
  expect_refused(sealed(trial_line_of_bcast + replaced(trial_line_of_bcast, "native=2", "native=3")),
                 "is of the same trial as another line");
}

TEST(WisdomTrials, SaysWhatToDoWithTrialsOfTheFormBefore) {
  expect_refused("{\n \"format\": \"quadrille verdicts 1\",\n \"verdicts\": []\n}\n",
                 "delete it, and the next QUADRILLE=trial finds them anew");
}

TEST(WisdomTrials, ProvesWhatTrialsChose) {
  EXPECT_TRUE(prove(trial("native")).holds);
  EXPECT_TRUE(prove(trial("bcast_binomial")).holds);
  EXPECT_TRUE(prove(trial("bcast_binomial"), {.visits = 1}).undecided);
  TrialResult exchange{{"alltoallv", "ring:4", 0, Trial::any_size, "an MPI", 0}, "alltoall_pairwise", 1, 1};
  EXPECT_TRUE(prove(exchange).holds) << prove(exchange).why_not;
  TrialResult blocks{{"allgatherv", "ring:4@1,0,2,3", 8, 15, "an MPI", 0}, "multibcast_lin", 1, 1};
  EXPECT_TRUE(prove(blocks).holds) << prove(blocks).why_not;
  TrialResult nowhere = trial("bcast_memory");  // for ranks of a shared memory
  EXPECT_FALSE(prove(nowhere).holds);
  EXPECT_FALSE(prove(nowhere).undecided);
  EXPECT_NE(prove(nowhere).why_not, "");
}

TEST(WisdomTrials, MergesTrialsInAnyOrder) {
  Wisdom a, b;
  a.put(trial("bcast_binomial", 2)), a.put(trial("native", 5, 16, 31));
  b.put(trial("bcast_chain", 1)), b.put(trial("native", 6, 32, 63));
  Wisdom ab = a, ba = b;
  ab.merge(b), ba.merge(a);
  EXPECT_EQ(ab.text(), ba.text());
  EXPECT_EQ(ab.trials().size(), 3U);
  EXPECT_EQ(ab.find(trial("").trial)->choice, "bcast_chain");
  EXPECT_EQ(ab.forget_trials([](const TrialResult& r) { return r.choice == "native"; }), 2U);
  EXPECT_EQ(ab.trials().size(), 1U);
}

}  // namespace
}  // namespace quadrille
