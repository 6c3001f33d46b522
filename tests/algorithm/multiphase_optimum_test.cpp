// The optimisation of multiphase exchanges: numbers worked by hand, and brute force over whole-number machines.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "algorithm/alltoall/shared/multiphase.hpp"
#include "algorithm/alltoall/shared/multiphase_grid.hpp"
#include "quadrille/cost.hpp"
#include "quadrille/multiphase.hpp"

namespace quadrille::multiphase_test {
namespace {

using Parts = std::vector<Partition>;
constexpr double us = 1e-6;
constexpr double infinity = std::numeric_limits<double>::infinity();

/// Effective constants of the iPSC/860, a synchronising message included.
MultiphaseModel ipsc860(int d, bool charge = false, CircuitCost circuit = CircuitCost::average) {
  return {.dimension = d,
          .lambda = 177.5 * us,
          .tau = 0.394 * us,
          .delta = 10.3 * d * us,
          .delta_hop = 20.6 * us,
          .rho = 0.54 * us,
          .barrier = 150.0 * d * us,
          .circuit = circuit,
          .charge_identity = charge};
}

/// A machine of whole numbers, tau and m in bytes apart.
MultiphaseModel whole(int d, double lambda, double tau, double delta, double rho, double q) {
  MultiphaseModel model;
  model.dimension = d, model.lambda = lambda, model.tau = tau, model.delta = delta, model.rho = rho, model.barrier = q;
  return model;
}

TEST(MultiphaseCost, IpscTimes) {
  const auto time = [](const MultiphaseModel& model, const Partition& phases, double bytes) {
    return partition_line(model, phases).at(bytes) / us;
  };
  EXPECT_NEAR(time(ipsc860(5), {2, 3}, 1), 3845.048, 1e-6);
  EXPECT_NEAR(time(ipsc860(5), {5}, 100), 9070.4, 1e-6);
  EXPECT_NEAR(time(ipsc860(5, true), {5}, 100), 10798.4, 1e-6);
  EXPECT_NEAR(time(ipsc860(6), {3, 3}, 32), 8774.136, 1e-6);
  EXPECT_NEAR(time(ipsc860(6), {6}, 32), 16770.204, 1e-6);
  EXPECT_NEAR(time(ipsc860(6), {1, 1, 1, 1, 1, 1}, 32), 15892.056, 1e-6);
  EXPECT_NEAR(time(ipsc860(6), {2, 2, 2}, 5), 5655.78, 1e-6);
  EXPECT_NEAR(time(ipsc860(5, false, CircuitCost::exact), {2, 3}, 100), 9109.4, 1e-6);
  EXPECT_NEAR(time(ipsc860(6, false, CircuitCost::exact), {3, 3}, 32), 8403.336, 1e-6);
}

TEST(MultiphaseCost, IpscLines) {
  struct Row {
    int d;
    Partition phases;
    double intercept, slope;
  };
  const std::vector<Row> rows{{5, {5}, 7849.0, 12.214},        {5, {2, 3}, 3790.0, 55.048},
                              {5, {1, 2, 2}, 3853.0, 77.056},  {5, {1, 1, 1, 1, 1}, 4895.0, 117.920},
                              {6, {6}, 15975.9, 24.822},       {6, {3, 3}, 5150.2, 113.248},
                              {6, {2, 2, 2}, 4853.7, 160.416}, {6, {1, 1, 1, 1, 1, 1}, 6835.8, 283.008}};
  for (const Row& row : rows) {
    const TimeLine line = partition_line(ipsc860(row.d), row.phases);
    EXPECT_NEAR(line.intercept / us, row.intercept, 1e-8) << row.d;
    EXPECT_NEAR(line.slope / us, row.slope, 1e-10) << row.d;
  }
  // One phase of 3 of 6 dimensions: 7 (177.5 + 61.8) + 900, and 56 wire and 64 permuted blocks a byte.
  EXPECT_NEAR(phase_line(ipsc860(6), 3).intercept / us, 2575.1, 1e-9);
  EXPECT_NEAR(phase_line(ipsc860(6), 3).slope / us, 56 * 0.394 + 64 * 0.54, 1e-10);
  EXPECT_NEAR(phase_line(ipsc860(6), 6).slope / us, 63 * 0.394 + 64 * 0.54, 1e-10);
}

/// The line must say what the schedule's own counts say.
TEST(MultiphaseCost, AgreesWithTheCountsOfTheAlgorithm) {
  Machine machine;
  machine.alpha = 3, machine.per_hop = 2, machine.beta = 5, machine.rho = 7, machine.barrier = 11,
  machine.barrier_log2 = 13;
  for (const CircuitCost circuit : {CircuitCost::average, CircuitCost::exact})
    for (const bool charge : {false, true})
      for (int d = 1; d <= 8; ++d)
        for (const Partition& phases : partitions(d)) {
          machine.circuit = circuit;
          const TopologyPtr cube = parse_topology("hypercube:" + std::to_string(d));
          const double counted = seconds(algorithm::alltoall::multiphase_cost(phases, 17, charge), machine, *cube);
          EXPECT_EQ(partition_line(multiphase_model(machine, d, charge), phases).at(17), counted);
        }
}

struct Step {
  double from;
  Partition phases;
};

void expect_table(const MultiphaseModel& model, const std::vector<Step>& expected) {
  const ThresholdTable table = threshold_table(model);
  ASSERT_EQ(table.entries.size(), expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    EXPECT_NEAR(table.entries[i].from, expected[i].from, 1e-5);
    EXPECT_EQ(table.entries[i].phases, expected[i].phases);
    EXPECT_EQ(table.at(table.entries[i].from).phases, expected[i].phases);
    if (i > 0) {
      EXPECT_EQ(table.at(table.entries[i].from * (1 - 1e-9)).phases, expected[i - 1].phases);
    }
  }
}

TEST(MultiphaseThresholds, Ipsc) {
  expect_table(ipsc860(2), {{0, {2}}});
  expect_table(ipsc860(5), {{0, {2, 3}}, {94.761171, {5}}});
  expect_table(ipsc860(6), {{0, {2, 2, 2}}, {6.286041, {3, 3}}, {122.426662, {6}}});
  expect_table(ipsc860(5, true), {{0, {2, 3}}, {158.840103, {5}}});
  expect_table(ipsc860(8), {{0, {2, 2, 2, 2}}, {0.52737, {2, 3, 3}}, {10.824225, {4, 4}}, {156.868786, {8}}});
  expect_table(ipsc860(10), {{0, {2, 2, 3, 3}}, {1.313623, {3, 3, 4}}, {9.066077, {5, 5}}, {180.566352, {10}}});
  expect_table(ipsc860(7, true), {{0, {2, 2, 3}}, {12.27228, {3, 4}}, {227.694814, {7}}});
}

TEST(MultiphaseThresholds, IpscExactCircuits) {
  expect_table(ipsc860(5, false, CircuitCost::exact), {{0, {2, 3}}, {100.291824, {5}}});
  // 3 (3 (177.5) + 4 (20.6) + 900) = 4544.7 against 2 (7 (177.5) + 12 (20.6) + 900) = 4779.4; slopes differ by 47.168.
  expect_table(ipsc860(6, false, CircuitCost::exact), {{0, {2, 2, 2}}, {234.7 / 47.168, {3, 3}}, {127.318888, {6}}});
}

TEST(MultiphaseThresholds, ExaminesAllPartitionsWhereTheTheoremFails) {
  EXPECT_EQ(threshold_table(ipsc860(10)).examined, 10);
  EXPECT_EQ(threshold_table(ipsc860(10, false, CircuitCost::exact)).examined, 42);
}

TEST(MultiphaseThresholds, TiesGoToTheSmallestSlope) {
  // Nothing is charged for bytes: the smallest intercept is best for every block; at equal intercepts fewest phases.
  expect_table(whole(4, 0, 0, 0, 0, 0), {{0, {4}}});
  expect_table(whole(4, 1, 0, 0, 0, 0), {{0, {1, 1, 1, 1}}});
  // lambda = tau = 1: 15 + 15 m, 6 + 24 m and 5 + 28 m for two and three phases, 4 + 32 m. All two-way lines meet at 1.
  expect_table(whole(4, 1, 1, 0, 0, 0), {{0, {1, 1, 1, 1}}, {0.25, {2, 2}}, {1, {4}}});
}

TEST(MultiphaseThresholds, RefusesNegativeBlocks) {
  EXPECT_THROW(threshold_table(ipsc860(5)).at(-1), Error);
  EXPECT_THROW(threshold_table(ipsc860(5)).at(std::nan("")), Error);
  EXPECT_THROW(lower_envelope(ipsc860(5), {}), Error);
}

TEST(MultiphaseCrossover, DirectAgainstStandard) {
  const auto five = crossover(ipsc860(5), {5}, {1, 1, 1, 1, 1});
  ASSERT_TRUE(five);
  EXPECT_NEAR(five->bytes, 27.945434, 1e-5);
  EXPECT_NEAR(five->time / us, 8190.325526, 1e-5);
  const auto six = crossover(ipsc860(6), {1, 1, 1, 1, 1, 1}, {6});
  ASSERT_TRUE(six);
  EXPECT_NEAR(six->bytes, 35.401222, 1e-5);
  EXPECT_NEAR(six->time / us, 16854.629142, 1e-5);
}

TEST(MultiphaseCrossover, ExactCircuits) {
  EXPECT_NEAR(crossover(ipsc860(5, false, CircuitCost::exact), {2, 3}, {5})->bytes, 100.291824, 1e-5);
  EXPECT_NEAR(crossover(ipsc860(6, false, CircuitCost::exact), {3, 3}, {6})->bytes, 127.318888, 1e-5);
}

TEST(MultiphaseCrossover, NoneWhereLinesDoNotMeet) {
  EXPECT_FALSE(crossover(ipsc860(5), {2, 3}, {3, 2}));           // the same line
  EXPECT_FALSE(crossover(ipsc860(5), {1, 1, 1, 1, 1}, {2, 3}));  // dearer at 0 and steeper
  EXPECT_EQ(crossover(whole(2, 0, 1, 0, 0, 0), {2}, {1, 1})->bytes, 0);
}

TEST(MultiphaseBest, AllOptimalPartitions) {
  struct Row {
    MultiphaseModel model;
    Bytes bytes;
    double cost;
    Parts optimal;
  };
  Parts ones_and_twos;  // fewest phases first
  for (std::size_t twos = 6;; --twos) {
    Partition p(12 - 2 * twos, 1);
    p.insert(p.end(), twos, 2);
    ones_and_twos.push_back(p);
    if (twos == 0) break;
  }
  const std::vector<Row> rows{
      {whole(8, 16, 1, 0, 0, 0), 1, 912, {{2, 3, 3}}},
      {whole(10, 90, 1, 10, 0, 400), 4, 14936, {{5, 5}}},
      {whole(12, 900, 2, 100, 1, 5000), 7, 306240, {{6, 6}}},
      {whole(12, 1024, 1, 0, 0, 0), 1, 36864, ones_and_twos},
      {whole(15, 5000, 1, 0, 0, 2000), 3, 615080, {{3, 3, 3, 3, 3}}},
      {whole(20, 100000, 1, 0, 0, 0), 1, 10791456, {{2, 3, 3, 3, 3, 3, 3}}},
      {whole(11, 1, 1, 0, 0, 0), 1, 4094, {{11}, {1, 10}, {2, 9}, {3, 8}, {4, 7}, {5, 6}}},
      {whole(4, 1, 1, 0, 0, 0), 1, 30, {{4}, {1, 3}, {2, 2}}},
  };
  for (const Row& row : rows) {
    const AllBest all = best_partitions(row.model, row.bytes);
    EXPECT_EQ(all.phases, row.optimal);
    EXPECT_EQ(all.time, row.cost);
    EXPECT_EQ(all.examined, static_cast<std::int64_t>(partitions(row.model.dimension).size()));
    const BestPhases best = best_equipartition(row.model, row.bytes);
    EXPECT_EQ(best.time, row.cost);
    EXPECT_EQ(best.phases, row.optimal.front());
  }
  EXPECT_EQ(best_partitions(whole(20, 100000, 1, 0, 0, 0), 1).examined, 627);
}

/// The same ties with constants that have no exact binary form.
TEST(MultiphaseBest, DecimalConstantsTieExactly) {
  for (const double unit : {1e-3, 1e-6, 0.1e-6, 0.3e-9}) {
    const AllBest all = best_partitions(whole(11, unit, unit, 0, 0, 0), 1);
    EXPECT_EQ(all.phases.size(), 6U) << unit;
    EXPECT_NEAR(all.time, 4094 * unit, 1e-12 * all.time);
    EXPECT_EQ(best_equipartition(whole(12, 1024 * unit, unit, 0, 0, 0), 1).phases, (Partition{2, 2, 2, 2, 2, 2}))
        << unit;
  }
}

TEST(MultiphaseBest, EmptyBlocks) {
  // Without barriers empty blocks want fewest messages, and dimensions one by one have those.
  EXPECT_EQ(best_equipartition(whole(5, 1, 1, 0, 1, 0), 0).phases, (Partition{1, 1, 1, 1, 1}));
  // With barriers alone, fewest phases. With nothing to pay, fewest phases too.
  EXPECT_EQ(best_equipartition(whole(5, 0, 1, 0, 1, 1), 0).phases, (Partition{5}));
  EXPECT_EQ(best_equipartition(whole(5, 0, 0, 0, 0, 0), 0).phases, (Partition{5}));
  EXPECT_EQ(best_partitions(whole(5, 0, 0, 0, 0, 0), 7).phases.size(), 7U);
  EXPECT_EQ(best_equipartition(ipsc860(6), 0).phases, (Partition{2, 2, 2}));
  EXPECT_EQ(best_equipartition(whole(1, 1, 1, 1, 1, 1), 5).phases, (Partition{1}));
}

TEST(MultiphaseBest, SkippedIdentityDecidesForOnePhase) {
  EXPECT_EQ(best_equipartition(ipsc860(6), 140).phases, (Partition{6}));
  EXPECT_EQ(best_equipartition(ipsc860(6, true), 140).phases, (Partition{3, 3}));
}

struct SplitRow {
  MultiphaseModel model;
  Bytes bytes;
  double lower, upper, ratio, s_hat;
  Regime regime;
  double s_star;
  PhaseWindow window;
};

TEST(MultiphaseSplit, LengthsBoundsAndWindows) {
  const std::vector<SplitRow> rows{
      {ipsc860(6), 32, 4.246918057, 175.098984772, 18.98001269, 1.753590948, Regime::between, 4.151957191, {2, 2}},
      {ipsc860(5), 1, 90.799178777, 1955.411167513, 581.218274112, -4.182936253, Regime::between, 3.008477712, {2, 2}},
      {whole(12, 900, 2, 100, 0, 5000),
       7,
       1.089983083,
       1381.142857143,
       71.428571429,
       5.841570637,
       Regime::between,
       5.997211479,
       {2, 4}},
      {whole(16, 700, 1, 0, 0, 100), 2, 1.000768935, 16434.0, 350.0, 7.548788888, Regime::between, 7.550069319, {2, 4}},
      {whole(10, 5000, 1, 0, 0, 10), 1, 1.010405827, 266.0, 5000.0, -2.28771238, Regime::standard, 0, {10, 10}},
      {whole(10, 1, 1, 0, 0, 10), 1, 1.010405827, 266.0, 1.0, 10.0, Regime::direct, 0, {1, 1}},
  };
  for (const SplitRow& row : rows) {
    const SplitLength got = split_length(row.model, row.bytes);
    EXPECT_NEAR(got.lower, row.lower, 1e-6);
    EXPECT_NEAR(got.upper, row.upper, 1e-6);
    EXPECT_NEAR(got.ratio, row.ratio, 1e-6);
    EXPECT_NEAR(got.s_hat, row.s_hat, 1e-6);
    EXPECT_EQ(got.regime, row.regime);
    EXPECT_EQ(got.window, row.window);
    EXPECT_EQ(got.s_star.has_value(), row.regime == Regime::between);
    if (got.s_star) {
      EXPECT_NEAR(*got.s_star, row.s_star, 1e-6);
    }
  }
}

/// P(s) - 2 P(s/2) = (2^(s/2) - 1)^2 (lambda + delta - 2^(d-s) m tau) - 2^d m rho - Q, with lengths that are no whole
/// numbers, too; at s* it is nothing.
TEST(MultiphaseSplit, APhaseOfThisLengthCostsAsMuchAsTwoHalves) {
  for (const auto& [model, m] : std::vector<std::pair<MultiphaseModel, double>>{{ipsc860(6), 32},
                                                                                {ipsc860(5), 1},
                                                                                {whole(12, 900, 2, 100, 0, 5000), 7},
                                                                                {whole(16, 700, 1, 0, 0, 100), 2}}) {
    const auto d = static_cast<double>(model.dimension);
    const double fixed = std::exp2(d) * m * model.rho + model.barrier, startup = model.lambda + model.delta;
    const auto phase = [&](double s) {
      return (std::exp2(s) - 1) * (startup + std::exp2(d - s) * m * model.tau) + fixed;
    };
    const auto gain = [&](double s) {
      return std::pow(std::exp2(s / 2) - 1, 2) * (startup - std::exp2(d - s) * m * model.tau) - fixed;
    };
    for (const double s : {1.0, 2.0, 2.5, 4.0, d}) EXPECT_NEAR(phase(s) - 2 * phase(s / 2), gain(s), 1e-9 * phase(s));
    const auto s_star = split_length(model, static_cast<Bytes>(m)).s_star;
    ASSERT_TRUE(s_star.has_value());
    EXPECT_NEAR(gain(*s_star), 0, 1e-6 * phase(*s_star));
  }
}

TEST(MultiphaseSplit, WholeLengthsAreExact) {
  // C = 0: s* = d - log2 R.
  for (int s = 2; s <= 11; ++s) {
    const SplitLength got = split_length(whole(11, std::exp2(11 - s), 1, 0, 0, 0), 1);
    EXPECT_EQ(got.s_star, static_cast<double>(s));
    EXPECT_EQ(got.s_hat, s);
    EXPECT_EQ(got.window, phase_window(11, s));
  }
}

TEST(MultiphaseSplit, EmptyBlocksAndFreeWires) {
  // m = 0: A (2^(s/2) - 1)^2 = Q; A = 1, Q = 9: 2^(s/2) = 4, s* = 4.
  const SplitLength empty = split_length(whole(6, 1, 1, 0, 1, 9), 0);
  EXPECT_EQ(empty.s_star, 4.0);
  EXPECT_EQ(empty.ratio, infinity);
  EXPECT_EQ(empty.overhead, infinity);
  EXPECT_EQ(empty.s_hat, -infinity);
  EXPECT_EQ(split_length(whole(6, 1, 1, 0, 1, 0), 0).regime, Regime::standard);
  EXPECT_EQ(split_length(whole(6, 0, 1, 0, 1, 9), 0).regime, Regime::direct);
  EXPECT_EQ(split_length(whole(6, 0, 0, 0, 0, 0), 5).window, phase_window(6, 2));  // all tie; one phase does not matter
  EXPECT_EQ(split_length(whole(1, 5, 1, 0, 1, 9), 4).window, (PhaseWindow{1, 1}));
}

TEST(MultiphaseSplit, CandidatesOfTheWindowStayBelowTheBound) {
  for (std::int64_t d = 4; d <= 300; ++d)
    for (std::int64_t t = 1; t <= d; ++t)
      EXPECT_LE(static_cast<double>(window_candidates(d, t).size()), 2 * (std::sqrt(static_cast<double>(d)) + 1))
          << d << ' ' << t;
  EXPECT_EQ(window_candidates(20, 5), (std::vector<std::int64_t>{4, 5, 6, 7, 8}));
}

TEST(MultiphaseModelCheck, RefusesWhatIsOutside) {
  EXPECT_THROW(partition_line(ipsc860(0), {}), Error);
  EXPECT_THROW(partition_line(ipsc860(31), {31}), Error);
  EXPECT_THROW(partition_line(ipsc860(5), {2, 2}), Error);
  EXPECT_THROW(partition_line(ipsc860(5), {0, 5}), Error);
  EXPECT_THROW(partition_line(ipsc860(5), {6, -1}), Error);
  EXPECT_THROW(phase_line(ipsc860(5), 0), Error);
  EXPECT_THROW(phase_line(ipsc860(5), 6), Error);
  EXPECT_THROW(best_equipartition(ipsc860(5), -1), Error);
  EXPECT_THROW(best_equipartition(ipsc860(30), (Bytes{1} << 32) + 1), Error);
  EXPECT_NO_THROW(best_equipartition(ipsc860(30), Bytes{1} << 32));
  EXPECT_THROW(best_partitions(whole(5, -1, 1, 0, 0, 0), 1), Error);
  EXPECT_THROW(best_partitions(whole(5, infinity, 1, 0, 0, 0), 1), Error);
  EXPECT_THROW(best_partitions(whole(5, std::nan(""), 1, 0, 0, 0), 1), Error);
}

TEST(MultiphaseGridTest, FractionsCompareWithoutOverflow) {
  const algorithm::alltoall::Wide huge = algorithm::alltoall::Wide{1} << 120;
  EXPECT_EQ(algorithm::alltoall::compare_fractions(huge, huge - 1, huge + 1, huge), 1);
  EXPECT_EQ(algorithm::alltoall::compare_fractions(huge + 1, huge, huge, huge - 1), -1);
  EXPECT_EQ(algorithm::alltoall::compare_fractions(2 * huge, 6, huge, 3), 0);
  EXPECT_EQ(algorithm::alltoall::compare_fractions(-1, 3, 0, 5), -1);
  EXPECT_EQ(algorithm::alltoall::compare_fractions(-1, 3, -2, 6), 0);
  EXPECT_EQ(algorithm::alltoall::compare_fractions(-7, 3, -9, 4), -1);
  for (int a = -6; a <= 6; ++a)
    for (int b = 1; b <= 6; ++b)
      for (int c = -6; c <= 6; ++c)
        for (int d = 1; d <= 6; ++d)
          EXPECT_EQ(algorithm::alltoall::compare_fractions(a, b, c, d), a * d < c * b ? -1 : a * d > c * b);
}

/// A whole-number machine with R from 2^-3 to 2^(d+3) and C from 0 to large, and its costs from eq. (1) and (2)
/// directly.
struct RandomMachine {
  MultiphaseModel model;
  Bytes bytes;
  std::int64_t lambda, tau, delta, rho, q;

  std::int64_t cost(const Partition& phases) const {
    const std::int64_t ranks = std::int64_t{1} << model.dimension;
    std::int64_t total = 0;
    for (const std::int64_t n : phases) {
      const std::int64_t partners = std::int64_t{1} << n;
      const std::int64_t circuits =
          model.circuit == CircuitCost::exact ? delta * n * partners / 2 : delta * (partners - 1);
      total += (partners - 1) * (lambda + (ranks / partners) * bytes * tau) + circuits + ranks * bytes * rho + q;
    }
    return phases.size() == 1 && !model.charge_identity ? total - ranks * bytes * rho : total;
  }
};

RandomMachine random_machine(std::mt19937& random, CircuitCost circuit) {
  const auto upto = [&](int high) { return static_cast<std::int64_t>(random() % static_cast<unsigned>(high + 1)); };
  RandomMachine r{};
  const int d = 2 + static_cast<int>(upto(12));
  r.bytes = upto(9) == 0 ? 0 : 1 + upto(15);
  r.tau = upto(9) == 0 ? 0 : 1 + upto(3);
  const double ratio = std::exp2(-3 + static_cast<double>(upto(60 * (d + 6))) / 60);
  r.lambda = std::llround(ratio * static_cast<double>(std::max<std::int64_t>(1, r.bytes * r.tau)));
  r.delta = upto(1) * upto(static_cast<int>(std::min<std::int64_t>(r.lambda, 1000)));
  r.rho = upto(1) * upto(3);
  r.q = upto(2) == 0 ? 0 : upto(1 << upto(16));
  r.model = whole(d, static_cast<double>(r.lambda), static_cast<double>(r.tau), static_cast<double>(r.delta),
                  static_cast<double>(r.rho), static_cast<double>(r.q));
  r.model.delta_hop = r.model.delta;
  r.model.circuit = circuit;
  r.model.charge_identity = upto(1) == 1;
  return r;
}

std::int64_t evaluation_bound(int d) { return 2 * static_cast<std::int64_t>(std::ceil(std::log2(d))) + 5; }

TEST(MultiphaseBruteForce, AnEquipartitionIsOptimalAndTwoCandidatesSuffice) {
  std::mt19937 random(1994);
  for (int i = 0; i < 3000; ++i) {
    const RandomMachine r = random_machine(random, CircuitCost::average);
    const int d = r.model.dimension;
    std::int64_t least = std::numeric_limits<std::int64_t>::max(), fewest = 0;
    std::size_t optima = 0;
    for (const Partition& p : partitions(d)) {
      if (r.cost(p) > least) continue;
      optima = r.cost(p) < least ? 1 : optima + 1;
      least = r.cost(p);
    }
    for (std::int64_t k = d; k >= 1; --k)
      if (r.cost(equipartition(d, k)) == least) fewest = k;
    ASSERT_GT(fewest, 0) << "no equipartition is optimal, machine " << i;
    const BestPhases best = best_equipartition(r.model, r.bytes);
    ASSERT_EQ(best.phases, equipartition(d, fewest)) << i;
    ASSERT_EQ(best.time, static_cast<double>(least)) << i;
    ASSERT_LE(best.evaluations, evaluation_bound(d)) << i;
    const AllBest all = best_partitions(r.model, r.bytes);
    ASSERT_EQ(all.phases.size(), optima) << i;
    ASSERT_EQ(all.time, static_cast<double>(least)) << i;
    const ThresholdTable table = threshold_table(r.model);
    ASSERT_EQ(r.cost(table.at(static_cast<double>(r.bytes)).phases), least) << i;
  }
}

TEST(MultiphaseBruteForce, TheWindowHoldsAnOptimum) {
  std::mt19937 random(36000);
  int between = 0;
  for (int i = 0; i < 3000; ++i) {
    RandomMachine r = random_machine(random, CircuitCost::average);
    r.model.charge_identity = true;
    const int d = r.model.dimension;
    std::int64_t least = std::numeric_limits<std::int64_t>::max(), inside = least;
    for (std::int64_t k = 1; k <= d; ++k) least = std::min(least, r.cost(equipartition(d, k)));
    const SplitLength split = split_length(r.model, r.bytes);
    const auto try_window = [&](std::int64_t k) { inside = std::min(inside, r.cost(equipartition(d, k))); };
    if (split.regime == Regime::between) {
      ++between;
      ASSERT_GE(*split.s_star, split.s_hat - 1e-9) << i;
      for (const std::int64_t k : window_candidates(d, static_cast<std::int64_t>(std::ceil(*split.s_star))))
        try_window(k);
    } else {
      ASSERT_EQ(split.window, (split.regime == Regime::direct ? PhaseWindow{1, 1} : PhaseWindow{d, d})) << i;
      try_window(split.window.fewest);
    }
    ASSERT_EQ(inside, least) << i;
  }
  EXPECT_GT(between, 500);
}

TEST(MultiphaseBruteForce, WithExactCircuitsTheSearchStillFindsTheBestEquipartition) {
  std::mt19937 random(5200);
  double worst = 1;
  for (int i = 0; i < 2000; ++i) {
    const RandomMachine r = random_machine(random, CircuitCost::exact);
    const int d = r.model.dimension;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::int64_t k = 1; k <= d; ++k) least = std::min(least, r.cost(equipartition(d, k)));
    const BestPhases best = best_equipartition(r.model, r.bytes);
    ASSERT_EQ(best.time, static_cast<double>(least)) << i;
    const AllBest all = best_partitions(r.model, r.bytes);
    for (const Partition& p : partitions(d)) ASSERT_GE(static_cast<double>(r.cost(p)), all.time) << i;
    if (all.time > 0) worst = std::max(worst, best.time / all.time);
    const ThresholdTable table = threshold_table(r.model);
    ASSERT_EQ(static_cast<double>(r.cost(table.at(static_cast<double>(r.bytes)).phases)), all.time) << i;
  }
  EXPECT_GT(worst, 1.0);  // Theorem 1 does fail here
  EXPECT_LT(worst, 1.02);
}

}  // namespace
}  // namespace quadrille::multiphase_test
