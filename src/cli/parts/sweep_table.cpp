#include "cli/parts/sweep_table.hpp"

#include "base/text.hpp"
#include "console/table.hpp"
#include "console/words.hpp"

namespace quadrille::cli {

namespace {

std::string ratio_range(double least, double most) {
  const std::string from = base::format_ratio(least), to = base::format_ratio(most);
  return from == to ? from : from + " - " + to;
}

/// The algorithm with its parameters, or a word that they are not the same at every size.
std::string fixed_text(const SweepFixed& f) {
  if (!f.same_params) return f.algorithm + ", its parameters by size";
  return f.params.empty() ? f.algorithm : f.algorithm + ":" + f.params;
}

}  // namespace

void print_proofs(const std::vector<SweepRow>& rows, std::int64_t visits, console::Context& context) {
  const SweepProofs found = proofs_of(rows);
  if (found.undecided == 0)
    context.print("every best of a point is proven\n");
  else
    context.print(
        "{}\n", console::wrapped(fmt::format("{} of {} best of points are proven; the others take more than {} "
                                             "visits, and quadrille verify gives them more",
                                             found.proven, found.proven + found.undecided, base::format_count(visits)),
                                 0));
  for (const std::string& mistake : found.mistakes)
    console::print_line(context, "ERROR",
                        fmt::format("{}: {}. Please report this line", context.bad_news("internal error"), mistake));
}

void print_winners(const std::vector<SweepRow>& rows, console::Context& context) {
  console::Table table({{"on"},
                        {"from", console::Table::right},
                        {"to", console::Table::right},
                        {"best"},
                        {"best other"},
                        {"takes times", console::Table::right}});
  std::string before;
  for (const SweepWinner& w : winners(rows)) {
    const std::string best = w.params.empty() ? w.algorithm : w.algorithm + ":" + w.params;
    const bool alone = w.runner_up.empty();
    table.add({w.topology == before ? "" : w.topology, base::format_bytes(w.from), base::format_bytes(w.to), best,
               alone ? "-" : w.runner_up, alone ? "-" : ratio_range(w.least_lead, w.most_lead)});
    before = w.topology;
  }
  if (table.empty()) return context.print("no algorithm can run at any point\n");
  table.print(context);
  context.print("\none algorithm for all sizes: how many times as long as the best it takes\n");
  console::Table fixed(
      {{"on"}, {"algorithm"}, {"mean", console::Table::right}, {"at worst", console::Table::right}, {"where"}});
  for (const SweepFixed& f : best_fixed(rows))
    fixed.add({f.topology.empty() ? "all of them" : f.topology, fixed_text(f), base::format_ratio(f.mean),
               base::format_ratio(f.worst),
               base::format_bytes(f.worst_bytes) + (f.topology.empty() ? " on " + f.worst_topology : "")});
  fixed.print(context);
  context.print("\n");
}

}  // namespace quadrille::cli
