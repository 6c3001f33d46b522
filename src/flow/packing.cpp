#include "flow/packing.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

#include "flow/max_flow.hpp"
#include "quadrille/base.hpp"

namespace quadrille::flow {

namespace {

/// What is left of the network, and the tree that is grown in it.
class Packing {
 public:
  Packing(const Network& network, std::int64_t root)
      : root_(static_cast<std::int32_t>(root)),
        vertices_(static_cast<std::size_t>(network.vertices())),
        flow_(network.vertices()),
        leaving_(vertices_) {
    for (const Arc& arc : network.arcs()) {
      leaving_[static_cast<std::size_t>(arc.from)].push_back(static_cast<std::int32_t>(arcs_.size()));
      arcs_.push_back({static_cast<std::int32_t>(arc.from), static_cast<std::int32_t>(arc.to), arc.capacity});
      flow_.add(arc.from, arc.to, arc.capacity);
    }
    for (std::int64_t v = 0; v < network.vertices(); ++v) flow_.add(v, root, 0);
  }

  /// A tree of at most `wanted` copies, and as many others can still be packed as are left of `wanted`.
  PackedTree grow(std::int64_t wanted) {
    copies_ = wanted;
    others_ = 0;
    entered_by_.assign(vertices_, -1);
    inside_.assign(1, root_);
    std::vector<std::int32_t> depth(vertices_, 0);
    for (std::size_t before = 0; inside_.size() < vertices_;) {
      if (before == inside_.size()) throw Error(Error::Kind::internal, "trees were to fit, and one cannot be ended");
      before = inside_.size();
      for (std::size_t i = 0; i < inside_.size(); ++i)  // grows meanwhile
        for (const std::int32_t a : leaving_[static_cast<std::size_t>(inside_[i])])
          if (try_arc(a)) depth[static_cast<std::size_t>(at(a).to)] = depth[static_cast<std::size_t>(at(a).from)] + 1;
    }
    PackedTree tree{copies_, std::vector<std::int32_t>(vertices_, -1), *std::max_element(depth.begin(), depth.end())};
    for (std::size_t v = 0; v < vertices_; ++v)
      if (entered_by_[v] >= 0) tree.parent[v] = at(entered_by_[v]).from;
    return tree;
  }

 private:
  struct Left {
    std::int32_t from, to;
    std::int64_t capacity;
  };
  Left& at(std::int32_t arc) { return arcs_[static_cast<std::size_t>(arc)]; }

  bool try_arc(std::int32_t a) {
    const auto [from, to, capacity] = at(a);
    if (capacity == 0 || to == root_ || entered_by_[static_cast<std::size_t>(to)] >= 0) return false;
    const std::int64_t fit = std::min({capacity, copies_, spare(from, to, std::min(capacity, copies_))});
    if (fit <= 0) return false;
    if (fit < copies_) give_back(copies_ - fit);
    take(a, fit);
    entered_by_[static_cast<std::size_t>(to)] = a;
    inside_.push_back(to);
    return true;
  }

  /// What every cut around `to` that parts it from `from` has beyond what the other trees need.
  std::int64_t spare(std::int32_t from, std::int32_t to, std::int64_t enough) {
    if (others_ == 0) return enough;
    const std::int64_t shortcut = std::ssize(arcs_) + from;
    if (from != root_) flow_.set(shortcut, others_);  // a cut around the root, too, owes the others nothing
    flow_.make_end(to);
    const std::int64_t most = flow_.run(from, others_ + enough);
    flow_.make_end(to, false);
    if (from != root_) flow_.set(shortcut, 0);
    return most - others_;
  }

  /// Fewer copies of this tree: they become trees that have not begun.
  void give_back(std::int64_t copies) {
    for (const std::int32_t v : inside_)
      if (v != root_) take(entered_by_[static_cast<std::size_t>(v)], -copies);
    copies_ -= copies;
    others_ += copies;
  }

  void take(std::int32_t a, std::int64_t amount) { flow_.set(a, at(a).capacity -= amount); }

  std::int32_t root_;
  std::size_t vertices_;
  MaxFlow flow_;  ///< after the network's arcs, one from every vertex to the root
  std::vector<Left> arcs_;
  std::vector<std::vector<std::int32_t>> leaving_;
  std::int64_t copies_ = 0, others_ = 0;
  std::vector<std::int32_t> entered_by_, inside_;
};

}  // namespace

std::int64_t most_trees(const Network& network, std::int64_t root) {
  MaxFlow flow(network.vertices());
  for (const Arc& arc : network.arcs()) flow.add(arc.from, arc.to, arc.capacity);
  std::int64_t most = std::numeric_limits<std::int64_t>::max();
  for (std::int64_t v = 0; v < network.vertices(); ++v) {
    if (v == root) continue;
    flow.make_end(v);
    most = flow.run(root, most);
    flow.make_end(v, false);
  }
  return most;
}

std::vector<PackedTree> packed_trees(const Network& network, std::int64_t root, std::int64_t count) {
  Packing packing(network, root);
  std::vector<PackedTree> trees;
  for (std::int64_t left = count; left > 0; left -= trees.back().copies) trees.push_back(packing.grow(left));
  std::stable_sort(trees.begin(), trees.end(),
                   [](const PackedTree& a, const PackedTree& b) { return a.depth < b.depth; });
  return trees;
}

}  // namespace quadrille::flow
