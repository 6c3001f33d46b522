// What a validation says about its measurements: numbers by hand.
#include "validate/figures.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "quadrille/base.hpp"

namespace quadrille::validate::figures_test {
namespace {

TEST(LabFigures, Median) {
  EXPECT_EQ(median({}), 0);
  EXPECT_EQ(median({3, 1, 2}), 2);
  EXPECT_EQ(median({4, 1, 2, 3}), 2.5);
}

/// A network of alpha 100 us, 2 us a hop, 0.4 us a byte, whose hosts drive their two links at once, both ways.
Samples ideal() {
  const auto wire = [](Bytes bytes) { return 102e-6 + 0.4e-6 * static_cast<double>(bytes); };
  Samples s;
  s.one_way = {{64, 102e-6}, {65536, wire(65536)}, {262144, wire(262144)}};  // the first packet costs no wire
  s.all_ways = {{64, 102e-6}, {16384, wire(16384)}, {65536, wire(65536)}, {262144, wire(262144)}};
  s.two_way = {262144, wire(262144)};
  s.fan = {65536, wire(65536)};
  s.far = {64, 108e-6};
  s.fan_out = 2;
  s.far_hops = 4;
  return s;
}

TEST(LabFigures, ConstantsAreFoundAgain) {
  const Machine machine = fit(ideal(), "a ring");
  EXPECT_NEAR(machine.per_hop, 2e-6, 1e-12);
  EXPECT_NEAR(machine.alpha, 100e-6, 1e-12);
  EXPECT_NEAR(machine.beta, 0.4e-6, 1e-12);
  EXPECT_EQ(machine.ports, Ports::all);
  EXPECT_EQ(machine.duplex, Duplex::full);
  // It is a machine that can be written and read.
  EXPECT_NEAR(parse_machine(to_text(machine), "test").beta, machine.beta, 1e-12);
}

/// Two messages of one rank take turns: 2 times as long, above the middle of 1 and 2. Then the constants are those of
/// one message at a time.
TEST(LabFigures, OnePortIsSeen) {
  Samples s = ideal();
  s.fan.time *= 2;
  for (auto& point : s.all_ways) point.time *= 2;
  const Machine machine = fit(s, "a star");
  EXPECT_EQ(machine.ports, Ports::one);
  EXPECT_NEAR(machine.beta, 0.4e-6, 1e-12);
}

/// 256 KiB in pieces, all posted at once, took 1.7 times what the wire needs: the bytes are those that 64 KiB promised.
TEST(LabFigures, AStumbleAtTheLongestMessageIsNoProperty) {
  Samples s = ideal();
  s.all_ways.back().time *= 1.7;
  EXPECT_NEAR(fit(s, "a ring").beta, 0.4e-6, 0.01e-6);
}

/// A shaper of 20 Mbit/s that lets two packets of 4000 bytes through at once: 8000 B, 3.2 ms, less on every message but
/// the first, which is shorter.
TEST(LabFigures, ABurstIsSeen) {
  EXPECT_EQ(fit(ideal(), "a ring").burst, 0);
  Samples s = ideal();
  for (std::size_t i : {1, 2}) s.one_way[i].time -= 3.2e-3;
  const Machine machine = fit(s, "a ring");
  EXPECT_NEAR(machine.burst, 3.2e-3, 1e-9);
  EXPECT_NEAR(parse_machine(to_text(machine), "test").burst, 3.2e-3, 1e-9);
}

TEST(LabFigures, HalfDuplexIsSeen) {
  Samples s = ideal();
  s.two_way.time *= 1.9;
  EXPECT_EQ(fit(s, "a bus").duplex, Duplex::half);
}

TEST(LabFigures, ARowSurvivesItsLine) {
  const Row row{.network = "ring:8",
                .mpi = "mpich",
                .collective = "alltoall",
                .bytes = 65536,
                .way = "alltoall_mce:phases=2,1",
                .predicted = 0.25,
                .measured = 0.5,
                .least = 0.4,
                .most = 0.75,
                .repetitions = 5,
                .chosen = true};
  const Row again = parse_csv(to_csv(row));
  EXPECT_EQ(to_csv(again), to_csv(row));
  EXPECT_EQ(again.way, row.way);
  EXPECT_EQ(again.most, 0.75);
  EXPECT_TRUE(again.chosen);
  EXPECT_EQ(row.error(), -0.5);
  for (const char* wrong : {"", "a,b,c", "r,m,c,1,\"x\",1,2", "r,m,c,x,\"w\",1,1,1,1,1,1"})
    EXPECT_THROW(parse_csv(wrong), Error) << wrong;
}

/// Two requests. Of the first, native 8, chosen 4 and a better plan 2: ratio 2, regret 2. Of the second, native 1 and
/// chosen 2: ratio 0.5, regret 1. Means: ratio sqrt(2 * 0.5) = 1, regret sqrt(2). Predictions that count (64 KiB, and
/// the alltoall of 16 KiB): errors 1/4, 1/2, 0; the broadcast of 1 KiB does not.
TEST(LabFigures, RatiosErrorsAndRegret) {
  const auto row = [](const char* collective, Bytes bytes, const char* way, double predicted, double measured,
                      bool chosen) {
    return Row{.network = "n",
               .mpi = "m",
               .collective = collective,
               .bytes = bytes,
               .way = way,
               .predicted = predicted,
               .measured = measured,
               .least = 0,
               .most = 0,
               .repetitions = 1,
               .chosen = chosen};
  };
  const std::vector<Row> rows{row("bcast", 65536, "native", 0, 8, false), row("bcast", 65536, "a", 3, 4, true),
                              row("bcast", 65536, "b", 3, 2, false),      row("alltoall", 16384, "native", 0, 1, false),
                              row("alltoall", 16384, "c", 2, 2, true),    row("bcast", 1024, "a", 9, 1, true)};
  const std::vector<Cell> both = cells(rows);
  ASSERT_EQ(both.size(), 2u) << "the broadcast of 1 KiB has no native row";
  EXPECT_EQ(both[0].ratio(), 2);
  EXPECT_EQ(both[0].regret(), 2);
  EXPECT_EQ(both[1].ratio(), 0.5);
  const Summary summary = summarise(rows);
  EXPECT_EQ(summary.predictions, 3);
  EXPECT_DOUBLE_EQ(summary.median_error, 0.25);
  EXPECT_DOUBLE_EQ(summary.ninth_decile, 0.5);
  EXPECT_DOUBLE_EQ(summary.least_ratio, 0.5);
  EXPECT_DOUBLE_EQ(summary.mean_ratio, 1);
  EXPECT_DOUBLE_EQ(summary.mean_regret, std::sqrt(2.0));
}

}  // namespace
}  // namespace quadrille::validate::figures_test
