// What the papers print about scatters, buses and shared memories and does not work, played as printed. E-numbers are
// those of docs/reference/errata.md.
#include "algorithm/kit/support.hpp"
#include "listed.hpp"
#include "sound.hpp"

namespace quadrille::errata_media_test {
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

}  // namespace
}  // namespace quadrille::errata_media_test
