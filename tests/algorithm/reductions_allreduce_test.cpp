// All-reduces, each on the networks it is for; which of them may round differently on different ranks.
#include "algorithm/allreduce/shared/census.hpp"
#include "algorithm/allreduce/shared/double_tree.hpp"
#include "reductions.hpp"

namespace quadrille::allreduce_test {
namespace {

const std::vector<std::string> networks{
    "crossbar:2",  "crossbar:3",  "crossbar:4",  "crossbar:5",  "crossbar:7",  "crossbar:8",  "crossbar:9",
    "omega:1",     "omega:3",     "crossbar:12", "crossbar:13", "crossbar:16", "hypercube:1", "hypercube:2",
    "hypercube:3", "hypercube:4", "ring:2",      "ring:3",      "ring:5",      "ring:8",      "ring:16",
    "torus:3x3",   "torus:3x4",   "torus:4x4",   "mesh:2x3",    "mesh:5",      "mesh:2x3x2",  "mesh:3x4",
    "bus:2",       "bus:3",       "bus:6",       "memory:2",    "memory:3",    "memory:8",    "star:3*2",
    "fly:2^2",     "bifly:2^2"};

const Machine one_port = testing::test_machine(Ports::one, Duplex::full, Switching::circuit);

TEST(Allreduce, EveryAlgorithmIsProvenAndCountedWhereverItIsLegal) {
  int known = 0;
  for (const Algorithm& a : algorithms()) {
    if (a.collective != Collective::allreduce) continue;
    EXPECT_GT(testing::expect_reduced_everywhere(a, networks), 0) << a.name << " is never legal";
    ++known;
    if (HasFailure()) return;
  }
  EXPECT_GE(known, 22);
}

/// These group operations differently on different ranks.
TEST(Allreduce, CensusAndSwingWithNearestFirstAreRefusedWhereAllMustGetTheSameBits) {
  for (const auto& [text, network] : {std::pair{"allreduce_census", "crossbar:3"},
                                      {"allreduce_census", "crossbar:13"},
                                      {"allreduce_swing_latency:far=0", "ring:8"},
                                      {"allreduce_swing_latency:far=0", "ring:16"}}) {
    const Choice choice = parse_choice(text);
    Spec spec = testing::request(Collective::allreduce, network, 96);
    EXPECT_NE(choice.algorithm->illegal(spec, one_port, choice.params), "") << text;
    spec.identical = false;
    EXPECT_EQ(choice.algorithm->illegal(spec, one_port, choice.params), "") << text;
    const Built built = build(spec, one_port, choice);
    const Proof proof = testing::expect_reduced(spec, one_port, choice);
    EXPECT_EQ(proof.identical, std::optional(Identical::no)) << text;
    EXPECT_EQ(built.claims.identical, Identical::no);
    spec.identical = true;
    EXPECT_FALSE(verify(spec, testing::in_turns(one_port), *built.schedule, built.claims).holds) << text;
  }
}

TEST(Allreduce, SwingWithFarthestFirstDiffersInTheOrderOfOperandsOnly) {
  for (const std::string network : {"ring:8", "ring:16", "torus:4x4", "torus:2x8"}) {
    const Spec spec = testing::request(Collective::allreduce, network, 96);
    const Proof proof = testing::expect_reduced(spec, one_port, parse_choice("allreduce_swing_latency:far=1"));
    EXPECT_EQ(proof.identical, std::optional(Identical::commutatively)) << network;
  }
}

TEST(Allreduce, KeepsTheOrderOfRanksWhereThatIsClaimed) {
  for (const auto& [text, network] : {std::pair{"allreduce_doubling", "crossbar:16"},
                                      {"allreduce_fold", "crossbar:11"},
                                      {"allreduce_dual_root:packets=3", "crossbar:13"},
                                      {"allreduce_double_tree:packets=3", "crossbar:12"},
                                      {"allreduce_halving:far=0", "crossbar:8"},
                                      {"allreduce_bus", "bus:6"},
                                      {"allreduce_memory", "memory:7"}}) {
    const Spec spec = testing::request(Collective::allreduce, network, 210);
    const Proof proof = testing::expect_reduced(spec, one_port, parse_choice(text));
    EXPECT_EQ(proof.in_order, std::optional(true)) << text;
    EXPECT_EQ(proof.identical, std::optional(Identical::strictly)) << text;
  }
}

TEST(Allreduce, CensusNeedsNoMoreRoundsThanAnyNumberOfRanksDoes) {
  for (Rank p = 2; p <= 40; ++p) {
    Spec spec = testing::request(Collective::allreduce, "crossbar:" + std::to_string(p), 8);
    spec.identical = false;
    const Proof proof = testing::expect_reduced(spec, one_port, parse_choice("allreduce_census"));
    EXPECT_TRUE(proof.holds);
    const Built built = build(spec, one_port, parse_choice("allreduce_census"));
    EXPECT_LT(Rank{1} << (built.formula.startups - 1), p);
    EXPECT_GE(Rank{1} << built.formula.startups, p);
  }
}

/// 3 nu + 2, + 3, + 8 and + 13 rounds of nu packets on 5, 8, 13 and 31 ranks. [Traeff 2021, as played apart]
TEST(Allreduce, DualRootTakesThreeRoundsAPacket) {
  for (const auto& [ranks, more] :
       {std::pair<Rank, std::int64_t>{5, 2}, {8, 3}, {13, 8}, {16, 8}, {31, 13}, {64, 18}}) {
    const Spec spec = testing::request(Collective::allreduce, "crossbar:" + std::to_string(ranks), 160);
    const Built built = build(spec, one_port, parse_choice("allreduce_dual_root:packets=16"));
    EXPECT_EQ(count(spec, one_port, *built.schedule).cost.startups, 3 * 16 + more) << ranks;
  }
}

/// Rounds beyond two a packet, as counted apart from the code.
TEST(DoubleTree, TakesTwoRoundsAPacketAndFewMore) {
  for (const auto& [ranks, more] : {std::pair<Rank, std::int64_t>{3, 0},
                                    {4, 1},
                                    {5, 1},
                                    {7, 2},
                                    {8, 4},
                                    {13, 4},
                                    {16, 5},
                                    {20, 5},
                                    {31, 6},
                                    {32, 8},
                                    {64, 9},
                                    {100, 9},
                                    {128, 12}})
    EXPECT_EQ(algorithm::allreduce::DoubleTree(ranks).rounds(7), 14 + more) << ranks;
}

TEST(DoubleTree, HasNoRankThatSendsOrReceivesTwiceInARound) {
  for (Rank p = 2; p <= 130; ++p) {
    const algorithm::allreduce::DoubleTree trees(p);
    std::vector<std::array<int, 2>> sends(static_cast<std::size_t>(p)), receives(static_cast<std::size_t>(p));
    for (const auto& tree : trees.trees)
      for (std::size_t r = 0; r < tree.size(); ++r) {
        if (tree[r].parent < 0) continue;
        const auto colour = static_cast<std::size_t>(tree[r].colour);
        EXPECT_EQ(++sends[static_cast<std::size_t>(tree[r].parent)][colour], 1) << p;
        EXPECT_EQ(++receives[r][colour], 1) << p;
      }
  }
}

}  // namespace
}  // namespace quadrille::allreduce_test
