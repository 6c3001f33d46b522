#include "algorithm/pattern/grid_tree.hpp"

#include <memory>

#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::pattern {

bool is_cycle(const Spec& spec) {
  const auto* grid = kit::grid(spec);
  return kit::is_ring(spec) || (grid != nullptr && grid->wraps() && grid->sides().size() == 1);
}

GridView::GridView(const Spec& spec) : topology_(spec.topology), grid_(kit::grid(spec)) {
  for (int axis = 0; axis < axes(); ++axis) root_.push_back(grid_->coordinate(spec.root, axis));
}

Rank GridView::reach(int axis, int sign) const {
  const Rank side = grid_->sides()[static_cast<std::size_t>(axis)];
  if (grid_->wraps()) return sign > 0 ? side / 2 : (side - 1) / 2;
  const Rank here = root_[static_cast<std::size_t>(axis)];
  return sign > 0 ? side - 1 - here : here;
}

Rank GridView::offset(Rank r, int axis) const {
  const Rank along = grid_->coordinate(r, axis) - root_[static_cast<std::size_t>(axis)];
  if (!grid_->wraps()) return along;
  const Rank side = grid_->sides()[static_cast<std::size_t>(axis)], up = along < 0 ? along + side : along;
  return up <= side / 2 ? up : up - side;
}

Rank GridView::distance(Rank r) const {
  Rank links = 0;
  for (int axis = 0; axis < axes(); ++axis) links += std::abs(offset(r, axis));
  return links;
}

namespace {

class GridTree {
 public:
  GridTree(const Spec& spec, bool reversed) : view_(spec), reversed_(reversed) {}

  const GridView& view() const { return view_; }
  Rank parent(Rank r) const { return view_.nearer(r, axis(last_turn(r))); }
  /// Calls visit(child) for every child until it returns true: first straight on, then along every later axis.
  template <class Visit>
  void each_child(Rank r, Visit visit) const {
    const int turn = last_turn(r);
    if (turn >= 0) {
      const Rank offset = view_.offset(r, axis(turn));
      const int sign = offset > 0 ? 1 : -1;
      if (std::abs(offset) < view_.reach(axis(turn), sign) && visit(view_.grid().neighbour(r, axis(turn), sign)))
        return;
    }
    for (int i = turn + 1; i < view_.axes(); ++i)
      for (const int sign : {1, -1})
        if (view_.reach(axis(i), sign) > 0 && visit(view_.grid().neighbour(r, axis(i), sign))) return;
  }
  std::int64_t children(Rank r) const {
    std::int64_t count = 0;
    each_child(r, [&](Rank) { return ++count, false; });
    return count;
  }
  Rank child(Rank r, std::int64_t index) const {
    Rank found = -1;
    each_child(r, [&](Rank next) { return found = next, index-- == 0; });
    return found;
  }

 private:
  int axis(int turn) const { return reversed_ ? view_.axes() - 1 - turn : turn; }
  /// The axis, in the order they are followed, that the way from the root to the rank followed last; -1: the root.
  int last_turn(Rank r) const {
    int turn = view_.axes() - 1;
    while (turn >= 0 && view_.offset(r, axis(turn)) == 0) --turn;
    return turn;
  }

  GridView view_;
  bool reversed_;
};

}  // namespace

Tree grid_tree(const Spec& spec, bool reversed) {
  const auto tree = std::make_shared<const GridTree>(spec, reversed);
  Rank depth = 0;
  for (int axis = 0; axis < tree->view().axes(); ++axis) depth += tree->view().reach(axis);
  return {.depth = depth,
          .fanout = tree->children(spec.root),
          .level = [tree](Rank r) { return tree->view().distance(r); },
          .parent = [tree](Rank r) { return tree->parent(r); },
          .children = [tree](Rank r) { return tree->children(r); },
          .child = [tree](Rank r, std::int64_t i) { return tree->child(r, i); }};
}

}  // namespace quadrille::algorithm::pattern
