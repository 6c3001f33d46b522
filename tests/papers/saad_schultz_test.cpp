// Tables 1 and 2 of Saad & Schultz 1986: entries worked by hand, algorithms of the paper beside ours, bad values.
#include "papers/saad_schultz.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "sampled.hpp"

namespace quadrille::papers::saad_schultz::reproduce_saad_schultz_test {
namespace {

const papers::Reproduction& tables() {
  static const papers::Reproduction r = papers::reproduce("saad-schultz");
  return r;
}

/// Column `key` of the table, by machine.
std::map<std::string, double> column(const papers::Reproduction& r, const std::string& table, const std::string& key) {
  const auto found = std::find_if(r.tables.begin(), r.tables.end(), [&](const auto& t) { return t.key == table; });
  if (found == r.tables.end()) throw Error(Error::Kind::argument, "no table " + table);
  const auto c =
      std::find_if(found->columns.begin(), found->columns.end(), [&](const auto& x) { return x.key == key; });
  if (c == found->columns.end()) throw Error(Error::Kind::argument, "no column " + key);
  std::map<std::string, double> values;
  for (const auto& row : found->rows)
    values[row.front().text] = row[static_cast<std::size_t>(c - found->columns.begin())].value.value();
  return values;
}

using Values6 = std::map<std::string, double>;

TEST(ReproduceSaadSchultz, EntriesWorkedByHand) {
  // k = 64: s = 8, n = 6; N = 65536, tau = 100, b = 1, k* = 8.
  EXPECT_EQ(column(tables(), "bcast_printed", "printed_s"), (Values6{{"bus", 65636},
                                                                     {"shared memory", 590724},
                                                                     {"ring", 137472},
                                                                     {"grid", 66336},
                                                                     {"hypercube", 132272},
                                                                     {"switch", 264544}}));
  EXPECT_EQ(column(tables(), "scatter_printed", "corrected_s"), (Values6{{"bus", 71936},
                                                                         {"shared memory", 74628},
                                                                         {"ring", 35968},
                                                                         {"grid", 37664},
                                                                         {"hypercube", 66136},
                                                                         {"switch", 66136}}));
  EXPECT_EQ(column(tables(), "alltoall_printed", "corrected_s"), (Values6{{"bus", 71936},
                                                                          {"shared memory", 17984},
                                                                          {"ring", 39168},
                                                                          {"grid", 8568},
                                                                          {"hypercube", 7344},
                                                                          {"switch", 3672}}));
  const Values6 all = column(tables(), "allgather_printed", "corrected_s");
  EXPECT_DOUBLE_EQ(all.at("shared memory"), 534080);
  EXPECT_DOUBLE_EQ(all.at("hypercube"), 1200 + 2 * (1 + 3 + 4 + 3 + 1 + 1) * 1024);  // ceil(C(6,i)/6)
}

TEST(ReproduceSaadSchultz, WhatSchedulesCost) {
  // Exact: one start-up less than printed and no own block, or a smaller volume altogether.
  const Values6 paper = column(tables(), "alltoall", "paper_algorithm_s"),
                best = column(tables(), "alltoall", "algorithm_s");
  EXPECT_EQ(paper.at("ring"), 63 * 100 + 64 * 63 / 2 * 16);
  EXPECT_EQ(best.at("ring"), 63 * 100 + 64 * 64 / 4 * 16);
  EXPECT_EQ(paper.at("grid"), 14 * 100 + 65536 / 8 - 65536 / 64);
  EXPECT_EQ(best.at("bus"), 64 * 100 + 64 * 63 * 16);
  const Values6 scatter = column(tables(), "scatter", "paper_algorithm_s");
  EXPECT_EQ(scatter.at("shared memory"), 100 + 63 * 1024 + 8 * (100 + 1024));
  EXPECT_EQ(scatter.at("hypercube"), 600 + 63 * 1024);
  EXPECT_EQ(column(tables(), "bcast", "paper_algorithm_s").at("shared memory"), 9 * (100 + 65536));
}

TEST(ReproduceSaadSchultz, CellsHangTogetherWhateverTheValues) {
  for (const papers::Values& values :
       {papers::Values{}, papers::Values{{"k", "16"}, {"N", "256"}, {"tau", "0"}},
        papers::Values{{"k", "16"}, {"shared", "3"}},
        papers::Values{{"k", "256"}, {"N", "65536"}, {"tau", "1e6"}, {"b", "0.25"}, {"shared", "1000"}}}) {
    if (testing::sanitized && !values.contains("shared")) continue;
    const papers::Reproduction r = papers::reproduce("saad-schultz", values);
    EXPECT_TRUE(r.consistent);
    for (const Collective operation : operations) {
      const std::string table(to_string(operation));
      const Values6 paper = column(r, table, "paper_algorithm_s"), best = column(r, table, "algorithm_s"),
                    bound = column(r, table, "bound_s"), ratio = column(r, table, "ratio");
      EXPECT_EQ(paper.size(), std::size(nets));
      for (const auto& [net, time] : best) {
        EXPECT_LE(time, paper.at(net)) << table << " " << net;
        EXPECT_LE(bound.at(net), time * (1 + 1e-12)) << table << " " << net;
        EXPECT_DOUBLE_EQ(ratio.at(net), time / bound.at(net)) << table << " " << net;
      }
    }
  }
}

TEST(ReproduceSaadSchultz, WrongEntriesSaySoAndCorrectedOnesBound) {
  ASSERT_EQ(entries().size(), std::size(nets) * std::size(operations));
  EXPECT_EQ(std::count_if(entries().begin(), entries().end(), [](const Entry& e) { return !e.errata.empty(); }), 12);
  for (const papers::Reproduction::Claim& c : tables().claims) {
    EXPECT_EQ(c.holds, c.key.starts_with("bounds.")) << c.key;
    EXPECT_EQ(c.why.empty(), c.holds) << c.key;
  }
  EXPECT_EQ(tables().figures.size(), std::size(operations));
  for (const papers::Reproduction::Figure& f : tables().figures) EXPECT_EQ(f.chart.series.size(), std::size(nets));
}

TEST(ReproduceSaadSchultz, RefusesValuesThatMakeNoMachine) {
  for (const papers::Values& values :
       {papers::Values{{"k", "32"}}, papers::Values{{"k", "4"}}, papers::Values{{"k", "x"}},
        papers::Values{{"k", "4096"}}, papers::Values{{"N", "100"}}, papers::Values{{"N", "0"}},
        papers::Values{{"k", "256"}, {"N", "4096"}}, papers::Values{{"tau", "-1"}}, papers::Values{{"tau", "nan"}},
        papers::Values{{"b", "0"}}, papers::Values{{"shared", "0"}}, papers::Values{{"beta", "1"}}})
    EXPECT_THROW(papers::reproduce("saad-schultz", values), Error) << values.begin()->first << values.begin()->second;
  EXPECT_THROW(papers::reproduce("foster", {{"k", "64"}}), Error);
}

}  // namespace
}  // namespace quadrille::papers::saad_schultz::reproduce_saad_schultz_test
