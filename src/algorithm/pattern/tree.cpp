#include "algorithm/pattern/tree.hpp"

#include <algorithm>
#include <memory>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/shares.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/grid_tree.hpp"
#include "algorithm/pattern/walk.hpp"

namespace quadrille::algorithm::pattern {

namespace {

Tree cube_tree(int n, Rank root) {
  const auto name = [=](Rank r) { return r ^ root; };
  const auto width = [=](Rank r) { return base::log2_floor(name(r)) + 1; };  // bits in use; children add a higher one
  return {.depth = n,
          .fanout = n,
          .level = [=](Rank r) { return base::popcount(name(r)); },
          .parent = [=](Rank r) { return r ^ base::bit(width(r) - 1); },
          .children = [=](Rank r) { return n - width(r); },
          .child = [=](Rank r, std::int64_t i) { return r ^ base::bit(width(r) + static_cast<int>(i)); }};
}

Tree ring_tree(Rank p, Rank root) {
  // Clockwise distances 1 .. floor(p/2), the other way 1 .. floor((p-1)/2), as negative numbers.
  const auto place = [=](Rank r) {
    const Rank clockwise = base::wrap(r - root, p);
    return 2 * clockwise <= p ? clockwise : clockwise - p;
  };
  const auto rank = [=](Rank x) { return base::wrap(root + x, p); };
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
  if (kit::is_cube(spec) || kit::is_ring(spec) || kit::is_switch(spec) || kit::is_bus(spec) || kit::grid(spec))
    return {};
  return fmt::format("no broadcast tree of {} is known; nearest: ring:{}", spec.topology->text(), spec.ranks());
}

std::string needs_fanout(const Spec& spec, const Machine& machine, const Tree& tree, std::string_view instead) {
  if (tree.fanout <= 1 || machine.multicast || kit::is_bus(spec)) return {};
  const std::string hint = instead.empty() ? "" : fmt::format("{} or ", instead);
  if (tree.fanout > spec.topology->degree())
    return fmt::format(
        "sends a packet to {} children at once, and a rank of {} has {} of its own; try {}--set multicast=true",
        tree.fanout, spec.topology->text(), spec.topology->degree() == 1 ? "one link" : "fewer links", hint);
  if (machine.ports == Ports::all) return {};
  return fmt::format(
      "sends a packet to several children at once, and this machine has one port and no multicast; try {}--set "
      "ports=all",
      hint);
}

Tree broadcast_tree(const Spec& spec) {
  if (kit::is_cube(spec)) return cube_tree(kit::dimension(spec), spec.root);
  if (kit::is_ring(spec)) return ring_tree(spec.ranks(), spec.root);
  if (kit::grid(spec)) return grid_tree(spec);
  return star(spec.ranks(), spec.root);
}

namespace {

/// A rank at some distance that has come as far along its axis as there are ranks has children along later axes only.
std::vector<Fan> grid_fans(const Spec& spec) {
  const GridView view(spec);
  std::int64_t later = 0;  // children along later axes
  const auto ways = [&](int axis) { return (view.reach(axis, 1) > 0) + (view.reach(axis, -1) > 0); };
  for (int axis = 0; axis < view.axes(); ++axis) later += ways(axis);
  std::vector<Fan> fans{{1, later}};
  for (int axis = 0; axis < view.axes(); ++axis) {
    if (view.reach(axis) == 0) continue;
    later -= ways(axis);
    fans.push_back({view.reach(axis) - 1, later + 1});
    if (later > 0) fans.push_back({1, later});
  }
  return fans;
}

}  // namespace

std::vector<Fan> broadcast_fans(const Spec& spec) {
  const Rank p = spec.ranks();
  if (kit::grid(spec)) return grid_fans(spec);
  if (kit::is_ring(spec)) return {{1, p > 2 ? 2 : 1}, {p / 2 - 1, 1}};
  if (!kit::is_cube(spec)) return {{1, p - 1}};
  std::vector<Fan> fans;
  for (int n = kit::dimension(spec); n > 0; --n) fans.push_back({1, n});
  return fans;
}

kit::Pipe broadcast_pipe(const Spec& spec, const Machine& machine) {
  kit::Pipe pipe{.depth = broadcast_tree(spec).depth, .bytes = spec.bytes};
  pipe.interval = kit::relay_interval(machine, pipe.depth);
  Round level = 0;
  for (const auto& [levels, children] : broadcast_fans(spec)) {
    // In every round the busiest rank is the nearest to the root that sends; the first levels serve every packet.
    const Round first = std::clamp<Round>(pipe.interval - level, 0, levels);
    const std::int64_t further = kit::copies_sent(spec, machine, children) - 1;
    pipe.each_packet += first * further;
    pipe.at_last += (levels - first) * further;
    level += levels;
  }
  return pipe;
}

Tree chain_tree(const Spec& spec) {
  const schedule::Renaming order = ring_order(spec, spec.root);
  const Rank last = spec.ranks() - 1;
  return {.depth = last,
          .fanout = 1,
          .level = order.from,
          .parent = [order](Rank r) { return order.to(order.from(r) - 1); },
          .children = [order, last](Rank r) { return Rank{order.from(r) != last}; },
          .child = [order](Rank r, std::int64_t) { return order.to(order.from(r) + 1); }};
}

namespace {

/// Rounds until the first packet reaches label v of a heap.
std::int64_t heap_round(Turns turns, Rank v) {
  const int depth = base::log2_floor(v);
  if (turns == Turns::eager) return depth + base::popcount(v) - 1;  // left turns + 2 * right turns
  if (v == 1) return 0;
  if (turns == Turns::lockstep) return 2 * depth - (v % 2 == 0);
  const Rank turn =
      (v ^ (v >> 1)) & (base::bit(depth - 1) - 1);  // a bit where an edge turns another way than the one before
  return 1 + (v >> (depth - 1) & 1) + 2 * (depth - 1) - base::popcount(turn);
}

}  // namespace

Tree heap_tree(const Spec& spec, Turns turns) {
  const Rank p = spec.ranks(), root = spec.root;
  const auto label = [=](Rank r) { return base::wrap(r - root, p) + 1; };  // 1 .. p; children of v are 2v and 2v + 1
  const auto rank = [=](Rank v) { return (root + v - 1) % p; };
  // A label below p agrees with p down to a bit that p alone has; the latest of those have after it only ones, or in
  // turns only lefts or only rights.
  std::int64_t depth = heap_round(turns, p);
  for (int b = 0; b <= base::log2_floor(p); ++b)
    if ((p >> b & 1) != 0) {
      const Rank ones = base::bit(b) - 1, high = (p ^ base::bit(b)) & ~ones;
      depth = std::max(depth, heap_round(turns, high | ones));
      if (high != 0) depth = std::max(depth, heap_round(turns, high));
    }
  return {.depth = depth,
          .fanout = 2,
          .level = [=](Rank r) { return heap_round(turns, label(r)); },
          .parent = [=](Rank r) { return rank(label(r) / 2); },
          .children = [=](Rank r) { return std::min<Rank>(2, std::max<Rank>(0, p - 2 * label(r) + 1)); },
          .child = [=](Rank r, std::int64_t i) { return rank(2 * label(r) + i); }};
}

namespace {

/// Which packet a tree carries as its so many-th.
struct EqualParts {
  std::int64_t packets;
  Round interval;
  std::int64_t most(std::size_t) const { return packets; }
  Slot piece(std::size_t part, std::int64_t index) const { return static_cast<Slot>(part) * packets + index; }
};
struct BalancedParts {
  kit::Lengths depths;
  std::vector<std::int64_t> packets;  ///< of every tree
  Round interval = 1;
  std::int64_t most(std::size_t part) const { return packets[part]; }
  Slot piece(std::size_t part, std::int64_t index) const { return kit::balanced_piece(depths, part, index); }
};

template <class Parts>
class TreePipe final : public Schedule {
 public:
  TreePipe(const Spec& spec, std::vector<Tree> trees, Parts parts, Round rounds, Cut cut)
      : trees_(std::move(trees)), parts_(std::move(parts)) {
    shape_ = {.ranks = spec.ranks(), .rounds = rounds, .out = 1, .cut = std::move(cut)};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    for (std::size_t part = 0; part < trees_.size(); ++part) {
      const Tree& tree = trees_[part];
      const std::int64_t level = tree.level(r);
      if (const Slot p = piece(part, t, level - 1); level > 0 && p >= 0)
        out.recv(tree.parent(r), Buffer::out, contiguous(p, 1));
      for (std::int64_t i = 0, n = tree.children(r); i < n; ++i) {
        const Rank child = tree.child(r, i);
        if (const Slot p = piece(part, t, tree.level(child) - 1); p >= 0)
          out.send(child, Buffer::out, contiguous(p, 1));
      }
    }
  }
  Rounds active(Rank r) const override {
    Rounds any{shape_.rounds, 0};
    for (std::size_t part = 0; part < trees_.size(); ++part) {
      const Tree& tree = trees_[part];
      const auto packets_from = [&](Round first) {
        const Round end = first + (parts_.most(part) - 1) * parts_.interval + 1;
        any = {std::min(any.first, first), std::max(any.end, end)};
      };
      if (parts_.most(part) == 0) continue;
      if (const std::int64_t level = tree.level(r); level > 0) packets_from(level - 1);
      for (std::int64_t i = 0, n = tree.children(r); i < n; ++i) packets_from(tree.level(tree.child(r, i)) - 1);
    }
    return {any.first, std::min(any.end, shape_.rounds)};
  }

 private:
  /// What goes in round t, counted from 0, to ranks where the part's first packet goes in round `first`; -1: nothing.
  Slot piece(std::size_t part, Round t, Round first) const {
    const Round since = t - first;
    if (since < 0 || since % parts_.interval != 0 || since / parts_.interval >= parts_.most(part)) return -1;
    return parts_.piece(part, since / parts_.interval);
  }

  std::vector<Tree> trees_;
  Parts parts_;
  Shape shape_;
};

SchedulePtr equal_parts(const Spec& spec, std::vector<Tree> trees, std::int64_t packets, Round interval) {
  std::int64_t depth = 0;
  for (const Tree& tree : trees) depth = std::max(depth, tree.depth);
  const Round rounds = kit::pipe_cost({depth, spec.bytes, interval}, packets).startups;
  Cut cut = kit::packet_cut(spec.bytes, packets, std::ssize(trees));
  return std::make_shared<TreePipe<EqualParts>>(spec, std::move(trees), EqualParts{packets, interval}, rounds,
                                                std::move(cut));
}

}  // namespace

SchedulePtr tree_schedule(const Spec& spec, Tree tree, std::int64_t packets, Round interval) {
  return equal_parts(spec, {std::move(tree)}, packets, interval);
}

SchedulePtr forest_schedule(const Spec& spec, std::vector<Tree> trees, std::int64_t packets) {
  return equal_parts(spec, std::move(trees), packets, 1);
}

SchedulePtr balanced_forest_schedule(const Spec& spec, std::vector<Tree> trees, Bytes packet_bytes) {
  Cut cut{.bytes = spec.bytes, .packet_bytes = packet_bytes};
  BalancedParts parts;
  for (const Tree& tree : trees) parts.depths.push_back(tree.depth);
  parts.packets = kit::balanced_packets(parts.depths, cut.pieces());
  const Round rounds = kit::balanced_rounds(parts.depths, cut.pieces());
  return std::make_shared<TreePipe<BalancedParts>>(spec, std::move(trees), std::move(parts), rounds, std::move(cut));
}

}  // namespace quadrille::algorithm::pattern
