// Charts: ticks worked by hand, lines cut at the ends of the axes, and hostile labels.
#include "formats/svg.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "formats/svg_axis.hpp"
#include "formats/xml.hpp"
#include "quadrille/base.hpp"

namespace quadrille::svg_test {
namespace {

using Labels = std::vector<std::string>;

Labels labels(const formats::Chart::Axis& axis, const std::vector<double>& values, int most) {
  Labels all;
  const formats::SvgAxis laid_out(axis, values, 0, 100, most);
  for (const formats::Tick& t : laid_out.ticks()) all.push_back(t.label);
  return all;
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t n = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++n;
  return n;
}

TEST(SvgAxisTest, LinearTicksAreRound) {
  EXPECT_EQ(labels({"x"}, {0, 400}, 4), (Labels{"0", "100", "200", "300", "400"}));
  EXPECT_EQ(labels({"x"}, {3.8, 13.2}, 5), (Labels{"2", "4", "6", "8", "10", "12", "14"}));
  EXPECT_EQ(labels({"x"}, {-0.1, 0.3}, 4), (Labels{"-0.1", "0.0", "0.1", "0.2", "0.3"}));
  EXPECT_EQ(labels({"x"}, {0, 40000}, 4), (Labels{"0", "10 000", "20 000", "30 000", "40 000"}));
  EXPECT_EQ(labels({"x"}, {0, 4e-6}, 4), (Labels{"0", "1e-06", "2e-06", "3e-06", "4e-06"}));
}

TEST(SvgAxisTest, GivenEndsAreKept) {
  const formats::SvgAxis axis({"x", formats::Chart::Scale::linear, 5.0, 25.0}, {0, 1000}, 100, 300, 5);
  EXPECT_DOUBLE_EQ(axis.pixel(5), 100);
  EXPECT_DOUBLE_EQ(axis.pixel(25), 300);
  EXPECT_EQ(axis.ticks().front().label, "5");
  EXPECT_EQ(axis.ticks().back().label, "25");
}

TEST(SvgAxisTest, LogTicksArePowers) {
  EXPECT_EQ(labels({"x", formats::Chart::Scale::log10}, {0.02, 700}, 6),
            (Labels{"0.01", "0.1", "1", "10", "100", "1000"}));
  EXPECT_EQ(labels({"x", formats::Chart::Scale::log10}, {1, 10}, 6), (Labels{"1", "2", "5", "10"}));
  EXPECT_EQ(labels({"x", formats::Chart::Scale::log2}, {1, 1 << 20}, 6),
            (Labels{"1", "16", "256", "4 Ki", "64 Ki", "1 Mi"}));
  const formats::SvgAxis axis({"x", formats::Chart::Scale::log10}, {1, 100}, 0, 100, 6);
  EXPECT_DOUBLE_EQ(axis.pixel(10), 50);
  EXPECT_FALSE(axis.drawable(0));
}

TEST(SvgAxisTest, EmptyAndSinglePointsStillHaveARange) {
  for (const formats::Chart::Scale scale :
       {formats::Chart::Scale::linear, formats::Chart::Scale::log10, formats::Chart::Scale::log2})
    for (const std::vector<double>& values :
         {std::vector<double>{}, {5}, {0}, {std::nan("")}, {1e16, 1e16 + 2}, {-1e308, 1e308}}) {
      const formats::SvgAxis axis({"x", scale}, values, 0, 100, 5);
      EXPECT_GE(axis.ticks().size(), 2U);
      EXPECT_LE(axis.ticks().size(), 20U);
      for (const formats::Tick& t : axis.ticks()) EXPECT_TRUE(std::isfinite(axis.pixel(t.value)));
    }
}

formats::Chart small_chart() {
  formats::Chart chart;
  chart.title = "T";
  chart.x = {"x, bytes", formats::Chart::Scale::linear, 0.0, 10.0};
  chart.y = {"y, ms", formats::Chart::Scale::linear, 0.0, 10.0};
  return chart;
}

TEST(Svg, LinesAreCutAtTheEndsOfTheAxes) {
  formats::Chart chart = small_chart();
  chart.series = {{"up", {{0, 0}, {10, 20}}, false}, {"out", {{0, 20}, {10, 30}}, false}};
  const std::string text = formats::svg(chart);
  // Plot: x from 68 to 760 - 24 = 736 (half: 402) as no label stands at the right, y from 416 up to 64.
  EXPECT_NE(text.find("d=\"M68 416L402 64\""), std::string::npos) << text;
  EXPECT_EQ(count(text, "<path"), 1U);
  EXPECT_NE(text.find(">up</text>"), std::string::npos);
  EXPECT_EQ(text.find(">out</text>"), std::string::npos);
}

TEST(Svg, UndrawablePointsBreakTheLine) {
  formats::Chart chart = small_chart();
  const double inf = std::numeric_limits<double>::infinity();
  chart.series = {{"s", {{0, 1}, {2, 1}, {3, inf}, {4, 1}, {6, 1}, {7, std::nan("")}}, false}};
  const std::string text = formats::svg(chart);
  const std::string path = text.substr(text.find("<path"), 80);
  EXPECT_EQ(count(path, "M"), 2U) << path;
  EXPECT_EQ(count(text, "nan") + count(text, "inf\""), 0U);
}

TEST(Svg, SeriesDifferInDashesAndMarkersAreLabelled) {
  formats::Chart chart = small_chart();
  for (int i = 0; i < 7; ++i) chart.series.push_back({"s" + std::to_string(i), {{0, i}, {10, i + 1}}, false});
  chart.markers = {{3, "three"}, {30, "outside"}};
  const std::string text = formats::svg(chart);
  std::vector<std::string> dashes;
  for (std::size_t at = text.find("<path"); at != std::string::npos; at = text.find("<path", at + 1)) {
    const std::string path = text.substr(at, text.find("/>", at) - at);
    const std::size_t dash = path.find("stroke-dasharray");
    dashes.push_back(dash == std::string::npos ? "" : path.substr(dash));
  }
  ASSERT_EQ(dashes.size(), 7U);
  std::sort(dashes.begin(), dashes.end());
  EXPECT_EQ(std::unique(dashes.begin(), dashes.end()), dashes.end());
  EXPECT_NE(text.find(">three</text>"), std::string::npos);
  EXPECT_EQ(text.find("outside"), std::string::npos);
}

TEST(Svg, LabelsAreKeptApart) {
  formats::Chart chart = small_chart();
  for (int i = 0; i < 5; ++i) chart.series.push_back({"s" + std::to_string(i), {{0, 5}, {10, 5 + 0.01 * i}}, false});
  const std::string text = formats::svg(chart);
  std::vector<double> heights;
  for (int i = 0; i < 5; ++i) {
    const std::size_t end = text.find(">s" + std::to_string(i) + "</text>");
    const std::size_t y = text.rfind("y=\"", end);
    heights.push_back(std::stod(text.substr(y + 3)));
  }
  for (std::size_t i = 1; i < heights.size(); ++i) EXPECT_GE(heights[i - 1] - heights[i], 14.9);
}

TEST(Svg, IsDeterministicAndNeedsNothingElse) {
  formats::Chart chart = small_chart();
  chart.series = {{"a", {{0, 1}, {10, 3}}, false}, {"best", {{0, 1}, {10, 3}}, true}};
  const std::string text = formats::svg(chart);
  EXPECT_EQ(text, formats::svg(chart));
  EXPECT_EQ(count(text, "http"), 1U);  // the namespace
  EXPECT_EQ(count(text, "url(") + count(text, "<script") + count(text, "href"), 0U);
  EXPECT_EQ(text.substr(text.size() - 7), "</svg>\n");
}

TEST(Svg, TextIsEscaped) {
  formats::Chart chart = small_chart();
  chart.title = "a<b & \"c\"";
  chart.series = {{"</text><script>", {{0, 1}, {10, 3}}, false}};
  const std::string text = formats::svg(chart);
  EXPECT_NE(text.find("a&lt;b &amp; &quot;c&quot;"), std::string::npos);
  EXPECT_EQ(text.find("<script"), std::string::npos);
}

TEST(Xml, OnlyWellFormedCharactersPass) {
  EXPECT_EQ(formats::xml_escaped("a&b<c>'\""), "a&amp;b&lt;c&gt;&#39;&quot;");
  EXPECT_EQ(formats::xml_escaped("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80"), "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(formats::xml_escaped(std::string_view("\0\x01", 2)), bad + bad);
  EXPECT_EQ(formats::xml_escaped("\xC3"), bad);                           // cut off
  EXPECT_EQ(formats::xml_escaped("\xC0\xBC"), bad + bad);                 // '<' in two bytes
  EXPECT_EQ(formats::xml_escaped("\xED\xA0\x80").substr(0, 3), bad);      // half a surrogate pair
  EXPECT_EQ(formats::xml_escaped("\xF5\x80\x80\x80").substr(0, 3), bad);  // beyond U+10FFFF
}

}  // namespace
}  // namespace quadrille::svg_test
