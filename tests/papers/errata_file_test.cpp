// The errata as data: what their files may say, and that they name only what there is.
#include <gtest/gtest.h>

#include <algorithm>

#include "papers/errata.hpp"
#include "papers/reproduce.hpp"
#include "quadrille/algorithm.hpp"
#include "sampled.hpp"

namespace quadrille::errata_file_test {
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
    EXPECT_TRUE(has(papers, e.paper) || e.paper == "reductions") << e.id;
    for (const std::string& name : e.networks) EXPECT_TRUE(has(networks, name)) << e.id << ": " << name;
    for (const std::string& name : e.algorithms) EXPECT_TRUE(has(known_algorithms, name)) << e.id << ": " << name;
    for (const std::string& name : e.collectives) EXPECT_TRUE(has(known_collectives, name)) << e.id << ": " << name;
  }
}

TEST(Errata, NameFiguresThatAreDrawn) {
  for (const papers::Reproducible& r : papers::reproducibles()) {
    if (!testing::sampled(r.name, 3)) continue;
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

}  // namespace
}  // namespace quadrille::errata_file_test
