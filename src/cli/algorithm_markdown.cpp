// The catalogue docs/algorithms.md, from the registry alone.
#include <algorithm>

#include "base/text.hpp"
#include "cli/algorithm_overview.hpp"
#include "cli/words.hpp"

namespace quadrille::cli {

namespace {

/// Who closes the gap between our best and the bound, or what else is known.
struct Closer {
  Collective collective;
  std::string_view family, literature;
};
constexpr Closer closers[] = {
    {Collective::bcast, "torus",
     "on full-duplex wires four arc-disjoint spanning trees of a depth near the diameter: Michallon, Trystram & "
     "Villard"},
    {Collective::bcast, "hypercube",
     "the n edge-disjoint trees of Johnsson & Ho reach the bound's volume, and pay n start-ups to fill them"},
    {Collective::bcast, "omega",
     "as few rounds as can be with so many packets: Bar-Noy, Kipnis & Schieber; Traeff & Ripke"},
    {Collective::scatter, "hypercube",
     "blocks that must not be cut: the spanning balanced n-tree (SBnT) of Johnsson & Ho"},
    {Collective::gather, "hypercube",
     "blocks that must not be cut: the spanning balanced n-tree (SBnT) of Johnsson & Ho"},
    {Collective::alltoall, "omega",
     "fewer rounds for more volume, by the radix of `alltoall_bruck`: Bruck, Ho, Kipnis, Upfal & Weathersby"},
};

/// Where an algorithm comes nearest to the bound, and everywhere it runs.
struct Row {
  const Algorithm* algorithm;
  std::vector<std::string> families;
  const OverviewCell* cell = nullptr;
  Candidate best = {};
};

Row row_of(const Algorithm& a, const Overview& overview) {
  Row row{&a, {}};
  for (const OverviewCell& cell : overview.cells) {
    const auto found = std::find_if(cell.plan.candidates.begin(), cell.plan.candidates.end(),
                                    [&](const Candidate& c) { return c.algorithm == &a; });
    if (found == cell.plan.candidates.end()) continue;
    row.families.push_back(cell.family + (cell.circuits ? "*" : ""));
    const auto gap = [](const OverviewCell& at, const Candidate& c) { return c.time / at.plan.bound.time; };
    if (row.cell == nullptr || gap(cell, *found) < gap(*row.cell, row.best)) row.cell = &cell, row.best = *found;
  }
  return row;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

void print_row(const Row& row, Context& context) {
  const Algorithm& a = *row.algorithm;
  if (row.cell == nullptr)
    return context.print("| `{}` | {} | larger or other networks, see `quadrille algorithm {}` | | | | {} |\n", a.name,
                         escaped(a.summary), a.name, escaped(a.source));
  context.print("| `{}` | {} | {} | {}: {}, {} B | {} | {} | {} |\n", a.name, escaped(a.summary),
                join(row.families, ", "), row.cell->plan.spec.topology->text(),
                some(row.best.cost.startups, "start-up"), format_count(row.best.cost.bytes),
                row.best.exact ? "exact" : "estimate", format_ratio(row.best.time / row.cell->plan.bound.time),
                escaped(a.source));
}

void print_limits(Collective collective, const Overview& overview, Context& context) {
  context.print("\nThe best, and how far it stays above the bound:\n\n");
  for (const OverviewCell& cell : overview.cells) {
    if (cell.plan.spec.collective != collective || !cell.plan.possible()) continue;
    const auto closer = std::find_if(std::begin(closers), std::end(closers), [&](const Closer& c) {
      return c.collective == collective && c.family == cell.family;
    });
    context.print("- {}: `{}`, {} times the bound ({}){}{}\n", cell.plan.spec.topology->text(),
                  cell.plan.best().algorithm->name, format_ratio(cell.plan.gap()), cell.plan.bound.binding,
                  cell.circuits ? ", with circuits" : "",
                  closer == std::end(closers) ? "" : fmt::format("; {}", closer->literature));
  }
}

}  // namespace

void print_markdown(const Overview& overview, const Machine& machine, Bytes bytes, Context& context) {
  context.print(
      "# Algorithms\n\nGenerated: `quadrille algorithm --markdown > docs/algorithms.md`. {} algorithms; priced on "
      "64 ranks with blocks of {} on machine `{}` ({}), each where it comes nearest to the lower bound. A star: "
      "with `--set switching=circuit`. Exact: the closed form equals the price counted message by message. On a "
      "crossbar all ports are P-1 wires at every rank; a "
      "switch has one port, and its figures are those of omega.\n",
      algorithms().size(), format_bytes(bytes), machine.name, machine.description);
  for (const Collective c : collectives()) {
    context.print("\n## {}\n\n{}\n\n", to_string(c), describe(c));
    context.print(
        "| algorithm | what it does | networks | cost | price | over bound | source |\n"
        "| --- | --- | --- | --- | --- | ---: | --- |\n");
    for (const Algorithm& a : algorithms())
      if (a.collective == c) print_row(row_of(a, overview), context);
    print_limits(c, overview, context);
  }
}

}  // namespace quadrille::cli
