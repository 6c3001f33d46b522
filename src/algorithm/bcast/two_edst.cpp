// Half of the message down each of two spanning trees of a square torus that share no wire, so that half-duplex wires
// carry both at once.
//
// Graph X has the wires along rows except one per row, which moves one column further from row to row, and those wires
// along columns which start in the ranks that lack it; graph Y has the rest. The trees are those of a search in
// breadth.
#include "algorithm/bcast/shared/two_edst.hpp"

#include <memory>
#include <mutex>

#include "algorithm/bcast/shared/halves.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_two_edst {

namespace {

constexpr Rank most_side = 2048;  // the trees are kept rank by rank

Rank side(const Spec& spec) { return kit::grid(spec)->sides()[0]; }

kit::Lengths depths(const Spec& spec) {
  const Rank depth = bcast::edst_depth(side(spec));
  return {depth, depth};
}

/// Found when they are first asked about: what only looks at the shape of a schedule need not wait for two searches.
std::vector<pattern::Tree> trees(const Spec& spec) {
  struct Found {
    std::once_flag once;
    std::vector<pattern::Tree> trees;
  };
  const auto found = std::make_shared<Found>();
  const auto tree = [found, side = side(spec), root = spec.root](std::size_t part) -> const pattern::Tree& {
    std::call_once(found->once, [&] { found->trees = bcast::edst_trees(side, root, bcast::edst_shift(side)); });
    return found->trees[part];
  };
  std::vector<pattern::Tree> both;
  for (const std::size_t part : {0U, 1U})
    both.push_back({.depth = bcast::edst_depth(side(spec)),
                    .fanout = 4,
                    .level = [=](Rank r) { return tree(part).level(r); },
                    .parent = [=](Rank r) { return tree(part).parent(r); },
                    .children = [=](Rank r) { return tree(part).children(r); },
                    .child = [=](Rank r, std::int64_t i) { return tree(part).child(r, i); }});
  return both;
}

std::function<std::int64_t(std::int64_t)> crowds(const Spec& spec, const Machine& machine) {
  return pattern::forest_crowds(spec, machine, "bcast_two_edst", false, trees, [=](std::int64_t packets) {
    return kit::equal_cost(depths(spec), spec.bytes, packets).startups;
  });
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = bcast::needs_plane(spec, machine); !reason.empty()) return reason;
  const Rank rows = side(spec), columns = kit::grid(spec)->sides()[1];
  if (rows != columns)
    return fmt::format("needs a square torus, and {} is none; nearest: torus:{}x{}", spec.topology->text(),
                       std::min(rows, columns), std::min(rows, columns));
  if (rows > most_side)
    return fmt::format("keeps its trees rank by rank, for sides of at most {}; try bcast_late", most_side);
  return kit::packets_illegal(params, spec.bytes, 2);
}

}  // namespace

Algorithm describe() {
  return bcast::down_two_trees<depths, trees, crowds>(
      {.name = "bcast_two_edst",
       .summary = "a half of the message down each of two spanning trees of a square torus that share no wire",
       .source = "extra: what Saad & Schultz 1986, eq. (3.19) claims, with trees that allow it",
       .closed_form = {.startups = "nu + 7 s/4 - 3",
                       .bytes = "(nu + 7 s/4 - 3) m/(2 nu)",
                       .further = ClosedForm::counted,
                       .where = "square torus, 4 divides s, 2 nu divides m"}},
      illegal);
}

}  // namespace quadrille::algorithm::bcast_two_edst
