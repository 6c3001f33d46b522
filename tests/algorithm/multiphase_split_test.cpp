// The length at which a phase of a multiphase exchange is worth a split, and the window of phases that follows from it.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "multiphase_models.hpp"

namespace quadrille::multiphase_split_test {
namespace {

using testing::ipsc860;
using testing::whole;

constexpr double infinity = std::numeric_limits<double>::infinity();

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

}  // namespace
}  // namespace quadrille::multiphase_split_test
