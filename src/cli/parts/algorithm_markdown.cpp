// The catalogue docs/reference/algorithms.md, from the registry alone.
#include <algorithm>

#include "base/text.hpp"
#include "cli/parts/algorithm_formula.hpp"
#include "cli/parts/algorithm_overview.hpp"
#include "console/words.hpp"

namespace quadrille::cli {

namespace {

constexpr Bytes large = Bytes{64} << 20;  ///< start-ups no longer matter
constexpr double met = 1.02;

/// Where an algorithm comes nearest to the bound, and everywhere it runs.
struct MarkdownRow {
  const Algorithm* algorithm;
  std::vector<std::string> families;
  const OverviewCell* cell = nullptr;
  Candidate best = {};
};

/// Whether it runs there, but a plan did not even price it, because another one is faster than it can be.
bool left_out(const OverviewCell& cell, const Algorithm& a) {
  return std::any_of(cell.plan.refused.begin(), cell.plan.refused.end(), [&](const Refusal& r) {
    return r.algorithm->name == a.name && r.reason.starts_with("takes at least");
  });
}

/// `mark` says what is special about the machine that the overview is of.
MarkdownRow row_of(const Algorithm& a, const Overview& overview, std::string_view mark = "") {
  MarkdownRow row{&a, {}};
  for (const OverviewCell& cell : overview.cells) {
    const auto found = std::find_if(cell.plan.candidates.begin(), cell.plan.candidates.end(),
                                    [&](const Candidate& c) { return c.algorithm->name == a.name; });
    const bool priced = found != cell.plan.candidates.end();
    if (priced || left_out(cell, a)) row.families.push_back(cell.family + (cell.circuits ? "*" : std::string(mark)));
    if (!priced) continue;
    const auto gap = [](const OverviewCell& at, const Candidate& c) { return c.time / at.plan.bound.time; };
    if (row.cell == nullptr || gap(cell, *found) < gap(*row.cell, row.best)) row.cell = &cell, row.best = *found;
  }
  return row;
}

/// Algorithms that are priced on no network of the overview.
std::vector<Algorithm> priced_nowhere(const Overview& overview) {
  std::vector<Algorithm> all;
  for (const Algorithm& a : algorithms())
    if (row_of(a, overview).cell == nullptr) all.push_back(a);
  return all;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) out += c == '|' ? std::string("\\|") : std::string(1, c);
  return out;
}

/// "P - 1 start-ups, (P - 1) m bytes: ring".
std::string formula_text(const Algorithm& a) {
  const ClosedForm& form = a.closed_form;
  if (form.startups.empty()) return std::string(form.where.text);
  const std::string further = form.further.empty() ? ""
                              : form.further == ClosedForm::counted
                                  ? ", further messages counted"
                                  : fmt::format(", `{}` further messages", form.further);
  return fmt::format("`{}` start-up{}, `{}` bytes{}: {}", form.startups, form.startups == "1" ? "" : "s", form.bytes,
                     further, form.where.text);
}

void print_row(const MarkdownRow& row, console::Context& context) {
  const Algorithm& a = *row.algorithm;
  const std::string name = fmt::format("[`{}`](../../{})", a.name, a.file);
  if (row.cell == nullptr)
    return context.print("| {} | {} | larger or other networks, see `quadrille algorithm {}` | {} | | | | {} |\n", name,
                         escaped(a.summary), a.name, escaped(formula_text(a)), escaped(a.source));
  context.print("| {} | {} | {} | {} | {}: {}, {} B | {} | {} | {} |\n", name, escaped(a.summary),
                base::join(row.families, ", "), escaped(formula_text(a)), row.cell->plan.spec.topology->text(),
                console::some(row.best.cost.startups, "start-up"), base::format_count(row.best.cost.bytes),
                row.best.exact ? "exact" : "estimate", base::format_ratio(row.best.time / row.cell->plan.bound.time),
                escaped(a.source));
}

/// What the best algorithm for large blocks says of the bound here, or that it does not meet it and nothing is known.
std::string remark(const Plan& at_large, std::string_view family) {
  for (const Literature& known : at_large.best().algorithm->literature)
    if (std::find(known.families.begin(), known.families.end(), family) != known.families.end())
      return fmt::format("; {}", known.says);
  return at_large.gap() > met ? "; open" : "";
}

void print_limits(Collective collective, const Overview& small, const Overview& big, console::Context& context) {
  context.print("\nThe best, and how far it and the best for blocks of {} stay above the bound:\n\n",
                base::format_bytes(large));
  for (std::size_t i = 0; i < small.cells.size(); ++i) {
    const OverviewCell& cell = small.cells[i];
    if (cell.plan.spec.collective != collective || !cell.plan.possible()) continue;
    const Plan& at_large = big.cells[i].plan;
    context.print("- {}: `{}`, {} times the bound ({}); large: `{}`, {}{}{}\n", cell.plan.spec.topology->text(),
                  cell.plan.best().algorithm->name, base::format_ratio(cell.plan.gap()), cell.plan.bound.binding,
                  at_large.best().algorithm->name, base::format_ratio(at_large.gap()),
                  cell.circuits ? ", with circuits" : "", remark(at_large, cell.family));
  }
}

}  // namespace

void print_markdown(const Overview& overview, const Machine& machine, Bytes bytes, console::Context& context) {
  const Overview big = cli::overview(machine, large);
  Machine circuits = machine, half = machine;
  circuits.switching = Switching::circuit;
  half.duplex = Duplex::half;
  const std::vector<Algorithm> others = priced_nowhere(overview);
  const PlanOptions asked{.proof = 0, .algorithms = &others};  // a proof leaves out what may stop on circuits
  const Overview past = cli::overview(circuits, bytes, asked), turns = cli::overview(half, bytes, asked);
  context.print(
      "# Algorithms\n\nGenerated by `tools/reference`. {} algorithms; "
      "priced on "
      "64 ranks with blocks of {} on machine `{}` ({}), each where it comes nearest to the lower bound. A star: "
      "with `--set switching=circuit`. Exact: the closed form equals the price counted message by message. On a "
      "crossbar all ports are P-1 wires at every rank; a "
      "switch has one port, and its figures are those of omega. What closes a gap is named after it, by the names "
      "in docs/bibliography.bib; \"open\" where we know of nothing. A source that begins with \"extra\" names what an "
      "algorithm of our own is made from.\n\nIn closed forms: {}. They are those of "
      "`Algorithm::cost` for the case named; a price takes alpha for a start-up and beta for a byte.\n",
      algorithms().size(), base::format_bytes(bytes), machine.name, machine.description, closed_form_letters());
  for (const Collective c : collectives()) {
    context.print("\n## {}\n\n{}\n\n", to_string(c), describe(c));
    context.print(
        "| algorithm | what it does | networks | closed form, where it is short | cost | price | over bound | source "
        "|\n"
        "| --- | --- | --- | --- | --- | --- | ---: | --- |\n");
    for (const Algorithm& a : algorithms())
      if (a.collective == c) {
        MarkdownRow row = row_of(a, overview);
        if (row.cell == nullptr) row = row_of(a, past, "*");
        if (row.cell == nullptr) row = row_of(a, turns, " (half duplex)");
        print_row(row, context);
      }
    print_limits(c, overview, big, context);
  }
}

}  // namespace quadrille::cli
