#include "cli/parts/plot_charts.hpp"

#include <algorithm>
#include <map>

#include "base/text.hpp"
#include "console/words.hpp"
#include "quadrille/price.hpp"
#include "report/sizes.hpp"

namespace quadrille::cli {

namespace {

std::string heading_of(const Task& task) {
  return fmt::format("{} on {}, machine {}", to_string(task.spec.collective), task.spec.topology->text(),
                     task.machine.name);
}

}  // namespace

formats::Chart sizes_chart(const Subject& subject) {
  const Task& task = subject.task;
  const Plan plan = quadrille::plan(task.spec, task.machine);
  const report::SizeSeries sizes = report::size_series(plan);
  const bool plain = task.machine.alpha == 1 && task.machine.beta == 1;
  const std::string unit = plain                             ? "time, start-ups + bytes"
                           : console::in_units(task.machine) ? "time, units"
                                                             : "time, s";
  formats::Chart chart{
      .title = heading_of(task),
      .subtitle = "every algorithm at the best parameters of each size; the pale band is the limit no schedule beats",
      .x = {.label = "block size, bytes", .scale = formats::Chart::Scale::log2},
      .y = {.label = unit, .scale = formats::Chart::Scale::log10},
      .series = {},
      .markers = {}};
  formats::Chart::Series limit{.name = "limit", .points = {}, .band = true};
  for (std::size_t i = 0; i < sizes.bytes.size(); ++i)
    limit.points.emplace_back(static_cast<double>(sizes.bytes[i]), sizes.limit[i]);
  chart.series.push_back(std::move(limit));
  for (const report::SizeSeries::Line& line : sizes.lines) {
    formats::Chart::Series series{.name = std::string(line.algorithm->name), .points = {}};
    for (std::size_t i = 0; i < sizes.bytes.size(); ++i)
      series.points.emplace_back(static_cast<double>(sizes.bytes[i]), line.time[i]);
    chart.series.push_back(std::move(series));
  }
  std::map<std::string, formats::Chart::Series> measured;
  for (const Measurement& m : subject.times) {
    formats::Chart::Series& series = measured[m.label.empty() ? "measured" : m.label];
    series.name = m.label.empty() ? "measured" : m.label;
    series.marks = true;
    series.points.emplace_back(m.bytes, m.time);
  }
  for (auto& [name, series] : measured) {
    std::sort(series.points.begin(), series.points.end());
    chart.series.push_back(std::move(series));
  }
  for (const report::SizeSeries::Threshold& t : sizes.thresholds)
    chart.markers.push_back(
        {static_cast<double>(t.from), fmt::format("{}: {}", base::format_bytes(t.from), t.above->name)});
  return chart;
}

formats::Chart rounds_chart(const Subject& subject) {
  const Task& task = subject.task;
  Choice choice = subject.choice;
  if (choice.algorithm == nullptr) {
    const Plan plan = quadrille::plan(task.spec, task.machine);
    if (!plan.possible())
      throw Error(Error::Kind::illegal,
                  fmt::format("plot rounds: nothing can run here; 'quadrille algorithm --on {} --machine {}' says why",
                              task.spec.topology->text(), task.machine.name));
    choice = {plan.best().algorithm, plan.best().params};
  }
  const Built built = build(task.spec, task.machine, choice);
  std::vector<RoundTraffic> rounds;
  count(task.spec, task.machine, *built.schedule, &rounds);
  formats::Chart chart{
      .title = heading_of(task),
      .subtitle = to_text(*built.choice.algorithm, built.choice.params) +
                  ": what a round is charged for, and its largest message",
      .x = {.label = "round"},
      .y = {.label = "bytes", .low = 0},
      .series = {{.name = "busiest link or port", .points = {}}, {.name = "largest message", .points = {}}},
      .markers = {}};
  for (const RoundTraffic& r : rounds) {
    const auto at = static_cast<double>(r.round);
    for (const double x : {at + 0.5, at + 1.5}) {  // a step as wide as its round, which people count from 1
      chart.series[0].points.emplace_back(x, static_cast<double>(r.busiest));
      chart.series[1].points.emplace_back(x, static_cast<double>(r.largest));
    }
  }
  return chart;
}

formats::CellMap winners_map(const SweepAnswer& sweep) {
  const Spec& first = sweep.points.front();
  formats::CellMap map{
      .title = fmt::format("{}, machine {}: who is the fastest", to_string(first.collective), sweep.machine.name),
      .subtitle = fmt::format("by {}; below the letter: times as long the second best algorithm takes",
                              sweep.simulated ? "simulation" : "price"),
      .x = "block size",
      .columns = {},
      .rows = {},
      .kinds = {}};
  std::vector<Bytes> sizes;
  for (const Spec& point : sweep.points) sizes.push_back(point.bytes);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  if (sizes.size() > 200 || sweep.points.size() > 20'000)
    throw Error(Error::Kind::argument,
                fmt::format("plot --what winners: {} sizes and {} points; at most 200 and 20 000 "
                            "can be drawn",
                            sizes.size(), sweep.points.size()));
  for (const Bytes size : sizes) map.columns.push_back(base::format_bytes(size));
  for (const SweepPoint& point : points_of(sweep.rows)) {
    const SweepRow& row = *point.rows.front();
    if (map.rows.empty() || map.rows.back().name != row.topology)
      map.rows.push_back({row.topology, std::vector<std::optional<formats::CellMap::Cell>>(sizes.size())});
    if (point.best == nullptr) continue;
    const auto kind = std::find(map.kinds.begin(), map.kinds.end(), point.best->algorithm) - map.kinds.begin();
    if (kind == std::ssize(map.kinds)) map.kinds.push_back(point.best->algorithm);
    const auto column = std::lower_bound(sizes.begin(), sizes.end(), row.bytes) - sizes.begin();
    map.rows.back().cells[static_cast<std::size_t>(column)] = {
        static_cast<std::size_t>(kind),
        point.runner_up == nullptr ? "-" : base::format_ratio(*point.loss(point.runner_up->algorithm))};
  }
  return map;
}

}  // namespace quadrille::cli
