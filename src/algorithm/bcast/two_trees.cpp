// Half of the message down each of two trees that share no directed link: on full-duplex wires both run at once. On a
// ring, or a cycle through all ranks of a mesh, the two ways round it; on a torus of two dimensions the two trees that
// follow one axis and then the other, except that the ranks of the root's row (and column) are served from the next row
// (column). [Saad & Schultz 1986, eq. (3.19), with full duplex]
#include "algorithm/bcast/shared/halves.hpp"
#include "algorithm/pattern/walk.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_two_trees {

namespace {

/// Whether the trees are the two ways round a cycle.
bool goes_round(const Spec& spec) {
  const auto* grid = kit::grid(spec);
  return pattern::is_cycle(spec) || (grid && !grid->wraps() && pattern::needs_ring(spec).empty());
}

pattern::Tree one_way_round(const Spec& spec, Rank direction) {
  const Rank p = spec.ranks();
  const schedule::Renaming cycle = pattern::ring_order(spec, spec.root);
  const auto position = [=](Rank r) { return base::wrap(direction * cycle.from(r), p); };
  const auto rank = [=](Rank i) { return cycle.to(base::wrap(direction * i, p)); };
  return {.depth = p - 1,
          .fanout = 1,
          .level = position,
          .parent = [=](Rank r) { return rank(position(r) - 1); },
          .children = [=](Rank r) { return Rank{position(r) != p - 1}; },
          .child = [=](Rank r, std::int64_t) { return rank(position(r) + 1); }};
}

/// half_tree() with every unserved rank a leaf below its neighbour up the axis that the part follows first.
pattern::Tree served_from_beside(const Spec& spec, int part) {
  const auto view = std::make_shared<const pattern::GridView>(spec);
  const auto served = [=](Rank r) { return !bcast::unserved(*view, part, r); };
  const pattern::Tree whole = bcast::half_tree(spec, part), base = bcast::pruned(whole, served);
  /// The unserved rank below this one; -1: none.
  const auto leaf = [=](Rank r) -> Rank {
    const Rank below = view->grid().neighbour(r, part, -1);
    return served(below) ? -1 : below;
  };
  pattern::Tree tree = base;
  tree.depth = std::max(whole.depth, view->reach(1 - part) + 2);
  tree.level = [=](Rank r) { return served(r) ? base.level(r) : view->distance(r) + 2; };
  tree.parent = [=](Rank r) { return served(r) ? base.parent(r) : view->grid().neighbour(r, part, 1); };
  tree.children = [=](Rank r) { return base.children(r) + (leaf(r) >= 0); };
  tree.child = [=](Rank r, std::int64_t i) { return i < base.children(r) ? base.child(r, i) : leaf(r); };
  return tree;
}

/// The shallower tree first, which gets the larger half.
std::vector<pattern::Tree> two_trees(const Spec& spec) {
  std::vector<pattern::Tree> trees;
  if (goes_round(spec)) {
    trees = {one_way_round(spec, 1), one_way_round(spec, -1)};
  } else {
    trees = {served_from_beside(spec, 0), served_from_beside(spec, 1)};
  }
  if (trees[1].depth < trees[0].depth) std::swap(trees[0], trees[1]);
  return trees;
}

kit::Lengths depths(const Spec& spec) {
  if (goes_round(spec)) return {spec.ranks() - 1, spec.ranks() - 1};
  const pattern::GridView view(spec);
  const Rank down = view.reach(0), across = view.reach(1), both = down + across;
  kit::Lengths all{std::max(both, across + 2), std::max(both, down + 2)};
  std::sort(all.begin(), all.end());
  return all;
}

/// Round a cycle what comes both ways meets half way, at one rank or two.
std::int64_t crowds_round(Rank p, std::int64_t packets) {
  pattern::Crowds crowds;
  const Rank middle = p / 2;
  const auto at = [&](Rank x, bool sends) {  // the rank at position x
    std::vector<pattern::Span> streams;
    for (const Rank place : {x, p - x}) {
      const Round first = sends ? place : place - 1;
      if (!sends || place < p - 1) streams.push_back({first, first + packets - 1});
    }
    crowds.add(streams);
  };
  crowds.add({0, packets - 1}, 2);
  for (const bool sends : {true, false}) at(middle, sends);
  return crowds.further();
}

std::function<std::int64_t(std::int64_t)> crowds(const Spec& spec, const Machine& machine) {
  if (goes_round(spec)) return [p = spec.ranks()](std::int64_t packets) { return crowds_round(p, packets); };
  return pattern::forest_crowds(spec, machine, "bcast_two_trees", false, two_trees, [=](std::int64_t packets) {
    return kit::equal_cost(depths(spec), spec.bytes, packets).startups;
  });
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  Machine full = machine;
  full.duplex = Duplex::full;
  if (goes_round(spec)) {
    if (spec.ranks() < 3) return "needs at least 3 ranks to go round both ways; try bcast_chain";
    if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  } else if (std::string reason = bcast::needs_plane(spec, full); !reason.empty()) {
    return reason;
  }
  if (machine.duplex != Duplex::full)
    return "the two trees use wires both ways at once, and wires here are half duplex; try --set duplex=full";
  return kit::packets_illegal(params, spec.bytes, 2);
}

}  // namespace

Algorithm describe() {
  return bcast::down_two_trees<depths, two_trees, crowds>(
      {.name = "bcast_two_trees",
       .summary = "a half of the message down each of two trees that share no directed link",
       .source = "Saad & Schultz 1986, eq. (3.19) with full-duplex links; on ring and mesh extra",
       .closed_form = {.startups = "nu - 1 + max(V + H, H + 2, V + 2)",
                       .bytes = "(nu - 1 + max(V + H, H + 2, V + 2)) m/(2 nu)",
                       .further = ClosedForm::counted,
                       .where = "torus, full duplex, 2 nu divides m"}},
      illegal, [](const Spec& s, const Machine& m, const Params& p) {
        return goes_round(s) ? Claims{} : pattern::crowd_claims(s, m, p);
      });
}

}  // namespace quadrille::algorithm::bcast_two_trees
