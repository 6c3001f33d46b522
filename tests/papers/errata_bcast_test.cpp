// What the papers print about messages and broadcasts on rings and tori and does not hold. E-numbers are those of
// docs/reference/errata.md.
#include <cmath>
#include <numeric>

#include "algorithm/bcast/shared/halves.hpp"
#include "algorithm/sendrecv/shared/paths.hpp"
#include "proven.hpp"

namespace quadrille::errata_bcast_test {
namespace {

using testing::request;
using testing::test_machine;
using What = Counterexample::Kind;

const Machine half = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);
const Machine full = test_machine(Ports::all, Duplex::full, Switching::store_and_forward);

Counterexample refused(const Spec& spec, const Machine& machine, const Schedule& schedule, const Claims& claims = {}) {
  const Proof proof = verify(spec, machine, schedule, claims);
  EXPECT_FALSE(proof.holds);
  return proof.counterexample.value_or(Counterexample{What::shape, -2, -2, "it holds"});
}

Seconds best_time(const std::string& name, const Spec& spec, const Machine& machine) {
  const Algorithm& a = find_algorithm(name);
  return seconds(a.cost(spec, machine, a.variants(spec, machine).front()), machine, *spec.topology);
}

// ---- E-01

/// The two halves as printed, started together, without what the root's row and column lack.
SchedulePtr unrepaired(const Spec& spec, std::int64_t packets) {
  const algorithm::pattern::GridView view(spec);
  std::vector<algorithm::pattern::Tree> trees;
  for (const int part : {0, 1})
    trees.push_back(algorithm::bcast::pruned(algorithm::bcast::half_tree(spec, part),
                                             [=](Rank r) { return !algorithm::bcast::unserved(view, part, r); }));
  return algorithm::pattern::forest_schedule(spec, trees, packets);
}

TEST(Errata, E01_TheRootsRowAndColumnMissHalfOfTheMessage) {
  const Spec spec = request(Collective::bcast, "torus:8x8", 64);
  const Counterexample printed = refused(spec, half, *unrepaired(spec, 4));
  EXPECT_EQ(printed.kind, What::delivery);
  EXPECT_EQ(printed.rank, 1);  // the root's neighbour in the row
  const algorithm::pattern::GridView view(spec);
  Rank lacking = 0;
  for (Rank r = 0; r < spec.ranks(); ++r)
    lacking += algorithm::bcast::unserved(view, 0, r) || algorithm::bcast::unserved(view, 1, r);
  EXPECT_EQ(lacking, 8 + 8 - 2);
  // Both halves along the whole trees at once deliver, but the root's links carry all of the message, not half of it.
  const SchedulePtr whole = algorithm::pattern::forest_schedule(
      spec, {algorithm::bcast::half_tree(spec, 0), algorithm::bcast::half_tree(spec, 1)}, 4);
  EXPECT_TRUE(verify(spec, half, *whole, {}).holds);
  EXPECT_EQ(count(spec, half, *whole).busiest_link, 64);
}

/// (3.19) lets the axes catch up by the time the others finish, after nu - 1 + 2 floor(s/2) rounds.
TEST(Errata, E01_CatchingUpTakesLongerThanTheOthersNeed) {
  const Algorithm& a = find_algorithm("bcast_catchup");
  for (const std::int64_t packets : {2, 4, 5, 20}) {
    const Spec spec = request(Collective::bcast, "torus:8x8", 400);
    const std::int64_t claimed = packets - 1 + 8, rounds = a.cost(spec, half, {{"packets", {packets}}}).startups;
    EXPECT_EQ(rounds == claimed, packets <= 4) << packets;
    EXPECT_EQ(rounds, std::max(claimed, 2 * packets - 1 + 4));
  }
  // s = 8, N g = 1000 tau: printed 625.3 tau.
  Machine m = testing::reference_machine(Ports::all, Duplex::half, 1000, 1);
  const Spec spec = request(Collective::bcast, "torus:8x8", 1000 * 1000);
  const double claim = std::pow(std::sqrt(500.) + std::sqrt(7.), 2);
  EXPECT_NEAR(claim, 625.3, 0.1);
  EXPECT_NEAR(best_time("bcast_catchup", spec, m) / 1000, 1112.6, 0.1);
  EXPECT_NEAR(best_time("bcast_pipelined", spec, m) / 1000, 1174.3, 0.1);
  EXPECT_NEAR(best_time("bcast_late", spec, m) / 1000, 863.5, 1.5);
  EXPECT_LT(best_time("bcast_two_edst", spec, m) / 1000, 677);  // half-duplex halves need other trees
  m.duplex = Duplex::full;
  EXPECT_NEAR(best_time("bcast_two_trees", spec, m) / 1000, claim, 0.3);  // and full-duplex links the same ones
}

TEST(Errata, E01_NeighboursFeedTheAxesAtOnceOnlyOnFullDuplexLinks) {
  const Spec spec = request(Collective::bcast, "torus:6x6", 60);
  for (const std::int64_t packets : {1, 2, 10}) {
    const Built fed = build(spec, full, {&find_algorithm("bcast_two_trees"), {{"packets", {packets}}}});
    EXPECT_TRUE(verify(spec, full, *fed.schedule, fed.claims).holds);
    if (packets == 1) {
      EXPECT_TRUE(verify(spec, half, *fed.schedule, fed.claims).holds);  // never both ways in one round
    } else {
      EXPECT_EQ(refused(spec, half, *fed.schedule, fed.claims).kind, What::duplex);
    }
  }
}

// ---- E-04

std::int64_t least_total(Rank side, Rank b, Rank a) {
  const std::string square = "torus:" + std::to_string(side) + "x" + std::to_string(side);
  const algorithm::kit::Lengths lengths = algorithm::sendrecv::chosen_lengths(
      request(Collective::sendrecv, square, 1, 0, b * side + a), {}, algorithm::sendrecv::Least::total);
  return std::accumulate(lengths.begin(), lengths.end(), Rank{0});
}

TEST(Errata, E04_FourPathsMayBeShorterThanTheLemmaSays) {
  EXPECT_EQ(least_total(6, 3, 3), 24);  // printed: at least 4 (6 + 2)
  for (Rank side = 3; side <= 12; ++side)
    for (Rank b = 0; b <= side / 2; ++b)
      for (Rank a = std::max<Rank>(b, 1); a <= side / 2; ++a) {
        const Rank d = a + b, found = least_total(side, b, a);
        const Rank expected = b == 0 ? 3 * d + 4 + std::min(d + 8, side - d)
                                     : 2 * d + b + std::min(a + 4, side - a) + a + std::min(b + 4, side - b);
        EXPECT_EQ(found, side == 3 && b == 0 ? 3 * d + 4 + side - d : expected) << side << " " << b << " " << a;
        EXPECT_EQ(found >= 4 * (d + 2), 2 * a <= side - 4) << side << " " << b << " " << a;
      }
}

TEST(Errata, E04_NeighboursHaveNoPathsOf1And3And5And6) {
  const Spec spec = request(Collective::sendrecv, "torus:12x12", 1, 0, 1);
  EXPECT_EQ(algorithm::sendrecv::chosen_lengths(spec, {}, algorithm::sendrecv::Least::longest),
            (algorithm::kit::Lengths{1, 3, 5, 7}));
  EXPECT_EQ(least_total(12, 0, 1), 16);  // one more than printed, and no four paths have less
}

TEST(Errata, E04_NarrowToriNeedLongerPaths) {
  const auto longest = [](const char* torus, Rank target) {
    return algorithm::sendrecv::chosen_lengths(request(Collective::sendrecv, torus, 1, 0, target), {},
                                               algorithm::sendrecv::Least::longest)
        .back();
  };
  EXPECT_EQ(longest("torus:3x8", 9), 8);    // (1,1): printed d + 2 = 4
  EXPECT_EQ(longest("torus:3x12", 2), 10);  // (0,2): printed d + 4 = 6
}

/// The worst pair of a square is s + 1 (s even) or s (s odd) apart on its longest path; (3.12) has sqrt(k) + 6.
TEST(Errata, E04_TheWorstLongestPathIsShorterThanPrinted) {
  for (Rank side = 3; side <= 12; ++side) {
    const std::string square = "torus:" + std::to_string(side) + "x" + std::to_string(side);
    Rank worst = 0;
    for (Rank target = 1; target < side * side; ++target)
      worst = std::max(worst, algorithm::sendrecv::chosen_lengths(request(Collective::sendrecv, square, 1, 0, target),
                                                                  {}, algorithm::sendrecv::Least::longest)
                                  .back());
    if (side <= 8) {
      EXPECT_EQ(worst, side + (side % 2 == 0)) << side;
    }
    EXPECT_LE(worst, std::max<Rank>(7, side + 1)) << side;
  }
}

// ---- E-12, E-23

/// The printed packet count sqrt(i tau / beta) of the 1985 report has the message size in the wrong place; the right
/// one is sqrt((i - 1) m beta / tau), as in 1986. Neither is a whole number.
TEST(Errata, E12_TheBestPacketCountGrowsWithTheMessage) {
  const Machine m = testing::reference_machine(Ports::all, Duplex::half, 8, 1);
  for (const Bytes bytes : {72, 288, 1152}) {
    const Spec spec = request(Collective::sendrecv, "ring:20", bytes, 0, 10);
    const Params best = find_algorithm("sendrecv_pipelined").variants(spec, m).front();
    EXPECT_EQ(best.get("packets", 0), static_cast<std::int64_t>(std::sqrt(9. * static_cast<double>(bytes) / 8)));
  }
}

TEST(Errata, E23_ClosedFormsAreLowerBoundsAndAStartUpShortForNeighbours) {
  const Machine m = testing::reference_machine(Ports::all, Duplex::half, 10, 1);
  for (Rank target = 1; target <= 8; ++target)
    for (const Bytes bytes : {1, 64, 1000}) {
      const Spec spec = request(Collective::sendrecv, "ring:16", bytes, 0, target);
      const auto n = static_cast<double>(bytes), links = static_cast<double>(target);
      const double printed = std::pow(std::sqrt(n) + std::sqrt((links - 1) * 10), 2);
      EXPECT_GE(best_time("sendrecv_pipelined", spec, m), printed * (1 - 1e-12));
      if (target == 1) {
        EXPECT_EQ(best_time("sendrecv_pipelined", spec, m), printed + 10);
      }
    }
}

// ---- E-13

/// "Column, then row" as told: only ranks of the root's column and row pass anything on.
TEST(Errata, E13_TheColumnMustForwardSideways) {
  const Spec spec = request(Collective::bcast, "torus:5x5", 8);
  const algorithm::pattern::GridView view(spec);
  const algorithm::pattern::Tree axes = algorithm::bcast::pruned(
      algorithm::pattern::grid_tree(spec), [&](Rank r) { return view.offset(r, 0) == 0 || view.offset(r, 1) == 0; });
  const Counterexample printed = refused(spec, half, *algorithm::pattern::tree_schedule(spec, axes, 2, 1));
  EXPECT_EQ(printed.kind, What::delivery);
  EXPECT_EQ(printed.rank, 6);  // (1,1), the first rank off the axes
}

// ---- E-14

/// Printed: one axis after the other always takes longer than the tree. With whole packets it takes never less, and the
/// same when one packet is best; the printed formulas even say less where start-ups are dear.
TEST(Errata, E14_OneAxisAfterTheOtherMayTakeAsLongAsTheTree) {
  int same = 0, printed_less = 0, all = 0;
  for (const Rank side : {4, 6, 9})
    for (const Bytes bytes : {1, 10, 100, 1000})
      for (const double tau : {1., 5., 40., 300., 5000., 100000.}) {
        const std::string square = "torus:" + std::to_string(side) + "x" + std::to_string(side);
        const Spec spec = request(Collective::bcast, square, bytes);
        const Machine m = testing::reference_machine(Ports::all, Duplex::half, tau, 1);
        const double axes = best_time("bcast_axes", spec, m), tree = best_time("bcast_pipelined", spec, m);
        EXPECT_GE(axes, tree);
        const Params best = find_algorithm("bcast_pipelined").variants(spec, m).front();
        same += axes == tree;
        EXPECT_EQ(axes == tree, best.get("packets", 0) == 1);
        const auto h = static_cast<double>(side / 2), n = static_cast<double>(bytes);
        printed_less += 2 * std::pow(std::sqrt(n) + std::sqrt((h - 1) * tau), 2) <
                        std::pow(std::sqrt(n) + std::sqrt((2 * h - 1) * tau), 2);
        ++all;
      }
  EXPECT_GT(same, all / 4);
  EXPECT_LT(same, all);
  EXPECT_GT(printed_less, 0);
}

// ---- E-18

/// "Write both, or read one and write the other" leaves no way to read twice: the target of two paths does.
TEST(Errata, E18_TheTargetOfTwoPathsReadsBothLinks) {
  const Spec spec = request(Collective::sendrecv, "ring:6", 12, 0, 3);
  const Built built = build(spec, half, parse_choice("sendrecv_multipath:packets=2"));
  EXPECT_TRUE(verify(spec, half, *built.schedule, built.claims).holds);
  Collected collected;
  int most = 0;
  for (Round t = 0; t < built.schedule->shape().rounds; ++t) {
    int reads = 0;
    for (const Transfer& x : collected.all(*built.schedule, t, 3)) reads += x.kind == Kind::recv;
    most = std::max(most, reads);
  }
  EXPECT_EQ(most, 2);
}

}  // namespace
}  // namespace quadrille::errata_bcast_test
