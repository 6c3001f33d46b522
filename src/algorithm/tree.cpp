#include "algorithm/tree.hpp"

#include <memory>

#include "algorithm/order.hpp"
#include "algorithm/pipeline.hpp"
#include "algorithm/support.hpp"

namespace quadrille {

namespace {

Tree cube_tree(int n, Rank root) {
  const auto name = [=](Rank r) { return r ^ root; };
  const auto width = [=](Rank r) { return log2_floor(name(r)) + 1; };  // bits in use; children add a higher one
  return {.depth = n,
          .fanout = n,
          .level = [=](Rank r) { return popcount(name(r)); },
          .parent = [=](Rank r) { return r ^ bit(width(r) - 1); },
          .children = [=](Rank r) { return n - width(r); },
          .child = [=](Rank r, std::int64_t i) { return r ^ bit(width(r) + static_cast<int>(i)); }};
}

Tree ring_tree(Rank p, Rank root) {
  // Clockwise distances 1 .. floor(p/2), the other way 1 .. floor((p-1)/2), as negative numbers.
  const auto place = [=](Rank r) {
    const Rank clockwise = wrap(r - root, p);
    return 2 * clockwise <= p ? clockwise : clockwise - p;
  };
  const auto rank = [=](Rank x) { return wrap(root + x, p); };
  const Rank last = p / 2, first = -((p - 1) / 2);
  return {.depth = last,
          .fanout = p > 2 ? 2 : 1,
          .level = [=](Rank r) { return std::abs(place(r)); },
          .parent = [=](Rank r) { return rank(place(r) > 0 ? place(r) - 1 : place(r) + 1); },
          .children =
              [=](Rank r) {
                const Rank x = place(r);
                return x == 0 ? Rank{p > 2 ? 2 : 1} : Rank{x != last && x != first};
              },
          .child =
              [=](Rank r, std::int64_t i) {
                const Rank x = place(r);
                return rank(x > 0 || (x == 0 && i == 0) ? x + 1 : x - 1);
              }};
}

Tree star(Rank p, Rank root) {
  return {.depth = 1,
          .fanout = p - 1,
          .level = [=](Rank r) { return Rank{r != root}; },
          .parent = [=](Rank) { return root; },
          .children = [=](Rank r) { return r == root ? p - 1 : 0; },
          .child = [=](Rank r, std::int64_t i) { return (r + 1 + i) % p; }};
}

}  // namespace

std::string needs_tree(const Spec& spec) {
  if (as<Hypercube>(spec) || as<Ring>(spec) || as<Crossbar>(spec)) return {};
  return fmt::format("no broadcast tree of {} is known; nearest: ring:{}", spec.topology->text(), spec.ranks());
}

Tree broadcast_tree(const Spec& spec) {
  if (const auto* cube = as<Hypercube>(spec)) return cube_tree(cube->dimension(), spec.root);
  if (as<Ring>(spec)) return ring_tree(spec.ranks(), spec.root);
  return star(spec.ranks(), spec.root);
}

Tree chain_tree(const Spec& spec) {
  const Renaming order = ring_order(spec, spec.root);
  const Rank last = spec.ranks() - 1;
  return {.depth = last,
          .fanout = 1,
          .level = order.from,
          .parent = [order](Rank r) { return order.to(order.from(r) - 1); },
          .children = [order, last](Rank r) { return Rank{order.from(r) != last}; },
          .child = [order](Rank r, std::int64_t) { return order.to(order.from(r) + 1); }};
}

namespace {

class TreePipe final : public Schedule {
 public:
  TreePipe(const Spec& spec, Tree tree, std::int64_t packets, Round interval)
      : tree_(std::move(tree)), packets_(packets), interval_(interval) {
    const Round rounds = pipe_cost({tree_.depth, spec.bytes, interval}, packets).startups;
    shape_ = {.ranks = spec.ranks(), .rounds = rounds, .out = 1, .cut = packet_cut(spec.bytes, packets)};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const std::int64_t level = tree_.level(r);
    if (const Slot p = packet(t, level - 1); level > 0 && p >= 0)
      out.recv(tree_.parent(r), Buffer::out, contiguous(p, 1));
    if (const Slot p = packet(t, level); p >= 0)
      for (std::int64_t i = 0, n = tree_.children(r); i < n; ++i)
        out.send(tree_.child(r, i), Buffer::out, contiguous(p, 1));
  }

 private:
  /// The packet that leaves the ranks of a level in round t, counted from 0; -1 if none does.
  Slot packet(Round t, std::int64_t level) const {
    const Round since = t - level;
    return since >= 0 && since % interval_ == 0 && since / interval_ < packets_ ? since / interval_ : -1;
  }

  Tree tree_;
  std::int64_t packets_;
  Round interval_;
  Shape shape_;
};

}  // namespace

SchedulePtr tree_schedule(const Spec& spec, Tree tree, std::int64_t packets, Round interval) {
  return std::make_shared<TreePipe>(spec, std::move(tree), packets, interval);
}

}  // namespace quadrille
