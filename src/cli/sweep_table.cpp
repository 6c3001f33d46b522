#include "cli/sweep_table.hpp"

#include "base/text.hpp"
#include "console/table.hpp"
#include "console/words.hpp"

namespace quadrille::cli {

namespace {

std::string ratio_range(double least, double most) {
  const std::string from = format_ratio(least), to = format_ratio(most);
  return from == to ? from : from + " - " + to;
}

/// The algorithm with its parameters, or a word that they are not the same at every size.
std::string fixed_text(const SweepFixed& f) {
  if (!f.same_params) return f.algorithm + ", its parameters by size";
  return f.params.empty() ? f.algorithm : f.algorithm + ":" + f.params;
}

}  // namespace

void print_proofs(const std::vector<SweepRow>& rows, std::int64_t visits, Context& context) {
  const SweepProofs found = proofs_of(rows);
  if (found.undecided == 0)
    context.print("every best of a point is proven\n");
  else
    context.print("{}\n", wrapped(fmt::format("{} of {} best of points are proven; the others take more than {} "
                                              "visits, and quadrille verify gives them more",
                                              found.proven, found.proven + found.undecided, format_count(visits)),
                                  0));
  for (const std::string& mistake : found.mistakes)
    print_line(context, "ERROR",
               fmt::format("{}: {}. Please report this line", context.bad_news("internal error"), mistake));
}

void print_winners(const std::vector<SweepRow>& rows, Context& context) {
  Table table(
      {{"on"}, {"from", Table::right}, {"to", Table::right}, {"best"}, {"best other"}, {"takes times", Table::right}});
  std::string before;
  for (const SweepWinner& w : winners(rows)) {
    const std::string best = w.params.empty() ? w.algorithm : w.algorithm + ":" + w.params;
    const bool alone = w.runner_up.empty();
    table.add({w.topology == before ? "" : w.topology, format_bytes(w.from), format_bytes(w.to), best,
               alone ? "-" : w.runner_up, alone ? "-" : ratio_range(w.least_lead, w.most_lead)});
    before = w.topology;
  }
  if (table.empty()) return context.print("no algorithm can run at any point\n");
  table.print(context);
  context.print("\none algorithm for all sizes: how many times as long as the best it takes\n");
  Table fixed({{"on"}, {"algorithm"}, {"mean", Table::right}, {"at worst", Table::right}, {"where"}});
  for (const SweepFixed& f : best_fixed(rows))
    fixed.add({f.topology.empty() ? "all of them" : f.topology, fixed_text(f), format_ratio(f.mean),
               format_ratio(f.worst),
               format_bytes(f.worst_bytes) + (f.topology.empty() ? " on " + f.worst_topology : "")});
  fixed.print(context);
  context.print("\n");
}

}  // namespace quadrille::cli
