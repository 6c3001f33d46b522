// What the papers print and does not work, played as printed: the verifier must say why. E-numbers are those of
// docs/reference/errata.md.
#include <set>

#include "algorithm/allgather/shared/necklace.hpp"
#include "listed.hpp"
#include "sound.hpp"

namespace quadrille::errata_test {
namespace {

using testing::cube;
using testing::lenient;
using testing::Listed;
using testing::refused;
using testing::request;
using testing::Rounds;
using testing::Shortened;
using testing::test_machine;
using testing::What;

// ---- E-03

/// Transposition by alternate directions. In dimension e a node X with bit e exchanges, for every Y without it, its
/// block Y with block Y (printed) or Y xor e (corrected) of its neighbour X xor e. Kept blocks are copied along, as a
/// rank must not write what it reads; the lists stand in `in`, the two halves of tmp in turn, and `out`.
Listed transposition(int n, bool complement_both) {
  const Rank p = base::bit(n);
  const auto place = [&](int done, Slot y) -> Listed::Place {
    if (done == 0) return {Buffer::in, y};
    return done == n ? Listed::Place{Buffer::out, y} : Listed::Place{Buffer::tmp, done % 2 * p + y};
  };
  Rounds rounds;
  for (int i = 0; i < n; ++i) {
    std::vector<Listed::Message> round;
    for (Rank x = 0; x < p; ++x) {
      Listed::Message kept{x, x, {}, {}}, sent{x, x ^ base::bit(i), {}, {}};
      for (Slot y = 0; y < p; ++y) {
        const bool upper = (x & base::bit(i)) != 0, lower_y = (y & base::bit(i)) == 0;
        // The block of the neighbour that y changes places with, from the side of either node.
        const Slot other = complement_both ? y ^ base::bit(i) : y;
        const bool moves = complement_both ? upper == lower_y : lower_y;
        (moves ? sent : kept).read.push_back(place(i, y));
        (moves ? sent : kept).written.push_back(place(i + 1, moves ? other : y));
      }
      round.push_back(kept);
      round.push_back(sent);
    }
    rounds.push_back(round);
  }
  return {{.ranks = p, .in = p, .out = p, .tmp = 2 * p, .cut = {.bytes = 8}}, rounds};
}

TEST(Errata, E03_TranspositionMustComplementBothIndices) {
  for (int n = 1; n <= 4; ++n) {
    const Spec spec = request(Collective::alltoall, cube(n), 8);
    EXPECT_TRUE(verify(spec, lenient, transposition(n, true), {.once = false}).holds) << n;
    EXPECT_EQ(refused(spec, lenient, transposition(n, false), {.once = false}).kind, What::delivery) << n;
  }
  // Four ranks: rank 0 ends with 3->0, 2->1, 1->2 and 0->3 instead of the blocks for itself.
  const Counterexample four = refused(request(Collective::alltoall, cube(2), 8), lenient, transposition(2, false));
  EXPECT_EQ(four.rank, 0);
  EXPECT_NE(four.text.find("block 3->0"), std::string::npos) << four.text;
}

// ---- E-05

/// Total exchange in which the smallest member of every class of turns is turned D times, of short classes too. A block
/// that comes again falls into tmp.
Listed every_class_turned(int n) {
  const Rank p = base::bit(n);
  Rounds rounds;
  for (int i = 1; i <= n; ++i) {
    std::vector<Rank> classes;
    algorithm::allgather::each_necklace(n, [&](std::int64_t word, int) {
      if (base::popcount(word) == i) classes.push_back(word);
    });
    std::vector<Listed::Message> round;
    for (Rank r = 0; r < p; ++r) {
      std::set<Rank> here;
      Slot spare = 0;
      for (int j = 0; j < n; ++j) {
        Listed::Message m{r ^ base::bit(j), r, {}, {}};
        for (const Rank smallest : classes) {
          const Rank z = base::rotate_left(smallest, j, n);
          m.read.push_back({Buffer::out, r ^ z});
          m.written.push_back(here.insert(z).second ? Listed::Place{Buffer::out, r ^ z}
                                                    : Listed::Place{Buffer::tmp, spare++});
        }
        round.push_back(m);
      }
    }
    rounds.push_back(round);
  }
  return {{.ranks = p, .out = p, .tmp = p, .cut = {.bytes = 1}}, rounds};
}

TEST(Errata, E05_ShortClassesMustNotBeTurnedAllTheWay) {
  for (const int n : {2, 3, 4, 6}) {
    const Spec spec = request(Collective::allgather, cube(n), 1);
    EXPECT_EQ(refused(spec, lenient, every_class_turned(n)).kind, What::duplicate) << n;
  }
  const Spec six = request(Collective::allgather, cube(6), 1);
  const Proof proof = verify(six, lenient, every_class_turned(6), {.once = false});
  ASSERT_TRUE(proof.holds);
  EXPECT_EQ(proof.duplicates, 960);
  // Loads: a link carries one block of every class, which is above the mean rounded up at D = 8, distance 4.
  std::vector<RoundTraffic> rounds;
  const Spec eight = request(Collective::allgather, cube(8), 1);
  count(eight, lenient, every_class_turned(8), &rounds);
  EXPECT_EQ(rounds[3].largest, 10);
  rounds.clear();
  count(eight, lenient, *build(eight, lenient, parse_choice("allgather_tea2")).schedule, &rounds);
  EXPECT_EQ(rounds[3].largest, 9);
}

// ---- E-10

TEST(Errata, E10_ATreeOverAllRanksIsOneLevelDeeper) {
  const Machine machine = test_machine(Ports::one, Duplex::full, Switching::store_and_forward);
  const auto rounds = [&](int ranks, int turns) {
    const Spec spec = request(Collective::bcast, "crossbar:" + std::to_string(ranks), 60);
    const Built built = build(spec, machine, parse_choice("bcast_bintree:packets=5:turns=" + std::to_string(turns)));
    EXPECT_TRUE(verify(spec, machine, *built.schedule, built.claims).holds);
    return count(spec, machine, *built.schedule).cost.startups;
  };
  const int packets = 5;
  for (int n = 2; n <= 6; ++n) {
    const std::int64_t printed = 2 * (n - 1 + packets - 1);
    EXPECT_EQ(rounds(1 << n, 1), printed);            // eager: the print happens to be right
    EXPECT_EQ(rounds(1 << n, 2), printed + 1);        // all left, all right: the deepest leaf is a left child
    EXPECT_EQ(rounds((1 << n) + 1, 3), printed + 2);  // level by level, where the deepest has two leaves
    EXPECT_EQ(rounds((1 << n) - 1, 3), printed);      // what the print counts: a tree of 2^n - 1 ranks
  }
  // In as few rounds as printed, a schedule that goes level by level leaves the deepest rank without the last packet.
  const Spec spec = request(Collective::bcast, "crossbar:8", 60);
  const Built lockstep = build(spec, machine, parse_choice("bcast_bintree:packets=5:turns=3"));
  const Counterexample wrong = refused(spec, machine, Shortened(lockstep.schedule, 2 * (2 + 4)), lockstep.claims);
  EXPECT_EQ(wrong.kind, What::delivery);
  EXPECT_EQ(wrong.rank, 7);
}

// ---- E-11

TEST(Errata, E11_GroupedHalfStepsAreOneTooFewWhenTheDimensionIsEven) {
  const Machine machine = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);
  for (const char* name : {"allgather_tea1_grouped", "allgather_tea2_grouped"})
    for (int n = 1; n <= 7; ++n) {
      const Spec spec = request(Collective::allgather, cube(n), 4);
      const Built built = build(spec, machine, parse_choice(name));
      const Shortened printed(built.schedule, 2 * ((n + 1) / 2));
      if (n % 2 == 1) {
        EXPECT_TRUE(verify(spec, machine, printed, built.claims).holds) << n;
        continue;
      }
      const Counterexample wrong = refused(spec, machine, printed, built.claims);
      EXPECT_EQ(wrong.kind, What::delivery);
      EXPECT_EQ(base::popcount(wrong.rank) % 2, 1);  // an odd rank, which lacks the block of its antipode
      const std::string antipode = "block of rank " + std::to_string(wrong.rank ^ (spec.ranks() - 1));
      EXPECT_NE(wrong.text.find(antipode), std::string::npos) << wrong.text;
    }
}

// ---- E-18

TEST(Errata, E18_PipelinesNeedRanksThatReadWhileTheyWrite) {
  const Machine half = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);
  const Machine node_half = test_machine(Ports::all, Duplex::node_half, Switching::store_and_forward);
  for (const char* topology : {"hypercube:3", "ring:6"}) {
    const Spec spec = request(Collective::bcast, topology, 12);
    const Built built = build(spec, half, parse_choice("bcast_pipelined:packets=3"));
    EXPECT_TRUE(verify(spec, half, *built.schedule, built.claims).holds);
    EXPECT_EQ(refused(spec, node_half, *built.schedule, built.claims).kind, What::duplex);
  }
}

// ---- E-19

/// Every rank reads all that the rank 2^i places on has collected, for i from `first` to log2 P - 1.
Listed reading_doubled(Rank p, int first) {
  std::vector<std::vector<Rank>> held;
  for (Rank r = 0; r < p; ++r) held.push_back({r});
  Rounds rounds;
  for (int i = first; base::bit(i) < p; ++i) {
    std::vector<Listed::Message> round;
    auto next = held;
    for (Rank r = 0; r < p; ++r) {
      const Rank from = (r + base::bit(i)) % p;
      Listed::Message m{from, r, {}, {}};
      for (const Rank owner : held[static_cast<std::size_t>(from)]) {
        m.read.push_back({Buffer::out, owner});
        m.written.push_back({Buffer::out, owner});
        next[static_cast<std::size_t>(r)].push_back(owner);
      }
      round.push_back(m);
    }
    held = next;
    rounds.push_back(round);
  }
  return {{.ranks = p, .out = p, .cut = {.bytes = 8}}, rounds};
}

TEST(Errata, E19_DoublingStartsAtDistanceOne) {
  const Spec spec = request(Collective::allgather, "crossbar:8", 8);
  EXPECT_TRUE(verify(spec, lenient, reading_doubled(8, 0), {}).holds);
  const Counterexample printed = refused(spec, lenient, reading_doubled(8, 1));  // the loop runs from i = 1
  EXPECT_EQ(printed.kind, What::delivery);
  EXPECT_NE(printed.text.find("block of rank 1"), std::string::npos) << printed.text;  // rank 0 has even blocks only
}

// ---- E-29

TEST(Errata, E29_OwnBlocksNeverMove) {
  const Machine machine = test_machine(Ports::one, Duplex::full, Switching::store_and_forward);
  for (const auto& [choice, topology] :
       {std::pair{"allgather_doubling", "crossbar:8"}, std::pair{"scatter_direct", "bus:8"},
        std::pair{"scatter_tree", "crossbar:8"}}) {
    const Spec spec = request(parse_choice(choice).algorithm->collective, topology, 16);
    EXPECT_EQ(build(spec, machine, parse_choice(choice)).formula.bytes, 7 * 16) << choice;  // printed: 8 * 16
  }
}

// ---- E-30

TEST(Errata, E30_TwoRanksHaveOneWire) {
  const Machine half = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);
  const Machine full = test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  for (const char* topology : {"ring:2", "crossbar:2", "hypercube:1"}) {
    const Spec spec = request(Collective::allgather, topology, 8);
    const Built printed = build(spec, full, parse_choice("allgather_daisy"));  // (k-1) rounds, for any k
    EXPECT_EQ(printed.formula.startups, 1);
    EXPECT_EQ(refused(spec, half, *printed.schedule, printed.claims).kind, What::duplex);
    EXPECT_EQ(build(spec, half, parse_choice("allgather_daisy")).formula.startups, 2);
  }
}

// ---- E2-06

TEST(Errata, E2_06_OddLinesLoseTheMiddleBlock) {
  const TopologyPtr three = parse_topology("crossbar:3");
  const Spec spec = checked(
      {.collective = Collective::multibcast, .topology = three, .sources = make_sources({{0, 1}, {1, 1}, {2, 1}})});
  const auto holding = [](Rank from, Rank to, std::vector<Slot> slots) {
    Listed::Message m{from, to, {}, {}};
    for (const Slot s : slots) m.read.push_back({Buffer::out, s}), m.written.push_back({Buffer::out, s});
    return m;
  };
  // Ranks 0 and 2 exchange, then 0 and 1: rank 1 is in nobody's upper half.
  const Rounds rounds{{holding(0, 2, {0}), holding(2, 0, {2})}, {holding(0, 1, {0, 2}), holding(1, 0, {1})}};
  Shape shape{.ranks = 3, .out = 3, .cut = {.bytes = 1}};
  shape.offsets = {spec.sources, &spec.sources->offset};
  const Counterexample wrong = refused(spec, lenient, Listed(shape, rounds));
  EXPECT_EQ(wrong.kind, What::delivery);
  EXPECT_EQ(wrong.rank, 2);
  EXPECT_NE(wrong.text.find("source 1"), std::string::npos) << wrong.text;
}

}  // namespace
}  // namespace quadrille::errata_test
