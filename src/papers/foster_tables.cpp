#include "papers/foster_tables.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/integer.hpp"
#include "base/text.hpp"

namespace quadrille::papers::foster {

namespace {

using Cell = Reproduction::Cell;
using Table = Reproduction::Table;

Table sizes_table() {
  Table table{.key = "networks",
              .title = "Networks of 64 ranks",
              .columns = {{"network", "network"},
                          {"ranks", "ranks", true},
                          {"wires", "directed wires", true},
                          {"degree", "degree", true},
                          {"diameter", "diameter", true},
                          {"bisection", "bisection", true},
                          {"formula", "directed wires in general"}},
              .rows = {}};
  const std::vector<std::pair<const char*, const char*>> kinds{{"crossbar", "P(P-1), and P^2 switches"},
                                                               {"bus", "1 for all"},
                                                               {"ethernet", "1 for all"},
                                                               {"mesh1", "2(P-1)"},
                                                               {"mesh2", "4 sqrt(P) (sqrt(P) - 1)"},
                                                               {"mesh3", "6 P^(2/3) (P^(1/3) - 1)"},
                                                               {"torus1", "2P"},
                                                               {"torus2", "4P, sides above 2"},
                                                               {"torus3", "6P, sides above 2"},
                                                               {"hypercube", "P log2 P"},
                                                               {"fly_k2", "P (log2 P + 1)"},
                                                               {"fly_k4", "P (log4 P + 1)"},
                                                               {"bifly_k2", "P (log2 P), two ways"}};
  for (const auto& [kind, formula] : kinds) {
    const TopologyPtr t = network(kind, 64);
    table.rows.push_back({{t->text()},
                          count_cell(t->ranks()),
                          count_cell(t->wires()),
                          count_cell(t->degree()),
                          count_cell(t->diameter()),
                          count_cell(t->bisection()),
                          {formula}});
  }
  return table;
}

/// S of every step, "1 2 4 8"; "-" where the family has no network of that size.
std::string steps_text(const std::string& kind, Rank ranks, const Counting& counting) {
  if (kind.ends_with("2") && !kind.ends_with("k2") && base::log2_floor(ranks) % 2 != 0) return "-";
  const TopologyPtr t = network(kind, ranks);
  std::vector<std::int64_t> all;
  for (const Pattern& round : butterflies(ranks)) all.push_back(competition(*t, round, counting));
  return base::join(all, " ");
}

Table butterfly_table() {
  constexpr std::array<Rank, 3> sizes{8, 16, 64};
  Table table{.key = "butterfly_s",
              .title = "S of every step of a butterfly: rank u exchanges with u xor 2^i, i = 0, 1, ...",
              .columns = {{"network", "network"}},
              .rows = {}};
  for (const Rank p : sizes) table.columns.push_back({fmt::format("s_{}", p), fmt::format("{} ranks", p)});
  const auto add = [&](const std::string& kind, const std::string& name, const Counting& counting) {
    std::vector<Cell> row{{name}};
    for (const Rank p : sizes) row.push_back({steps_text(kind, p, counting)});
    table.rows.push_back(std::move(row));
  };
  for (const auto& [kind, name] : {std::pair{"crossbar", "crossbar"},
                                   {"hypercube", "hypercube"},
                                   {"fly_k2", "2-ary fly"},
                                   {"bifly_k2", "2-ary fly, two ways"},
                                   {"omega", "Omega"},
                                   {"mesh1", "1-D mesh"},
                                   {"ring", "ring"},
                                   {"mesh2", "2-D mesh"},
                                   {"torus2", "2-D torus"}})
    add(kind, name, {});
  for (const Reading& r : readings) add("bus", fmt::format("bus: {}", r.name), r.counting);
  return table;
}

Table permutation_table() {
  constexpr std::array<Rank, 2> sizes{16, 64};
  Table table{.key = "permutations",
              .title = "S of permutations; a rank mapped to itself sends nothing",
              .columns = {{"network", "network"}},
              .rows = {}};
  for (const Rank p : sizes) {
    table.columns.push_back({fmt::format("bit_reversal_{}", p), fmt::format("bit reversal, {}", p), true});
    table.columns.push_back({fmt::format("transpose_{}", p), fmt::format("transpose, {}", p), true});
  }
  for (const auto& [kind, name] : {std::pair{"crossbar", "crossbar"},
                                   {"hypercube", "hypercube"},
                                   {"fly_k2", "2-ary fly"},
                                   {"omega", "Omega"},
                                   {"mesh2", "2-D mesh"},
                                   {"torus2", "2-D torus"},
                                   {"bus", "bus"}}) {
    std::vector<Cell> row{{name}};
    for (const Rank p : sizes)
      for (const Pattern& pattern : {bit_reversal(p), transpose(p)})
        row.push_back(count_cell(competition(*network(kind, p), pattern)));
    table.rows.push_back(std::move(row));
  }
  return table;
}

Table shift_table() {
  Table table{.key = "shifts",
              .title = "S of the finite difference problem's messages, 16 ranks in a circle",
              .columns = {{"network", "network"},
                          {"exchange", "exchanges in pairs", true},
                          {"shift", "one shift", true},
                          {"both_shifts", "both shifts at once", true},
                          {"both_senders", "both, by senders", true}},
              .rows = {}};
  constexpr Rank p = 16;
  const Pattern up = shift(p, 1), down = shift(p, -1), both = together(up, down);
  for (const char* kind : {"crossbar", "hypercube", "ring", "mesh1", "mesh2", "torus2", "bus"}) {
    const TopologyPtr t = network(kind, p);
    std::int64_t pairs = 1;
    for (const Pattern& round : exchanges(p)) pairs = std::max(pairs, competition(*t, round));
    table.rows.push_back({{t->text()},
                          count_cell(pairs),
                          count_cell(std::max(competition(*t, up), competition(*t, down))),
                          count_cell(competition(*t, both)),
                          count_cell(competition(*t, both, {.who = Who::senders}))});
  }
  return table;
}

}  // namespace

std::vector<Table> network_tables() { return {sizes_table(), butterfly_table(), permutation_table(), shift_table()}; }

Table machine_table() {
  Table table{.key = "machines",
              .title = "Table 3.1 is lost from the text at hand: presets as recalled, not verified; times in us",
              .columns = {{"machine", "preset"},
                          {"t_s", "t_s", true},
                          {"t_w", "t_w a word", true},
                          {"honesty", "where from"},
                          {"description", "what it is"}},
              .rows = {}};
  for (const char* name : {"sp2", "delta", "paragon", "cs2", "ncube2", "cm5", "ethernet", "fddi", "ipsc860"}) {
    const Machine machine = load_machine(name);
    const Constants c = constants(machine);
    const auto alpha = std::find_if(machine.origins.begin(), machine.origins.end(),
                                    [](const Machine::Origin& o) { return o.key == "alpha"; });
    table.rows.push_back({{name},
                          {fmt::format("{:g}", c.t_s * 1e6), c.t_s},
                          {fmt::format("{:g}", c.t_w * 1e6), c.t_w},
                          {alpha == machine.origins.end() ? "" : std::string(to_string(alpha->honesty))},
                          {machine.description}});
  }
  return table;
}

}  // namespace quadrille::papers::foster
