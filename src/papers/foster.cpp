#include "papers/foster.hpp"

#include <fmt/format.h>

#include <cmath>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "papers/foster_tables.hpp"

namespace quadrille::papers {

namespace foster {

namespace {

using Cell = Reproduction::Cell;
using Table = Reproduction::Table;

constexpr std::array<Rank, 6> rank_counts{2, 4, 8, 16, 32, 64};

Cell ms_cell(Seconds time) { return {fmt::format("{:.1f}", time * 1e3), time}; }
Cell ratio_cell(double x) { return {fmt::format("{:.2f}", x), x}; }

/// Clears `consistent` when a counted time differs from its closed form.
double same(double counted, double formula, bool& consistent) {
  consistent = consistent && std::fabs(counted - formula) <= 1e-12 * formula;
  return counted;
}

Table difference_table(const Constants& c, bool& consistent) {
  const Difference d;
  Table table{.key = "difference",
              .title =
                  "Finite difference, 512 x 512 x 5 points: communication of a rank in ms, two exchanges of 5120 "
                  "words, counted on the wires",
              .columns = {{"ranks", "ranks", true},
                          {"ideal_s", "S = 1", true},
                          {"bus_half_bus_s", "bus: half a bus", true},
                          {"bus_messages_s", "bus: messages", true},
                          {"bus_occupied_s", "bus busy", true},
                          {"ring_s", "ring", true}},
              .rows = {}};
  for (const Rank p : rank_counts) {
    const TopologyPtr bus = network("bus", p), ring = network("ring", p), crossbar = network("crossbar", p);
    const std::vector<Pattern> rounds = exchanges(p);
    const auto time = [&](const TopologyPtr& t, const Counting& counting) {
      return rounds_time(*t, rounds, d.words(), c, counting);
    };
    const double messages = time(bus, {});
    table.rows.push_back({count_cell(p), ms_cell(same(time(crossbar, {}), d.ideal(c), consistent)),
                          ms_cell(same(time(bus, {.half_bus = true}), d.bus(p, c), consistent)),
                          ms_cell(same(messages, 2 * c.t_s + d.occupancy(p, c), consistent)),
                          ms_cell(d.occupancy(p, c)), ms_cell(same(time(ring, {}), d.ideal(c), consistent))});
  }
  return table;
}

Table butterfly_table(const Constants& c, bool& consistent) {
  const Butterfly b;
  Table table{
      .key = "butterfly",
      .title = "Butterfly over 65 536 words: communication of a rank in ms, log2 P exchanges, counted on the wires",
      .columns = {{"ranks", "ranks", true},
                  {"ideal_s", "S = 1", true},
                  {"bus_half_bus_s", "bus: half a bus", true},
                  {"bus_messages_s", "bus: messages", true},
                  {"mesh1_bound_s", "line: the book's bound", true},
                  {"mesh1_dependent_s", "with dependence", true},
                  {"mesh1_rounds_s", "line: round by round", true},
                  {"mesh2_rounds_s", "square", true}},
      .rows = {}};
  for (const Rank p : rank_counts) {
    const std::vector<Pattern> rounds = butterflies(p);
    const auto time = [&](const char* kind, const Counting& counting) {
      return rounds_time(*network(kind, p), rounds, b.words(p), c, counting);
    };
    const bool square = base::log2_floor(p) % 2 == 0;
    table.rows.push_back({count_cell(p), ms_cell(same(time("hypercube", {}), b.ideal(p, c), consistent)),
                          ms_cell(same(time("bus", {.half_bus = true}), b.bus(p, c), consistent)),
                          ms_cell(time("bus", {})), ms_cell(b.mesh_bound(p, c)), ms_cell(b.mesh_dependent(p, c)),
                          ms_cell(same(time("mesh1", {}), b.mesh_rounds(p, c), consistent)),
                          square ? ms_cell(time("mesh2", {})) : Cell{"-"}});
  }
  return table;
}

/// The speed-up of the finite difference problem for times per point that the book does not give.
Table speed_up_table(const Constants& c) {
  const Difference d;
  Table table{.key = "speed_up",
              .title = "Finite difference on a bus: where the speed-up peaks, for assumed times t_c per point",
              .columns = {{"t_c_s", "t_c, us (assumed)", true},
                          {"peak_formula", "sqrt(t_c N / (2 t_w))", true},
                          {"peak_ranks", "best even P", true},
                          {"speed_up", "speed-up", true},
                          {"ideal_speed_up", "with S = 1", true}},
              .rows = {}};
  for (const double t_c : {1e-6, 1e-5, 1e-4}) {
    Rank best = 2;
    const auto gain = [&](Rank p) { return d.speed_up(p, t_c, d.bus(p, c)); };
    for (Rank p = 2; p <= 512; p += 2)
      if (gain(p) > gain(best)) best = p;
    table.rows.push_back({{fmt::format("{:g}", t_c * 1e6), t_c},
                          ratio_cell(d.best_ranks(t_c, c)),
                          count_cell(best),
                          ratio_cell(gain(best)),
                          ratio_cell(d.speed_up(best, t_c, d.ideal(c)))});
  }
  return table;
}

formats::Chart chart_of(std::string title, std::string subtitle, double low, double high) {
  formats::Chart chart;
  chart.title = std::move(title), chart.subtitle = std::move(subtitle);
  chart.x = {"ranks", formats::Chart::Scale::log2, 2.0, 64.0};
  chart.y = {"communication of a rank, ms", formats::Chart::Scale::log10, low, high};
  return chart;
}

template <class Time>
formats::Chart::Series line(std::string name, const Time& time) {
  formats::Chart::Series series{std::move(name), {}, false};
  for (const Rank p : rank_counts) series.points.emplace_back(static_cast<double>(p), time(p) * 1e3);
  return series;
}

formats::Chart difference_chart(const Constants& c) {
  const Difference d;
  formats::Chart chart =
      chart_of("Finite difference on a bus", "512 x 512 x 5 points; Ethernet constants recalled, unverified", 30, 5000);
  chart.series = {line("S = 1", [&](Rank) { return d.ideal(c); }),
                  line("half a bus (book)", [&](Rank p) { return d.bus(p, c); }),
                  line("all messages", [&](Rank p) { return 2 * c.t_s + d.occupancy(p, c); })};
  return chart;
}

formats::Chart butterfly_chart(const Constants& c) {
  const Butterfly b;
  formats::Chart chart = chart_of("Butterfly over 65 536 words", "Ethernet constants recalled, unverified", 30, 3000);
  const auto all = [&](Rank p) { return std::log2(static_cast<double>(p)) * (c.t_s + c.t_w * b.n); };
  chart.series = {line("S = 1", [&](Rank p) { return b.ideal(p, c); }),
                  line("bus: half a bus (book)", [&](Rank p) { return b.bus(p, c); }), line("bus: all messages", all),
                  line("line: bound (book)", [&](Rank p) { return b.mesh_bound(p, c); }),
                  line("line: round by round", [&](Rank p) { return b.mesh_rounds(p, c); })};
  return chart;
}

formats::Chart speed_up_chart(const Constants& c) {
  const Difference d;
  constexpr double t_c = 1e-5;
  formats::Chart chart;
  chart.title = "Finite difference: speed-up";
  chart.subtitle = "10 us a point, assumed: the book gives none; Ethernet constants recalled, unverified";
  chart.x = {"ranks", formats::Chart::Scale::linear, 1.0, 64.0};
  chart.y = {"speed-up", formats::Chart::Scale::linear, 0.0, 64.0};
  formats::Chart::Series ideal{"S = 1", {}, false}, half{"bus: half a bus", {}, false},
      all{"bus: all messages", {}, false};
  for (Rank p = 2; p <= 64; p += 2) {
    const auto x = static_cast<double>(p);
    ideal.points.emplace_back(x, d.speed_up(p, t_c, d.ideal(c)));
    half.points.emplace_back(x, d.speed_up(p, t_c, d.bus(p, c)));
    all.points.emplace_back(x, d.speed_up(p, t_c, 2 * c.t_s + d.occupancy(p, c)));
  }
  chart.series = {ideal, half, all};
  chart.markers.push_back(
      {d.best_ranks(t_c, c), fmt::format("{:.1f} ranks: the bus at its best", d.best_ranks(t_c, c))});
  return chart;
}

}  // namespace

}  // namespace foster

Reproduction reproduce_foster() {
  using namespace foster;
  Reproduction out;
  out.name = "foster";
  out.title = "Refined communication cost: messages that compete for wires";
  out.source = "I. Foster, Designing and Building Parallel Programs, 1995, section 3.7";
  out.machine = load_machine("ethernet");
  out.open =
      "Formulas and constants are missing from the text at hand: the formulas are derived again, the constants "
      "recalled. "
      "The book counts competing messages in two ways; three readings:";
  out.counted = "Counted on the wires message by message, the rounds";
  for (const Reading& r : readings) out.readings.push_back({r.key, r.name, r.meaning});
  const Constants c = constants(out.machine);
  out.tables = network_tables();
  out.tables.push_back(difference_table(c, out.consistent));
  out.tables.push_back(speed_up_table(c));
  out.tables.push_back(butterfly_table(c, out.consistent));
  out.tables.push_back(machine_table());
  out.figures = {{"foster-difference.svg", difference_chart(c)},
                 {"foster-speed-up.svg", speed_up_chart(c)},
                 {"foster-butterfly.svg", butterfly_chart(c)}};
  out.claims = claims(out.machine);
  return out;
}

}  // namespace quadrille::papers
