// The experiments of Nicol & Bokhari: the numbers of the model worked by hand, the schedules against the formulas.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "formats/svg.hpp"
#include "papers/reproduce.hpp"
#include "quadrille/multiphase.hpp"
#include "quadrille/price.hpp"
#include "sampled.hpp"

namespace quadrille::reproduce_test {
namespace {

const papers::Reproduction& nicol_bokhari() {
  static const papers::Reproduction r = papers::reproduce("nicol-bokhari");
  return r;
}

const papers::Reproduction::Table& table(const std::string& key) {
  const auto& all = nicol_bokhari().tables;
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& t) { return t.key == key; });
  if (found == all.end()) throw Error(Error::Kind::argument, "no table " + key);
  return *found;
}

std::vector<double> values(const std::vector<papers::Reproduction::Cell>& row) {
  std::vector<double> all;
  for (const papers::Reproduction::Cell& cell : row)
    if (cell.value) all.push_back(*cell.value);
  return all;
}

void expect_near(const std::vector<double>& got, const std::vector<double>& expected, double tolerance) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) EXPECT_NEAR(got[i], expected[i], tolerance) << i;
}

TEST(Reproduce, KnowsItsPapers) {
  EXPECT_THROW(papers::reproduce("nicol"), Error);
  EXPECT_THROW(papers::reproduce(""), Error);
  for (const papers::Reproducible& r : papers::reproducibles())
    if (testing::sampled(r.name, 3)) {
      EXPECT_EQ(r.reproduce({}).name, r.name);
    }
}

TEST(ReproduceNicolBokhari, PresetIsThePapersMachine) {
  const MultiphaseModel six = multiphase_model(load_machine("ipsc860"), 6);
  EXPECT_DOUBLE_EQ(six.lambda, 177.5e-6);
  EXPECT_DOUBLE_EQ(six.tau, 0.394e-6);
  EXPECT_DOUBLE_EQ(six.delta, 61.8e-6);
  EXPECT_DOUBLE_EQ(six.delta_hop, 20.6e-6);
  EXPECT_DOUBLE_EQ(six.rho, 0.54e-6);
  EXPECT_DOUBLE_EQ(six.barrier, 900e-6);
  EXPECT_EQ(six.circuit, CircuitCost::average);
}

TEST(ReproduceNicolBokhari, Figures) {
  // Block, then direct, two or three phases, standard; ms to three decimals, worked apart.
  const auto row = [](const papers::Reproduction::Table& t, double bytes) {
    const auto found = std::find_if(t.rows.begin(), t.rows.end(), [&](const auto& r) { return r[0].value == bytes; });
    return found == t.rows.end() ? std::vector<double>{} : values(*found);
  };
  const papers::Reproduction::Table &five = table("figure_2"), &six = table("figure_3");
  expect_near(row(five, 1), {1, 7.861e-3, 3.845e-3, 3.930e-3, 5.013e-3}, 0.6e-6);
  expect_near(row(five, 32), {32, 8.240e-3, 5.552e-3, 6.319e-3, 8.668e-3}, 0.6e-6);
  expect_near(row(five, 400), {400, 12.735e-3, 25.809e-3, 34.675e-3, 52.063e-3}, 0.6e-6);
  expect_near(row(six, 1), {1, 16.001e-3, 5.263e-3, 5.014e-3, 7.119e-3}, 0.6e-6);
  expect_near(row(six, 100), {100, 18.458e-3, 16.475e-3, 20.895e-3, 35.137e-3}, 0.6e-6);
  expect_near(row(six, 200), {200, 20.940e-3, 27.800e-3, 36.937e-3, 63.437e-3}, 0.6e-6);
  ASSERT_EQ(nicol_bokhari().figures.size(), 2U);
  for (const papers::Reproduction::Figure& f : nicol_bokhari().figures) {
    const std::string text = formats::svg(f.chart);
    EXPECT_NE(text.find("direct</text>"), std::string::npos);
    EXPECT_NE(text.find("measured (paper)</text>"), std::string::npos);
  }
}

TEST(ReproduceNicolBokhari, ThresholdsInThreeReadings) {
  const papers::Reproduction::Table& t = table("thresholds");
  ASSERT_EQ(t.rows.size(), 3U);
  expect_near(values(t.rows[0]), {32, 94.761171, 100.291824, 158.840103, 100}, 1e-5);
  expect_near(values(t.rows[1]), {64, 6.286041, 234.7 / 47.168, 6.286041}, 1e-5);
  expect_near(values(t.rows[2]), {64, 122.426662, 127.318888, 10825.7 / 53.866, 140}, 1e-5);
}

TEST(ReproduceNicolBokhari, Claims) {
  struct Row {
    const char* key;
    bool holds;
    std::vector<double> ours;  // to the digits given
    double tolerance;
  };
  const std::vector<Row> rows{{"threshold_5", true, {94.8, 100.3, 158.8}, 0.06},
                              {"threshold_6", false, {122.4, 127.3, 201.0}, 0.06},
                              {"direct_5_at_1", false, {7.861e-3, 7.913e-3, 7.879e-3}, 0.6e-6},
                              {"direct_is_standard_6_bytes", false, {35.4, 36.6, 40.9}, 0.06},
                              {"direct_is_standard_6_time", true, {16.85e-3, 16.95e-3, 18.4e-3}, 0.06e-3},
                              {"multiphase_6_at_32", true, {8.77e-3, 8.40e-3, 8.77e-3}, 6e-6},
                              {"gain_6_at_32", true, {1.81, 1.86, 1.81}, 0.006},
                              {"winners_5", true, {}, 0},
                              {"winners_6", false, {}, 0},
                              {"standard_never", true, {}, 0},
                              {"equipartition", true, {}, 0},
                              {"comparisons", true, {}, 0},
                              {"intercepts", false, {}, 0}};
  ASSERT_EQ(nicol_bokhari().claims.size(), rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const papers::Reproduction::Claim& claim = nicol_bokhari().claims[i];
    EXPECT_EQ(claim.key, rows[i].key);
    EXPECT_EQ(claim.holds, rows[i].holds) << claim.key;
    EXPECT_EQ(claim.ours.size(), nicol_bokhari().readings.size());
    if (!claim.holds) {
      EXPECT_FALSE(claim.why.empty()) << claim.key;
    }
    expect_near(values(claim.ours), rows[i].ours, rows[i].tolerance);
  }
  EXPECT_EQ(nicol_bokhari().claims[8].ours[0].text, "(2,2,2) (3,3) (6)");
}

/// Counted on the wires, worked out by the algorithm, and as a line: one price.
TEST(ReproduceNicolBokhari, SchedulesCostWhatTheFormulaSays) {
  EXPECT_TRUE(nicol_bokhari().consistent);
  Machine machine = load_machine("ipsc860");
  for (const CircuitCost circuit : {CircuitCost::average, CircuitCost::exact})
    for (const bool charge : {false, true})
      for (const Partition& p :
           {Partition{5}, {2, 3}, {1, 2, 2}, {1, 1, 1, 1, 1}, {6}, {3, 3}, {2, 2, 2}, {1, 1, 1, 1, 1, 1}})
        for (const Bytes bytes : {1, 400}) {
          machine.circuit = circuit;
          int d = 0;
          for (const std::int64_t n : p) d += static_cast<int>(n);
          const Spec spec{.collective = Collective::alltoall,
                          .topology = parse_topology("hypercube:" + std::to_string(d)),
                          .bytes = bytes};
          const Built built =
              build(spec, machine,
                    {&find_algorithm("alltoall_mce"), Params{{"phases", p}, {"charge_identity", {charge ? 1 : 0}}}});
          const Traffic traffic = count(spec, machine, *built.schedule);
          EXPECT_EQ(traffic.cost, built.formula);
          EXPECT_EQ(traffic.contention, 1);
          const Seconds line = partition_line(multiphase_model(machine, d, charge), p).at(static_cast<double>(bytes));
          EXPECT_NEAR(seconds(traffic.cost, machine, *spec.topology), line, 1e-13 * line);
        }
}

/// What does not depend on constants that are recalled, and that the counted times are those of the formulas.
TEST(ReproduceFoster, CountsWhatItsFormulasSay) {
  const papers::Reproduction r = papers::reproduce("foster");
  EXPECT_TRUE(r.consistent);
  const auto text = [&](const std::string& key, const std::string& row, std::size_t column) {
    for (const papers::Reproduction::Table& t : r.tables)
      if (t.key == key)
        for (const auto& cells : t.rows)
          if (cells[0].text == row) return cells.at(column).text;
    return "no " + key + " " + row;
  };
  EXPECT_EQ(text("butterfly_s", "hypercube", 3), "1 1 1 1 1 1");
  EXPECT_EQ(text("butterfly_s", "1-D mesh", 2), "1 2 4 8");
  EXPECT_EQ(text("butterfly_s", "2-D mesh", 1), "-");
  EXPECT_EQ(text("butterfly_s", "2-D mesh", 2), "1 2 1 2");
  EXPECT_EQ(text("butterfly_s", "bus: half a bus", 1), "4 4 4");
  EXPECT_EQ(text("butterfly_s", "bus: messages", 1), "8 8 8");
  EXPECT_EQ(text("permutations", "2-ary fly", 3), "7");
  EXPECT_EQ(text("permutations", "hypercube", 3), "4");
  EXPECT_EQ(text("shifts", "mesh:16", 2), "1");
  EXPECT_EQ(text("shifts", "mesh:16", 3), "2") << "the message round the end";
  EXPECT_EQ(text("shifts", "bus:16", 3), "32");
  EXPECT_EQ(text("shifts", "bus:16", 4), "16");
  EXPECT_EQ(text("networks", "mesh:4x4x4", 2), "288");
  ASSERT_EQ(r.figures.size(), 3U);
  for (const papers::Reproduction::Figure& f : r.figures)
    EXPECT_NE(formats::svg(f.chart).find("S = 1</text>"), std::string::npos);
}

TEST(ReproduceFoster, SaysWhyWhereTheBookDiffers) {
  const papers::Reproduction r = papers::reproduce("foster");
  std::vector<std::string> differing;
  for (const papers::Reproduction::Claim& c : r.claims) {
    EXPECT_EQ(c.ours.size(), r.readings.size()) << c.key;
    if (c.holds) continue;
    EXPECT_FALSE(c.why.empty()) << c.key;
    differing.push_back(c.key);
  }
  EXPECT_EQ(differing, (std::vector<std::string>{"butterfly_line", "butterfly_units", "torus_even", "mesh_distance"}));
  for (const papers::Reproduction::Claim& c : r.claims) {
    if (c.key != "difference_bus_8" && c.key != "butterfly_bus") continue;
    EXPECT_NEAR(*c.ours[0].value, *c.paper.value, 1e-12);
    EXPECT_GT(*c.ours[1].value, 1.9 * *c.paper.value) << "the bus carries both halves";
  }
}

}  // namespace
}  // namespace quadrille::reproduce_test
