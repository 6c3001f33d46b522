// A part of the message down each of as many trees as a rank of the torus has links; no two share a directed link, so
// that all links bring every rank something new.
//
// Tree (axis j, up or down) hangs under the root's neighbour that way. Where the shorter way from the root to a rank
// goes the tree's way along axis j, the rank has an offset on some axes. If it is next to the root's coordinate on none
// of those, its parent is a link nearer along axis j; else it is a link nearer along the one of them before j,
// cyclically. Every other rank is reached along axis j, the tree's way round. At a rank the trees of its own side
// thus use links of different axes, all the shorter way, and the others the remaining links. On a hypercube these are
// the trees of Johnsson & Ho.
#include <algorithm>
#include <memory>

#include "algorithm/bcast/shared/forest.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/axes.hpp"
#include "algorithm/pattern/grid_tree.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_adst {

namespace {

/// The way from the root that a tree begins with.
struct Way {
  int axis, sign;
};

class Branching {
 public:
  Branching(std::shared_ptr<const pattern::GridView> view, Way way, Rank root)
      : view_(std::move(view)), way_(way), root_(root) {}

  Rank parent(Rank r) const {
    const auto [axis, sign] = way_;
    if (view_->offset(r, axis) * sign <= 0) return view_->grid().neighbour(r, axis, -sign);
    int before = axis;
    bool beside = false;
    for (int i = 1; i <= view_->axes(); ++i) {
      const int other = (axis + i) % view_->axes();
      const Rank offset = std::abs(view_->offset(r, other));
      if (offset > 0 && other != axis) before = other;
      beside |= offset == 1;
    }
    return view_->nearer(r, beside ? before : axis);
  }
  std::int64_t level(Rank r) const {
    if (r == root_) return 0;
    const Rank along = view_->offset(r, way_.axis) * way_.sign, whole = view_->distance(r);
    return along > 0 ? whole : side() + whole + 2 * along;  // on, and round, to the far end of the tree's own side
  }
  std::int64_t depth() const {
    std::int64_t links = side();
    for (int i = 0; i < view_->axes(); ++i) links += i == way_.axis ? 0 : view_->reach(i);
    return links;
  }
  /// Links of a rank.
  std::int64_t links() const { return view_->grid().degree(); }
  /// Calls visit(child) for every child.
  template <class Visit>
  void each_child(Rank r, Visit visit) const {
    for (int i = 0; i < view_->axes(); ++i)
      for (const int sign : {1, -1}) {
        const Rank side = view_->grid().sides()[static_cast<std::size_t>(i)];
        if (side == 1 || (side == 2 && sign < 0)) continue;
        if (const Rank next = view_->grid().neighbour(r, i, sign); next != root_ && parent(next) == r) visit(next);
      }
  }

 private:
  Rank side() const { return view_->grid().sides()[static_cast<std::size_t>(way_.axis)]; }
  std::shared_ptr<const pattern::GridView> view_;
  Way way_;
  Rank root_;
};

/// Those of a rank's links, the shallowest tree's first.
std::vector<Branching> branchings(const Spec& spec) {
  const auto view = std::make_shared<const pattern::GridView>(spec);
  std::vector<Branching> all;
  for (int axis = 0; axis < view->axes(); ++axis) {
    const Rank side = view->grid().sides()[static_cast<std::size_t>(axis)];
    for (const int sign : {1, -1})
      if (side > 2 || (side == 2 && sign > 0)) all.emplace_back(view, Way{axis, sign}, spec.root);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Branching& a, const Branching& b) { return a.depth() < b.depth(); });
  return all;
}

pattern::Tree tree_of(const Branching& branching) {
  return {.depth = branching.depth(),
          .fanout = branching.links() - 1,  // one of a rank's links leads to its parent
          .level = [=](Rank r) { return branching.level(r); },
          .parent = [=](Rank r) { return branching.parent(r); },
          .children =
              [=](Rank r) {
                std::int64_t count = 0;
                branching.each_child(r, [&](Rank) { ++count; });
                return count;
              },
          .child =
              [=](Rank r, std::int64_t index) {
                Rank found = -1;
                branching.each_child(r, [&](Rank next) { found = index-- == 0 ? next : found; });
                return found;
              }};
}

std::vector<pattern::Tree> trees(const Spec& spec) {
  std::vector<pattern::Tree> all;
  for (const Branching& branching : branchings(spec)) all.push_back(tree_of(branching));
  return all;
}

kit::Lengths depths(const Spec& spec) {
  kit::Lengths all;
  for (const Branching& branching : branchings(spec)) all.push_back(branching.depth());
  return all;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  const auto* grid = kit::grid(spec);
  if (!grid || !grid->wraps() || pattern::axes_of(spec).count() < 2)
    return fmt::format("needs a torus of several dimensions, and {} is none; nearest: {}", spec.topology->text(),
                       kit::nearest_torus(spec));
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  if (machine.duplex == Duplex::node_half)
    return "a rank would receive one packet while it sends another, and a node here does one or the other; try "
           "--set duplex=half";
  if (machine.duplex == Duplex::half && !grid->colour(0))
    return "wires here are half duplex, and their directions can only take turns where all sides are even; try "
           "bcast_pipelined or --set duplex=full";
  return kit::packets_illegal(params, spec.bytes, grid->degree());
}

Cost without_crowds(const Spec& spec, const Machine& machine, std::int64_t packets) {
  return (kit::half_duplex(machine) ? bcast::split_forest_cost : kit::equal_cost)(depths(spec), spec.bytes, packets);
}

std::function<std::int64_t(std::int64_t)> crowds(const Spec& spec, const Machine& machine) {
  return pattern::forest_crowds(spec, machine, "bcast_adst", kit::half_duplex(machine), trees,
                                [=](std::int64_t packets) { return without_crowds(spec, machine, packets).startups; });
}

Cost adst_cost(const Spec& spec, const Machine& machine, const Params& params) {
  const std::int64_t packets = kit::packets_of(params);
  return kit::with_further(without_crowds(spec, machine, packets), crowds(spec, machine)(packets));
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  const auto best = kit::half_duplex(machine) ? bcast::best_split_forest_packets : kit::best_equal_packets;
  const pattern::Further further{crowds(spec, machine), kit::further_time(machine), spec.topology->degree() - 1};
  return {
      {{"packets", {best(depths(spec), spec.bytes, kit::neighbour_startup(spec, machine), machine.beta, further)}}}};
}

}  // namespace

Algorithm describe() {
  return {
      .name = "bcast_adst",
      .collective = Collective::bcast,
      .summary = "a part of the message down each of as many trees as a rank has links, no directed link in two",
      .source = "extra: Johnsson & Ho 1989, edge-disjoint trees, on tori; Michallon, Trystram & Villard 1992",
      .closed_form = {.startups = "nu + s + floor(s/2) - 1",
                      .bytes = "(nu + s + floor(s/2) - 1) m/(4 nu)",
                      .further = ClosedForm::counted,
                      .where = "square torus, full duplex, 4 nu divides m"},
      .literature = {{.families = {"torus"},
                      .says = "the volume is the bound's; the trees of `bcast_adst` are half a side deeper than those "
                              "of Michallon, Trystram & Villard, whose depth is near the diameter"}},
      .parameters = {{.name = "packets", .meaning = "packets of nearly equal size that each tree's part is cut in"}},
      .claims = pattern::crowd_claims,
      .illegal = illegal,
      .variants = variants,
      .cost = adst_cost,
      .build = [](const Spec& s, const Machine& m, const Params& p) {
        return kit::split_if_half(pattern::forest_schedule(s, trees(s), kit::packets_of(p)), s, m);
      }};
}

}  // namespace quadrille::algorithm::bcast_adst
