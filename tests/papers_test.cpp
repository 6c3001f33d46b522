// Papers as a page: the errata are found and stand beside the right figures, and texts stay texts.
#include "report/papers.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "papers/errata.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille::papers_test {
namespace {

constexpr std::string_view small_file = R"(heading = "One"
paper = "foster"
text = "Words."

[[erratum]]
id = "E-1"
severity = "B"
printed = "a | b"
true = "c"
figures = ["butterfly"]
networks = ["mesh"]
shown = [
  {before = "see ", command = "quadrille machine unit", after = ": 1"},
  {test = "Errata.E1_*"},
  {before = " and ", code = "x=1"},
]
)";

TEST(Errata, AreReadByTheirFields) {
  const papers::ErrataSection section = papers::parse_errata(small_file, "small.toml");
  EXPECT_EQ(section.heading, "One");
  EXPECT_EQ(section.text, "Words.");
  ASSERT_EQ(section.errata.size(), 1u);
  const papers::Erratum& e = section.errata.front();
  EXPECT_EQ(papers::name_of(e), "E-1 B");
  EXPECT_EQ(e.paper, "foster");
  EXPECT_EQ(e.place, "");
  EXPECT_EQ(e.printed, "a | b");
  EXPECT_EQ(e.truth, "c");
  EXPECT_EQ(e.networks, std::vector<std::string>{"mesh"});
  EXPECT_EQ(papers::evidence_of(e), "see `quadrille machine unit`: 1; `Errata.E1_*` and `x=1`");
}

// A field that is missing, misspelt or of the wrong kind is an error that names it.
TEST(Errata, RefuseWhatTheyDoNotKnow) {
  const auto complaint = [](std::string_view from, std::string_view to) {
    std::string text(small_file);
    text.replace(text.find(from), from.size(), to);
    try {
      papers::parse_errata(text, "small.toml");
    } catch (const Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_NE(complaint("printed =", "prited =").find("small.toml"), std::string::npos);
  EXPECT_NE(complaint("networks =", "network =").find("did you mean 'networks'"), std::string::npos);
  EXPECT_NE(complaint("\"B\"", "\"D\"").find("E-1: severity: expected A, B or C"), std::string::npos);
  EXPECT_NE(complaint("[\"mesh\"]", "\"mesh\"").find("networks: expected a list of names"), std::string::npos);
  EXPECT_NE(complaint("code = \"x=1\"", "after = \"x\"").find("small.toml: E-1: shown: expected a test"),
            std::string::npos);
  EXPECT_NE(complaint("heading =", "headings =").find("did you mean 'heading'"), std::string::npos);
}

// Figure 8 is not figure 80, and a figure of another paper is another figure.
TEST(Errata, StandBesideTheFiguresTheyConcern) {
  papers::Erratum e;
  e.paper = "hambrusch";
  e.figures = {"figure_8_10x10"};
  EXPECT_TRUE(papers::concerns(e, "hambrusch-figure_8_10x10.svg"));
  EXPECT_FALSE(papers::concerns(e, "hambrusch-figure_8.svg"));
  EXPECT_FALSE(papers::concerns(e, "hambrusch-figure_80.svg"));
  EXPECT_FALSE(papers::concerns(e, "foster-figure_8_10x10.svg"));
}

bool has(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(Errata, NameOnlyWhatThereIs) {
  std::vector<std::string> papers, networks, known_algorithms, known_collectives;
  for (const papers::Reproducible& r : papers::reproducibles()) papers.emplace_back(r.name);
  for (const TopologyFamily& f : topology_families()) networks.emplace_back(f.name);
  for (const Algorithm& a : algorithms()) known_algorithms.emplace_back(a.name);
  for (const Collective c : collectives()) known_collectives.emplace_back(to_string(c));
  for (const papers::Erratum& e : papers::errata()) {
    EXPECT_TRUE(has(papers, e.paper)) << e.id;
    for (const std::string& name : e.networks) EXPECT_TRUE(has(networks, name)) << e.id << ": " << name;
    for (const std::string& name : e.algorithms) EXPECT_TRUE(has(known_algorithms, name)) << e.id << ": " << name;
    for (const std::string& name : e.collectives) EXPECT_TRUE(has(known_collectives, name)) << e.id << ": " << name;
  }
}

TEST(Errata, NameFiguresThatAreDrawn) {
  for (const papers::Reproducible& r : papers::reproducibles()) {
    const papers::Reproduction worked = papers::reproduce(r.name);
    std::vector<std::string> files;
    for (const papers::Reproduction::Figure& f : worked.figures) files.push_back(f.file);
    int named = 0;
    for (const papers::Erratum& e : papers::errata())
      if (e.paper == r.name)
        for (const std::string& figure : e.figures) {
          ++named;
          EXPECT_TRUE(has(files, e.paper + "-" + figure + ".svg")) << e.id << ": " << figure;
        }
    EXPECT_GT(named, 0) << r.name;
  }
}

TEST(Errata, NameTestsThatExist) {
  std::vector<std::string> known;
  const auto& unit = *::testing::UnitTest::GetInstance();
  for (int i = 0; i < unit.total_test_suite_count(); ++i)
    for (int j = 0; j < unit.GetTestSuite(i)->total_test_count(); ++j)
      known.push_back(std::string(unit.GetTestSuite(i)->name()) + "." + unit.GetTestSuite(i)->GetTestInfo(j)->name());
  int named = 0;
  for (const papers::Erratum& e : papers::errata())
    for (const papers::Erratum::Evidence& piece : e.shown) {
      if (piece.kind != papers::Erratum::Evidence::Kind::test) continue;
      std::string test = piece.text;
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
  for (const papers::Erratum& e : papers::errata())
    EXPECT_EQ(times("Erratum " + papers::name_of(e) + "<"), e.paper == r.name ? 1u : 0u) << e.id;
}

}  // namespace
}  // namespace quadrille::papers_test
