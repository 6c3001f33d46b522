// Papers as a page: the errata are found and stand beside the right figures, and texts stay texts.
#include "report/papers.hpp"

#include <gtest/gtest.h>

#include "papers/errata.hpp"

namespace quadrille::papers_test {
namespace {

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
