// Papers as a page: the errata are found and stand beside the right figures, and texts stay texts.
#include "report/papers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "report/errata.hpp"

namespace quadrille::papers_test {
namespace {

TEST(Errata, AreReadFromTables) {
  const auto rows = report::parse_errata(
      "# T\n\n## One\n\ntext | with a bar\n\n| id | where | printed | true |\n| --- | --- | --- | --- |\n"
      "| E-1 A | 1986 eq. (3.17) | a \\| b | c |\n\n## Foster 1995\n\n| key | x |\n| --- | --- |\n| 1 | 2 |\n");
  ASSERT_EQ(rows.size(), 1u);
  EXPECT_EQ(rows[0].id, "E-1 A");
  EXPECT_EQ(rows[0].section, "One");
  EXPECT_EQ(rows[0].printed, "a | b");
  EXPECT_EQ(rows[0].truth, "c");
  EXPECT_EQ(report::paper_of(rows[0]), "saad-schultz");
}

// Section 3.2 of 1986 is about broadcasts, 1985 section 6 about the complete exchange; figure 8 is not figure 80.
TEST(Errata, StandBesideTheFiguresTheyConcern) {
  const auto about = [](const std::string& section, const std::string& where, const std::string& printed,
                        const std::string& figure) {
    return report::concerns({"E", section, where, printed, "", ""}, figure);
  };
  EXPECT_TRUE(about("Formulas", "1986 sec. 3.2(D)", "", "saad-schultz-bcast.svg"));
  EXPECT_FALSE(about("Formulas", "1986 sec. 3.2(D)", "", "saad-schultz-scatter.svg"));
  EXPECT_TRUE(about("Formulas", "1986 eq. (3.37), Table 1", "", "saad-schultz-scatter.svg"));
  EXPECT_TRUE(about("Formulas", "1985 sec. 6, MTADEA", "", "saad-schultz-alltoall.svg"));
  EXPECT_TRUE(about("Hambrusch 1995", "", "figure 8: equal", "hambrusch-figure_8_10x10.svg"));
  EXPECT_FALSE(about("Hambrusch 1995", "", "figure 80: equal", "hambrusch-figure_8_10x10.svg"));
  EXPECT_FALSE(about("Hambrusch 1995", "", "figure 8: equal", "nicol-bokhari-d6.svg"));
}

TEST(Errata, OfEveryPaperAreCarriedByTheProgram) {
  for (const papers::Reproducible& r : papers::reproducibles())
    EXPECT_TRUE(std::any_of(report::errata().begin(), report::errata().end(), [&](const report::Erratum& e) {
      return report::paper_of(e) == r.name;
    })) << r.name;
}

/// "Suite.Name" or "Suite.Name_*" between backticks.
std::vector<std::string> tests_named(const report::Erratum& e) {
  std::vector<std::string> all;
  std::size_t at = e.shown.find('`');
  while (at != std::string::npos) {
    const std::size_t end = e.shown.find('`', at + 1);
    const std::string words = e.shown.substr(at + 1, end - at - 1);
    if (words.find(' ') == std::string::npos && words.find('.') != std::string::npos) all.push_back(words);
    at = end == std::string::npos ? end : e.shown.find('`', end + 1);
  }
  return all;
}

TEST(Errata, NameTestsThatExist) {
  std::vector<std::string> known;
  const auto& unit = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < unit.total_test_suite_count(); ++i)
    for (int j = 0; j < unit.GetTestSuite(i)->total_test_count(); ++j)
      known.push_back(std::string(unit.GetTestSuite(i)->name()) + "." + unit.GetTestSuite(i)->GetTestInfo(j)->name());
  int named = 0;
  for (const report::Erratum& e : report::errata())
    for (std::string test : tests_named(e)) {
      ++named;
      const bool some = test.ends_with('*');
      if (some) test.pop_back();
      EXPECT_TRUE(std::any_of(known.begin(), known.end(),
                              [&](const std::string& name) { return some ? name.starts_with(test) : name == test; }))
          << e.id << ": " << test;
    }
  EXPECT_GT(named, 30);
}

TEST(Papers, HostileTextsStayText) {
  const std::string evil = "<script>alert(1)</script>\"'`**";
  papers::Reproduction r;
  r.name = "foster";
  r.title = r.source = r.open = r.counted = evil;
  r.readings = {{evil, evil, evil}};
  r.tables = {{evil, evil, {{evil, evil, false}}, {{{evil, {}}}}}};
  r.figures = {{"x.svg",
                {.title = evil,
                 .subtitle = evil,
                 .x = {.label = evil},
                 .y = {.label = evil},
                 .series = {{.name = evil, .points = {{1, 1}, {2, 2}}}},
                 .markers = {{1.5, evil}}}}};
  papers::Reproduction::Claim& claim = r.claims.emplace_back();
  claim.key = claim.text = claim.unit = claim.paper.text = claim.why = evil;
  claim.ours.emplace_back().text = evil;
  const std::string page = report::papers_page({r});
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_NE(page.find("&lt;script&gt;alert(1)"), std::string::npos);
  EXPECT_EQ(page.find("@@"), std::string::npos);
}

// Each paper's figures, claims and errata are all there, once each.
TEST(Papers, HaveEveryFigureClaimAndErratum) {
  const papers::Reproduction r = papers::reproduce("nicol-bokhari");
  const std::string page = report::papers_page({r});
  const auto times = [&](const std::string& text) {
    std::size_t n = 0;
    for (std::size_t at = page.find(text); at != std::string::npos; at = page.find(text, at + 1)) ++n;
    return n;
  };
  EXPECT_EQ(times("<svg"), r.figures.size());
  EXPECT_EQ(times("<td class=\"holds\">") + times("<td class=\"differs\">"), r.claims.size());
  for (const report::Erratum& e : report::errata())
    EXPECT_EQ(times("Erratum " + e.id + "<"), report::paper_of(e) == r.name ? 1u : 0u) << e.id;
}

}  // namespace
}  // namespace quadrille::papers_test
