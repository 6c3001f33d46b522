#include "papers/hambrusch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace quadrille::papers {

namespace hambrusch {

namespace {

using Cell = Reproduction::Cell;
using Table = Reproduction::Table;

Cell ms(Seconds time) { return {fmt::format("{:.2f}", time * 1e3), time}; }
Cell percent(double ratio) { return {fmt::format("{:+.0f} %", 100 * ratio), ratio}; }

/// A figure: what varies, and a curve for each algorithm or kind.
struct Figure {
  std::string key, title;
  formats::Chart::Axis x;
  struct Point {
    double x;
    std::string label;  ///< in the table
  };
  std::vector<Point> points;
  std::vector<std::string> curves;
  std::function<Run(std::size_t curve, std::size_t point)> run;
  bool named_points = false;  ///< their labels are written in the plot
};

/// "Br_xy_source" as a key: "br_xy_source".
std::string key_of(std::string name) {
  std::string key;
  for (const char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      key += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else if (!key.empty() && key.back() != '_')
      key += '_';
  return key;
}

Table table_of(const Figure& f, Bench& bench) {
  Table table{.key = f.key,
              .title = f.title + ", ms: simulated / in lockstep",
              .columns = {{"x", f.x.label, !f.named_points}},
              .rows = {}};
  for (const std::string& curve : f.curves) {
    table.columns.push_back({key_of(curve) + "_simulated_s", curve, true});
    table.columns.push_back({key_of(curve) + "_lockstep_s", "/", true});
  }
  for (std::size_t i = 0; i < f.points.size(); ++i) {
    std::vector<Cell> row{f.named_points ? Cell{f.points[i].label} : Cell{f.points[i].label, f.points[i].x}};
    for (std::size_t c = 0; c < f.curves.size(); ++c) {
      const Times times = bench.time(f.run(c, i));
      row.push_back(ms(times.simulated));
      row.push_back(ms(times.lockstep));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

formats::Chart chart_of(const Figure& f, Bench& bench) {
  formats::Chart chart;
  chart.title = f.title;
  chart.subtitle = "simulated on " + bench.machine().name;
  chart.x = f.x;
  chart.y = {"time, ms", formats::Chart::Scale::linear, 0.0, {}};
  for (std::size_t c = 0; c < f.curves.size(); ++c) {
    formats::Chart::Series series{f.curves[c], {}, false};
    for (std::size_t i = 0; i < f.points.size(); ++i)
      series.points.emplace_back(f.points[i].x, bench.time(f.run(c, i)).simulated * 1e3);
    chart.series.push_back(std::move(series));
  }
  if (f.named_points)
    for (const Figure::Point& p : f.points) chart.markers.push_back({p.x, p.label});
  return chart;
}

template <class Values>
std::vector<Figure::Point> points_of(const Values& values) {
  std::vector<Figure::Point> points;
  for (const auto v : values) points.push_back({static_cast<double>(v), base::format_count(v)});
  return points;
}

using RunOf = std::function<Run(std::size_t, std::size_t)>;

Figure figure(int number, const std::string& title, const std::string& axis, formats::Chart::Scale scale,
              std::vector<Figure::Point> points, const std::vector<std::string>& curves, RunOf run) {
  Figure f;
  f.key = fmt::format("figure_{}", number);
  f.title = fmt::format("Figure {}: {}", number, title);
  f.x.label = axis;
  f.x.scale = scale;
  f.points = std::move(points);
  f.curves = curves;
  f.run = std::move(run);
  return f;
}

/// Points side by side, with their names in the plot.
Figure named(Figure f) {
  f.named_points = true;
  f.x.low = 0.5;
  f.x.high = static_cast<double>(f.points.size()) + 0.5;
  return f;
}

std::vector<Figure::Point> side_by_side(const std::vector<std::string>& names) {
  std::vector<Figure::Point> points;
  for (const std::string& name : names) points.push_back({static_cast<double>(points.size() + 1), name});
  return points;
}

std::vector<Figure> figures() {
  constexpr auto linear = formats::Chart::Scale::linear, log2 = formats::Chart::Scale::log2;
  std::vector<Rank> processors;
  for (const auto& [r, c] : figure_4_meshes) processors.push_back(r * c);
  std::vector<std::string> meshes, sources;
  for (const auto& [r, c] : figure_7_meshes) meshes.push_back(fmt::format("{}x{}", r, c));
  for (const bool row_major : {false, true})
    for (const Slot s : figure_7_sources) sources.push_back(fmt::format("s={}{}", s, row_major ? " row-major" : ""));
  std::vector<Figure> all;
  all.push_back(figure(2, "10 x 10, 4 KiB, equal distribution", "sources", linear, points_of(figure_2_sources),
                       all_five, [](auto c, auto i) { return figure_2(all_five[c], figure_2_sources[i]); }));
  all.push_back(figure(3, "10 x 10, 30 sources on right diagonals", "bytes of a source", log2,
                       points_of(figure_3_bytes), all_five,
                       [](auto c, auto i) { return figure_3(all_five[c], figure_3_bytes[i]); }));
  all.push_back(figure(4, "1 KiB, about sqrt(p) sources on right diagonals", "processors p", log2,
                       points_of(processors), all_five,
                       [](auto c, auto i) { return figure_4(all_five[c], figure_4_meshes[i]); }));
  all.push_back(named(figure(5, "10 x 10, 2 KiB, 30 sources", "distribution", linear, side_by_side(figure_5_patterns),
                             the_three, [](auto c, auto i) { return figure_5(the_three[c], figure_5_patterns[i]); })));
  all.push_back(figure(6, "10 x 10, 80 KiB in all, right diagonals", "sources", log2, points_of(figure_6_sources),
                       the_three, [](auto c, auto i) { return figure_6(the_three[c], figure_6_sources[i]); }));
  all.push_back(named(
      figure(7, "Br_Lin on 120 processors, 4 KiB, equal distribution", "mesh", linear, side_by_side(meshes), sources,
             [](auto c, auto i) { return figure_7(figure_7_meshes[i], figure_7_sources[c % 3], c >= 3); })));
  return all;
}

Seconds total(Bench& bench, const Printed& p, std::size_t model) {
  Seconds time = 0;
  for (const auto& [run, part] : p.parts) time += bench.time(run, part).of(model);
  return time;
}

Table printed_table(Bench& bench) {
  Table table{.key = "printed",
              .title = fmt::format("The {} times that the paper prints (figures 6, 8, 9), ms", printed().size()),
              .columns = {{"figure", "figure"},
                          {"what", "what"},
                          {"paper_s", "paper", true},
                          {"simulated_s", "simulated", true},
                          {"simulated_error", "off", true},
                          {"lockstep_s", "lockstep", true},
                          {"lockstep_error", "off", true}},
              .rows = {}};
  for (const Printed& p : printed()) {
    std::vector<Cell> row{{p.figure}, {p.what}, {fmt::format("{:.1f}", p.ms), p.ms * 1e-3}};
    for (std::size_t m = 0; m < models; ++m) {
      const Seconds time = total(bench, p, m);
      row.push_back(ms(time));
      row.push_back(percent(time * 1e3 / p.ms - 1));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table fit_table(Bench& bench) {
  const auto row = [](const std::string& name, const Machine& m, double error) {
    return std::vector<Cell>{{name},
                             {fmt::format("{:.0f} us", m.alpha * 1e6), m.alpha},
                             {fmt::format("{:.5f} us", m.beta * 1e6), m.beta},
                             {fmt::format("{:.1f} %", 100 * error), error}};
  };
  Table table{.key = "fit",
              .title = "How far off the models are over these times (root of the mean squared relative error)",
              .columns = {{"model", "model"},
                          {"alpha_s", "start-up", true},
                          {"beta_s_per_byte", "per byte", true},
                          {"rms", "error", true}},
              .rows = {}};
  table.rows.push_back(row("simulated, fitted: paragon-h95", bench.machine(), rms_error(bench, 0)));
  table.rows.push_back(row("lockstep, fitted", bench.lockstep(), rms_error(bench, 1)));
  Bench published(load_machine("paragon-osf"));
  table.rows.push_back(row("simulated, published: paragon-osf", published.machine(), rms_error(published, 0)));
  return table;
}

/// Figures 8 and 9 are tables in the paper; here they are plots too: what was measured beside both models.
formats::Chart printed_chart(Bench& bench, const std::string& title, std::size_t first, std::size_t last) {
  formats::Chart chart;
  chart.title = title;
  chart.subtitle = "measured by the paper, simulated, and round by round";
  chart.x = {"", formats::Chart::Scale::linear, 0.5, static_cast<double>(last - first) + 0.5};
  chart.y = {"time, ms", formats::Chart::Scale::linear, 0.0, 0.0};
  chart.series = {{"paper", {}, false}, {"simulated", {}, false}, {"lockstep", {}, false}};
  for (std::size_t i = first; i < last; ++i) {
    const Printed& p = printed()[i];
    const auto x = static_cast<double>(i - first + 1);
    chart.series[0].points.emplace_back(x, p.ms);
    for (std::size_t m = 0; m < models; ++m) chart.series[m + 1].points.emplace_back(x, total(bench, p, m) * 1e3);
    chart.y.high = std::max(*chart.y.high, std::ceil(p.ms) + 1);
    const auto comma = p.what.rfind(", ");
    chart.markers.push_back({x, p.figure == "8" ? p.what.substr(comma + 2) : p.what});
  }
  return chart;
}

}  // namespace

}  // namespace hambrusch

Reproduction reproduce_hambrusch() {
  using namespace hambrusch;
  Bench bench(load_machine("paragon-h95"));
  Reproduction out;
  out.name = "hambrusch";
  out.title = "S-to-p broadcasting on coarse-grained machines";
  out.source = "S. E. Hambrusch, A. A. Khokhar, Y. Liu, Purdue CSD-TR-95-060, 1995, section 5, figures 2 to 9";
  out.machine = bench.machine();
  out.counted = "Counted message by message, the schedules";
  out.open = "The paper measured; two models stand beside it, each with two constants fitted to its times:";
  out.readings = {
      {"simulated", "simulated",
       "every message in time: a rank goes on when it has what it needs, a link carries one message at once"},
      {"lockstep", "lockstep",
       fmt::format("round by round, {:.0f} us and {:.5f} us a byte on the busiest link or port",
                   bench.lockstep().alpha * 1e6, bench.lockstep().beta * 1e6)}};
  for (const Figure& f : figures()) {
    out.tables.push_back(table_of(f, bench));
    out.figures.push_back({fmt::format("hambrusch-{}.svg", f.key), chart_of(f, bench)});
  }
  out.tables.push_back(printed_table(bench));
  out.tables.push_back(fit_table(bench));
  out.figures.push_back(
      {"hambrusch-figure_8_10x10.svg", printed_chart(bench, "Figure 8: 10 x 10, 2 KiB, 20 sources", 2, 8)});
  out.figures.push_back(
      {"hambrusch-figure_8_15x16.svg", printed_chart(bench, "Figure 8: 15 x 16, 2 KiB, 58 sources", 8, 14)});
  out.figures.push_back(
      {"hambrusch-figure_9.svg", printed_chart(bench, "Figure 9: 8 x 8, 2 KiB, 15 sources in a cross", 14, 21)});
  out.claims = claims(bench);
  out.consistent = bench.consistent();
  return out;
}

}  // namespace quadrille::papers
