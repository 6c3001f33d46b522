// The optimisation of multiphase exchanges: numbers worked by hand.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "algorithm/alltoall/shared/multiphase.hpp"
#include "multiphase_models.hpp"
#include "quadrille/cost.hpp"

namespace quadrille::multiphase_test {
namespace {

using testing::ipsc860;
using testing::us;
using testing::whole;
using Parts = std::vector<Partition>;
constexpr double infinity = std::numeric_limits<double>::infinity();

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

}  // namespace
}  // namespace quadrille::multiphase_test
