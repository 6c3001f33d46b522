// What the papers print and does not work, played as printed: the verifier must say why. E-numbers are those of
// docs/reference/errata.md.
#include <set>

#include "algorithm/allgather/shared/necklace.hpp"
#include "algorithm/kit/support.hpp"
#include "listed.hpp"
#include "papers/foster.hpp"
#include "sound.hpp"

namespace quadrille::errata_test {
namespace {

using testing::lenient;
using testing::Listed;
using testing::refused;
using testing::request;
using testing::Rounds;
using testing::Shortened;
using testing::test_machine;
using testing::What;

std::string cube(int n) { return "hypercube:" + std::to_string(n); }

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

// ---- E-06

/// A medium that serves k*; start-ups and bytes count 10 and 1, as in the reference tables.
Machine medium(std::int64_t shared) {
  Machine m = test_machine(Ports::one, Duplex::half, Switching::store_and_forward);
  m.alpha = 10, m.beta = 1, m.per_hop = 0, m.rho = 0, m.shared = shared;
  return m;
}

double counted(const Spec& spec, const Machine& machine, const std::string& choice) {
  const Built built = build(spec, machine, parse_choice(choice));
  EXPECT_TRUE(verify(spec, machine, *built.schedule, built.claims).holds) << choice;
  return seconds(count(spec, machine, *built.schedule).cost, machine, *spec.topology);
}

TEST(Errata, E06_ThreePricesOfOneScatterThroughMemory) {
  const double k = 8, at_once = 2, m = 16, n = k * m, tau = 10;
  const double executed = counted(request(Collective::scatter, "memory:8", 16), medium(2), "scatter_memory:batch=7");
  EXPECT_EQ(executed, (tau + 7 * m) + 4 * (tau + m));
  const double equation = (n + k * tau) * (k / at_once + 1), table = (n + tau) * (k + 1) / at_once,
               sentence = (n + tau) + (n / k + tau) * (k / at_once);
  EXPECT_EQ(equation, 1040);  // (3.37)
  EXPECT_EQ(table, 621);
  EXPECT_EQ(sentence, 242);  // counts the root's own block
  EXPECT_LT(executed, sentence);
}

// ---- E-09

/// Scatter on a switch: in step j the ranks r < 2^(j-1) send on half of what they hold, `distance(j)` places on.
template <class Distance>
Listed switch_scatter(Rank p, Distance distance) {
  Rounds rounds;
  for (int j = 1; base::bit(j - 1) < p; ++j) {
    std::vector<Listed::Message> round;
    for (Rank r = 0; r < base::bit(j - 1); ++r) {
      const Rank to = r + distance(j);
      Listed::Message m{r, to, {}, {}};
      for (Rank x = r + base::bit(j - 1); x < p; x += base::bit(j)) {
        m.read.push_back({r == 0 ? Buffer::in : Buffer::tmp, x});
        m.written.push_back(x == to ? Listed::Place{Buffer::out, 0} : Listed::Place{Buffer::tmp, x});
      }
      if (to < p) round.push_back(m);
    }
    rounds.push_back(round);
  }
  return {{.ranks = p, .in = p, .out = 1, .tmp = p, .cut = {.bytes = 8}}, rounds};
}

TEST(Errata, E09_TheSwitchScatterShiftsByHalfThePrintedDistance) {
  const Spec spec = request(Collective::scatter, "crossbar:8", 8);
  EXPECT_TRUE(verify(spec, lenient, switch_scatter(8, [](int j) { return base::bit(j - 1); }), {}).holds);
  const Counterexample printed = refused(spec, lenient, switch_scatter(8, [](int j) { return base::bit(j); }));
  EXPECT_EQ(printed.kind, What::possession);  // the first step went to rank 2, so rank 1 has nothing to pass on
  EXPECT_EQ(printed.rank, 1);
  EXPECT_EQ(printed.round, 1);
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

// ---- E-15

TEST(Errata, E15_WavesAreWhole) {
  const Spec spec = request(Collective::bcast, "memory:10", 100);
  const Machine machine = medium(4);
  const Built built = build(spec, machine, parse_choice("bcast_memory:packets=1"));
  EXPECT_EQ(counted(spec, machine, "bcast_memory:packets=1"), 4 * 110);  // one that writes, three that read
  EXPECT_LT((1 + 10.0 / 4) * 110, 4 * 110);                              // (3.15)
  EXPECT_EQ(refused(spec, machine, Shortened(built.schedule, 3), built.claims).kind, What::delivery);
  // Four ranks at a time read in two and a half waves only if the medium served five of them.
  EXPECT_EQ(refused(spec, medium(3), *built.schedule, built.claims).kind, What::contention);
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

// ---- E-20

/// Scatter on a cube: in step j the ranks a < 2^(j-1) send the blocks x = b 1 a to rank 1 a, with `bits(j)` bits in b.
template <class Bits>
Listed cube_scatter(int n, Bits bits) {
  const Rank p = base::bit(n);
  Rounds rounds;
  for (int j = 1; j <= n; ++j) {
    std::vector<Listed::Message> round;
    for (Rank a = 0; a < base::bit(j - 1) && bits(j) >= 0; ++a) {
      const Rank to = a + base::bit(j - 1);
      Listed::Message m{a, to, {}, {}};
      for (Rank b = 0; b < base::bit(bits(j)); ++b) {
        const Slot x = b * base::bit(j) + to;
        m.read.push_back({a == 0 ? Buffer::in : Buffer::tmp, x});
        m.written.push_back(x == to ? Listed::Place{Buffer::out, 0} : Listed::Place{Buffer::tmp, x});
      }
      round.push_back(m);
    }
    rounds.push_back(round);
  }
  return {{.ranks = p, .in = p, .out = 1, .tmp = p, .cut = {.bytes = 8}}, rounds};
}

TEST(Errata, E20_TheScatterLeavesHalfTheCubeEmpty) {
  const Spec spec = request(Collective::scatter, cube(4), 8);
  EXPECT_TRUE(verify(spec, lenient, cube_scatter(4, [](int j) { return 4 - j; }), {}).holds);
  const Counterexample printed = refused(spec, lenient, cube_scatter(4, [](int j) { return 4 - j - 1; }));
  EXPECT_EQ(printed.kind, What::delivery);
  EXPECT_EQ(printed.rank, 8);  // ranks 0 .. 7 are served
}

// ---- E-22

TEST(Errata, E22_AScatterOnABusIsOneBroadcast) {
  const Machine machine = medium(1);
  const Spec spec = request(Collective::scatter, "bus:8", 16);
  EXPECT_EQ(counted(spec, machine, "scatter_direct"), 182);  // 208 as printed, own block included
  EXPECT_EQ(counted(spec, machine, "scatter_star"), 122);    // as T_5B does it, from one rank
  // k* > 1: pairs swap side by side. On a bus that serves one they cannot.
  const Spec exchange = request(Collective::alltoall, "bus:8", 4);
  EXPECT_EQ(counted(exchange, medium(4), "alltoall_tournament"), 14 * 14);
  EXPECT_EQ(counted(exchange, medium(1), "alltoall_scatters"), 304);
  const Built pairs = build(exchange, medium(4), parse_choice("alltoall_tournament"));
  EXPECT_EQ(refused(exchange, medium(1), *pairs.schedule, pairs.claims).kind, What::contention);
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

// ---- E3, Foster

TEST(Errata, E3_2_WrappingHalvesTheDiameterOfOddSidesOnly) {
  for (Rank n = 3; n <= 20; ++n) {
    const int mesh = papers::foster::network("mesh1", n)->diameter(),
              torus = papers::foster::network("torus1", n)->diameter();
    EXPECT_EQ(2 * torus == mesh, n % 2 == 1) << n;
  }
}

TEST(Errata, E3_3_TheBusIsBusyTwiceAsLong) {
  const papers::foster::Constants transfer{0, 1};
  const papers::foster::Difference d{.n = 64, .z = 3};
  const papers::foster::Butterfly b{.n = 4096};
  for (const Rank p : {2, 4, 8, 16}) {
    const TopologyPtr bus = papers::foster::network("bus", p);
    const double n = d.n, z = d.z, ranks = static_cast<double>(p);
    EXPECT_EQ(papers::foster::rounds_time(*bus, papers::foster::exchanges(p), d.words(), transfer), 4 * n * z * ranks);
    EXPECT_EQ(papers::foster::rounds_time(*bus, papers::foster::exchanges(p), d.words(), transfer, {.half_bus = true}),
              2 * n * z * ranks);
    EXPECT_EQ(papers::foster::rounds_time(*bus, {papers::foster::butterfly(p, 0)}, b.words(p), transfer), b.n);
    EXPECT_EQ(
        papers::foster::rounds_time(*bus, {papers::foster::butterfly(p, 0)}, b.words(p), transfer, {.half_bus = true}),
        b.n / 2);
  }
}

TEST(Errata, E3_4_TheHopsAreThoseOfAllProcessors) {
  for (Rank p = 2; p <= 64; p *= 2) {
    const TopologyPtr line = papers::foster::network("mesh1", p);
    EXPECT_EQ(papers::foster::hops(*line, papers::foster::butterflies(p)), p * (p - 1));
    for (Rank r = 0; r < p; ++r) {
      std::int64_t own = 0;
      for (int i = 0; base::bit(i) < p; ++i) own += line->distance(r, r ^ base::bit(i));
      EXPECT_EQ(own, p - 1) << r;
    }
  }
}

/// In units of N/P words, without start-ups. In the last step P/2 messages cross the middle each way, and all steps
/// before it have to end first: so much is certain, however the steps overlap elsewhere.
TEST(Errata, E3_5_TheLineNeedsMoreThanHalfAsManyUnitsAsRanks) {
  const papers::foster::Constants unit{0, 1};
  for (Rank p = 2; p <= 256; p *= 2) {
    const int steps = base::log2_floor(p);
    const papers::foster::Butterfly b{.n = static_cast<double>(p)};
    const auto last =
        papers::foster::competition(*papers::foster::network("mesh1", p), papers::foster::butterfly(p, steps - 1));
    EXPECT_EQ(last, p / 2);
    EXPECT_EQ(b.mesh_bound(p, unit), static_cast<double>(p / 2));
    EXPECT_EQ(b.mesh_dependent(p, unit), static_cast<double>(last + steps - 1));
    EXPECT_EQ(
        papers::foster::rounds_time(*papers::foster::network("mesh1", p), papers::foster::butterflies(p), 1, unit),
        p - 1);
    EXPECT_EQ(
        papers::foster::rounds_time(*papers::foster::network("hypercube", p), papers::foster::butterflies(p), 1, unit),
        steps);
    EXPECT_EQ(b.mesh_dependent(p, unit) > b.mesh_bound(p, unit), p >= 4);
    EXPECT_EQ(b.mesh_dependent(p, unit) == static_cast<double>(p - 1), p <= 4);
  }
}

TEST(Errata, E3_7_DistanceIsSwitchesAndOneInIndirectNetworksOnly) {
  for (const char* text : {"fly:2^3", "bifly:2^2", "bifly:3^2", "omega:4"}) {
    const TopologyPtr t = parse_topology(text);
    std::vector<Link> path;
    t->route(0, t->ranks() - 1, path);
    EXPECT_EQ(static_cast<int>(path.size()), t->distance(0, t->ranks() - 1)) << "one switch between wires: " << text;
    EXPECT_GE(t->distance(0, 1), 2) << "the nearest ranks meet in a switch: " << text;
  }
  const TopologyPtr figure = parse_topology("bifly:2^2");
  EXPECT_EQ(figure->distance(0, 2), 2);
  EXPECT_EQ(figure->distance(0, 4), 3);
  EXPECT_EQ(parse_topology("mesh:4x4")->distance(0, 1), 1);
}

TEST(Errata, E3_8_MeshWiresAreDirected) {
  for (const Rank side : {2, 3, 4, 8}) {
    const Rank connections = 2 * side * (side - 1);
    EXPECT_EQ(papers::foster::network("mesh2", side * side)->wires(), 2 * connections);
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
