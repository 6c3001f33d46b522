// Halves of the message down two trees on a torus, the root's row and column at last: when the half that the row itself
// carried has left it, the other half follows along it. So every link of the root carries the whole message, and the
// time tends to that of the whole message on one link. [Saad & Schultz 1986, eq. (3.19), says half of it: E-01 in
// docs/reference/errata.md]
#include "algorithm/bcast/shared/halves.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_catchup {

namespace {

/// On the row and the column a packet of the late half comes `packets` rounds later than it would otherwise.
std::vector<pattern::Tree> late_trees(const Spec& spec, std::int64_t packets) {
  const auto view = std::make_shared<const pattern::GridView>(spec);
  std::vector<pattern::Tree> trees;
  for (const int part : {0, 1}) {
    pattern::Tree tree = bcast::half_tree(spec, part);
    tree.level = [=](Rank r) { return view->distance(r) + (bcast::unserved(*view, part, r) ? packets : 0); };
    tree.depth = std::max(tree.depth, packets + view->reach(1 - part));
    trees.push_back(std::move(tree));
  }
  return trees;
}

SchedulePtr build_catchup(const Spec& spec, const Machine&, const Params& params) {
  const std::int64_t packets = kit::packets_of(params);
  return pattern::forest_schedule(spec, late_trees(spec, packets), packets);
}

constexpr bcast::Repair repair{.window =
                                   [](std::int64_t packets, Rank reach) {
                                     return kit::Window{packets + 1, packets + reach};
                                   },
                               .rounds_per_packet = 2,
                               .build = build_catchup,
                               .trees = late_trees,
                               .besides = nullptr};

}  // namespace

Algorithm describe() {
  return bcast::in_halves<repair>(
      {.name = "bcast_catchup",
       .summary = "halves down two trees of a torus; the root's row and column catch up at the end",
       .source = "Saad & Schultz 1986, sec. 3.2(D), eq. (3.19) corrected",
       .closed_form = {.startups = "max(nu - 1 + V + H, 2 nu - 1 + max(V, H))",
                       .bytes = "max(nu - 1 + V + H, 2 nu - 1 + max(V, H)) m/(2 nu)",
                       .further = ClosedForm::counted,
                       .where = "torus, 2 nu divides m"}});
}

}  // namespace quadrille::algorithm::bcast_catchup
