#include "papers/nicol_bokhari.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "quadrille/price.hpp"

namespace quadrille::papers {

namespace nicol_bokhari {

const std::vector<Measured>& measured() {
  static const std::vector<Measured> all{{5, 2, 14, 100, {{5}, {2, 3}, {1, 2, 2}, standard(5)}},
                                         {6, 3, 30, 140, {{6}, {3, 3}, {2, 2, 2}, standard(6)}}};
  return all;
}

Partition direct(int d) { return {d}; }
Partition standard(int d) { return Partition(static_cast<std::size_t>(d), 1); }

MultiphaseModel model(const Machine& machine, const Reading& reading, int d) {
  Machine read = machine;
  read.circuit = reading.circuit;
  return multiphase_model(read, d, reading.charge_identity);
}

std::string phases_text(const Partition& phases) { return "(" + base::join(phases, ",") + ")"; }
std::string bytes_text(double bytes) { return fmt::format("{:.{}f} B", bytes, bytes < 9.995 ? 2 : 1); }
std::string ms_text(Seconds time) { return fmt::format("{:.3f} ms", time * 1e3); }

namespace {

using Cell = Reproduction::Cell;
using Table = Reproduction::Table;

constexpr double last_bytes = 400;    // the figures end here
constexpr Bytes counted_bytes = 100;  // where schedules are counted
constexpr std::array<Bytes, 9> sizes{1, 16, 32, 64, 100, 140, 200, 300, 400};

Cell time_cell(Seconds time) { return {fmt::format("{:.3f}", time * 1e3), time}; }
Cell bytes_cell(double bytes) {
  if (bytes < 0.1) return {fmt::format("{:.2g}", bytes), bytes};
  return {fmt::format("{:.{}f}", bytes, bytes < 9.995 ? 2 : 1), bytes};
}
Cell count_cell(std::int64_t n) { return {base::format_count(n), static_cast<double>(n)}; }
Cell text_cell(std::string text) { return {std::move(text)}; }

std::string figure_key(const Measured& m) { return fmt::format("figure_{}", m.figure); }

Table figure_table(const Machine& machine, const Measured& m) {
  const MultiphaseModel at = model(machine, readings[0], m.dimension);
  Table table{.key = figure_key(m),
              .title = fmt::format("Figure {}: time in ms against block size, {} nodes (d = {})", m.figure,
                                   1 << m.dimension, m.dimension),
              .columns = {{"block_bytes", "block, B", true}},
              .rows = {}};
  for (const Partition& p : m.partitions) table.columns.push_back({phases_text(p) + "_s", phases_text(p), true});
  table.columns.push_back({"best", "best of all partitions"});
  for (const Bytes bytes : sizes) {
    std::vector<Cell> row{count_cell(bytes)};
    for (const Partition& p : m.partitions)
      row.push_back(time_cell(partition_line(at, p).at(static_cast<double>(bytes))));
    const AllBest best = best_partitions(at, bytes);
    std::string names;
    for (const Partition& p : best.phases) names += (names.empty() ? "" : " ") + phases_text(p);
    row.push_back(text_cell(names));
    table.rows.push_back(std::move(row));
  }
  return table;
}

formats::Chart::Series series(const std::string& name, const TimeLine& line, double from, double to) {
  return {name, {{from, line.at(from) * 1e3}, {to, line.at(to) * 1e3}}, false};
}

formats::Chart chart(const Machine& machine, const Measured& m) {
  const int d = m.dimension;
  const MultiphaseModel at = model(machine, readings[0], d);
  formats::Chart chart;
  chart.title = fmt::format("Complete exchange on {} nodes (d = {}), {}", 1 << d, d, machine.name);
  chart.subtitle = "Predicted time by phases of the exchange; the pale band follows the best";
  chart.x = {"block size, bytes", formats::Chart::Scale::linear, 0.0, last_bytes};
  chart.y = {"time, ms", formats::Chart::Scale::linear, 0.0, m.largest_ms};
  const std::vector<ThresholdTable::Entry> best = threshold_table(at).entries;
  formats::Chart::Series band{"", {}, true};
  for (std::size_t i = 0; i < best.size() && best[i].from < last_bytes; ++i) {
    const double to = i + 1 < best.size() ? std::min(best[i + 1].from, last_bytes) : last_bytes;
    for (const auto& point : series("", best[i].line, best[i].from, to).points) band.points.push_back(point);
  }
  chart.series.push_back(band);
  for (const Partition& p : m.partitions) {
    const std::string name = phases_text(p) + (p == direct(d) ? " direct" : p == standard(d) ? " standard" : "");
    chart.series.push_back(series(name, partition_line(at, p), 0, last_bytes));
  }
  for (std::size_t i = 1; i < best.size(); ++i)
    chart.markers.push_back({best[i].from, bytes_text(best[i].from) + (i + 1 < best.size() ? "" : ": model")});
  const ThresholdTable exact = threshold_table(model(machine, readings[1], d));
  chart.markers.push_back({exact.entries.back().from, bytes_text(exact.entries.back().from) + ": circuits by the hop"});
  chart.markers.push_back({m.threshold_bytes, fmt::format("~{:g} B: measured (paper)", m.threshold_bytes)});
  return chart;
}

/// The curves of a figure as lines, and the price of their schedules counted message by message. Clears `consistent`
/// when a count differs from the closed form.
Table curve_table(const Machine& machine, const Measured& m, bool& consistent) {
  const Spec spec{.collective = Collective::alltoall,
                  .topology = parse_topology(fmt::format("hypercube:{}", m.dimension)),
                  .bytes = counted_bytes};
  const MultiphaseModel at = model(machine, readings[0], m.dimension);
  Table table{
      .key = fmt::format("curves_{}", m.dimension),
      .title = fmt::format("The same curves (d = {}): as lines, and as schedules counted message by message at {} B",
                           m.dimension, counted_bytes),
      .columns = {{"phases", "phases"},
                  {"intercept_s", "at 0 B, ms", true},
                  {"slope_s_per_byte", "per B, ms", true},
                  {"rounds", "rounds", true},
                  {"wire_bytes", "on the wire, B", true},
                  {"permuted_bytes", "permuted, B", true},
                  {"barriers", "barriers", true},
                  {"contention", "per link", true},
                  {"counted_s", "counted, ms", true},
                  {"formula_s", "formula, ms", true},
                  {"equal", "equal"}},
      .rows = {}};
  for (const Partition& p : m.partitions) {
    const TimeLine line = partition_line(at, p);
    const Built built = build(spec, machine, {&find_algorithm("alltoall_mce"), Params{{"phases", p}}});
    const Traffic traffic = count(spec, machine, *built.schedule);
    const Seconds counted = seconds(traffic.cost, machine, *spec.topology), formula = line.at(counted_bytes);
    const bool equal = traffic.cost == built.formula && std::fabs(counted - formula) <= 1e-12 * formula;
    consistent = consistent && equal;
    table.rows.push_back({text_cell(phases_text(p)),
                          time_cell(line.intercept),
                          {fmt::format("{:.6f}", line.slope * 1e3), line.slope},
                          count_cell(traffic.cost.startups),
                          count_cell(traffic.cost.bytes),
                          count_cell(traffic.cost.permuted),
                          count_cell(traffic.cost.barriers),
                          count_cell(traffic.contention),
                          time_cell(counted),
                          time_cell(formula),
                          text_cell(equal ? "yes" : "NO")});
  }
  return table;
}

/// Where `next` takes over from `before`, if it does.
std::optional<double> threshold(const ThresholdTable& table, const Partition& before, const Partition& next) {
  for (std::size_t i = 1; i < table.entries.size(); ++i)
    if (table.entries[i - 1].phases == before && table.entries[i].phases == next) return table.entries[i].from;
  return std::nullopt;
}

Table threshold_rows(const Machine& machine) {
  Table table{.key = "thresholds",
              .title = "Block size from which the second partition is best, B",
              .columns = {{"nodes", "nodes", true}, {"from", "from"}, {"to", "to"}},
              .rows = {}};
  for (const Reading& r : readings) table.columns.push_back({std::string(r.key) + "_bytes", r.name, true});
  table.columns.push_back({"paper_bytes", "paper (measured)", true});
  for (const Measured& m : measured()) {
    const std::vector<ThresholdTable::Entry> steps = threshold_table(model(machine, readings[0], m.dimension)).entries;
    for (std::size_t i = 1; i < steps.size(); ++i) {
      const Partition &before = steps[i - 1].phases, &next = steps[i].phases;
      std::vector<Cell> row{count_cell(1 << m.dimension), text_cell(phases_text(before)), text_cell(phases_text(next))};
      for (const Reading& r : readings) {
        const auto from = threshold(threshold_table(model(machine, r, m.dimension)), before, next);
        row.push_back(from ? bytes_cell(*from) : text_cell("-"));
      }
      row.push_back(next == direct(m.dimension) ? Cell{fmt::format("~{:g}", m.threshold_bytes), m.threshold_bytes}
                                                : text_cell("-"));
      table.rows.push_back(std::move(row));
    }
  }
  return table;
}

Table cube_table(const Machine& machine) {
  Table table{.key = "cubes",
              .title = fmt::format("Best phases on cubes of 2 to 10 dimensions ({})", readings[0].name),
              .columns = {{"dimension", "d", true},
                          {"nodes", "nodes", true},
                          {"phases", "phases"},
                          {"from_bytes", "best from, B", true},
                          {"to_bytes", "to, B", true}},
              .rows = {}};
  for (int d = 2; d <= 10; ++d) {
    const std::vector<ThresholdTable::Entry> steps = threshold_table(model(machine, readings[0], d)).entries;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const bool last = i + 1 == steps.size();
      const auto once = [&](const Cell& cell) { return i == 0 ? cell : Cell{"", cell.value}; };
      table.rows.push_back({once(count_cell(d)), once(count_cell(1 << d)), text_cell(phases_text(steps[i].phases)),
                            bytes_cell(steps[i].from), last ? text_cell("any") : bytes_cell(steps[i + 1].from)});
    }
  }
  return table;
}

}  // namespace

}  // namespace nicol_bokhari

Reproduction reproduce_nicol_bokhari() {
  using namespace nicol_bokhari;
  Reproduction out;
  out.name = "nicol-bokhari";
  out.title = "Optimal multiphase complete exchange on circuit-switched hypercubes";
  out.source = "D. M. Nicol, S. H. Bokhari, SIGMETRICS 1994, section 4, figures 2 and 3";
  out.machine = load_machine("ipsc860");
  out.open = "The paper leaves two things open; three readings of it:";
  out.counted = "Counted message by message, the schedules";
  for (const Reading& r : readings) out.readings.push_back({r.key, r.name, r.meaning});
  for (const Measured& m : measured()) {
    out.tables.push_back(figure_table(out.machine, m));
    out.tables.push_back(curve_table(out.machine, m, out.consistent));
    out.figures.push_back({fmt::format("nicol-bokhari-d{}.svg", m.dimension), chart(out.machine, m)});
  }
  out.tables.push_back(threshold_rows(out.machine));
  out.tables.push_back(cube_table(out.machine));
  out.claims = claims(out.machine);
  return out;
}

}  // namespace quadrille::papers
