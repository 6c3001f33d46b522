#include "flow/forest.hpp"

#include <algorithm>
#include <numeric>

#include "flow/requirement.hpp"

namespace quadrille::flow {

namespace {

/// What is left of the network, and how many trees are still to come from each rank.
class Forest {
 public:
  Forest(const Network& network, const Words& trees, const ForestEffort& effort)
      : ranks_(network.ranks()), effort_(effort.flows), arcs_(network.arcs()), leaving_(at(ranks_)), left_(trees) {
    all_ = std::accumulate(trees.begin(), trees.end(), std::int64_t{0});
    out_.assign(at(ranks_), 0);
    for (std::size_t a = 0; a < arcs_.size(); ++a) {
      leaving_[at(arcs_[a].from)].push_back(static_cast<std::int32_t>(a));
      out_[at(arcs_[a].from)] += arcs_[a].capacity;
    }
    for (Rank r = 0; r < ranks_; ++r) wanted_.push_back(r);
  }

  std::vector<RootedTree> run() {
    if (!fits()) throw Error(Error::Kind::argument, "so many trees do not fit the network");
    constexpr int most_attempts = 24;
    std::size_t batch = 1;
    for (int attempts = 0; all_ > 0;) {
      if (effort_ <= 0) throw Error(Error::Kind::budget, "trees of the network take too long to find");
      const std::size_t before = done_.size();
      bool grown = true;
      for (std::size_t i = 0; i < batch && all_ > 0 && grown; ++i) grown = grow_near();
      if (grown && fits()) {
        attempts = 0, batch *= 2;
        continue;
      }
      while (done_.size() > before) take_back();
      renew_guards();
      if (batch > 1) {
        batch = grown ? std::max<std::size_t>(1, batch / 2) : 1;
      } else if (!grown || ++attempts >= most_attempts) {
        grow_exactly();
        attempts = 0;
      }
    }
    std::stable_sort(done_.begin(), done_.end(), [](const RootedTree& a, const RootedTree& b) {
      return a.root != b.root ? a.root < b.root : a.depth < b.depth;
    });
    return std::move(done_);
  }

 private:
  /// The side of a cut, and what its arcs carry beyond the trees that must still enter it.
  struct Guard {
    Side side;
    std::int64_t room = 0;
  };

  /// Roots take turns, so that the last trees, which get what is left, are not all of one root.
  Rank next_root() const {
    const auto most = std::max_element(left_.begin(), left_.end());
    return most - left_.begin();
  }

  /// A whole tree, as long as the known cuts have room; as many copies as there is room for.
  bool grow_near() {
    const Rank root = next_root();
    for (std::int64_t copies = left_[at(root)]; copies > 0; copies /= 2) {
      RootedTree tree{root, copies, std::vector<std::int32_t>(at(ranks_), -1), 0};
      if (!fill(tree)) continue;
      done_.push_back(std::move(tree));
      left_[at(root)] -= copies;
      all_ -= copies;
      for (Guard& g : guards_)
        if (!g.side[at(root)]) g.room += copies;
      return true;
    }
    return false;
  }

  bool fill(RootedTree& tree) {
    std::vector<std::int32_t> depth(at(ranks_), -1), queue{static_cast<std::int32_t>(tree.root)};
    std::vector<std::int32_t> taken;
    depth[at(tree.root)] = 0;
    for (std::size_t i = 0; i < queue.size(); ++i) {
      std::vector<std::int32_t>& near = leaving_[at(queue[i])];
      std::stable_sort(near.begin(), near.end(),
                       [&](std::int32_t a, std::int32_t b) { return arcs_[at(a)].capacity > arcs_[at(b)].capacity; });
      for (const std::int32_t a : near) {
        const Arc& arc = arcs_[at(a)];
        if (depth[at(arc.to)] >= 0 || !may_take(tree, arc)) continue;
        take(a, tree.copies);
        taken.push_back(a);
        depth[at(arc.to)] = depth[at(arc.from)] + 1;
        tree.parent[at(arc.to)] = static_cast<std::int32_t>(arc.from);
        queue.push_back(static_cast<std::int32_t>(arc.to));
      }
    }
    tree.depth = *std::max_element(depth.begin(), depth.end());
    if (std::ssize(queue) == ranks_) return true;
    for (const std::int32_t a : taken) take(a, -tree.copies);
    return false;
  }

  bool may_take(const RootedTree& tree, const Arc& arc) const {
    if (arc.capacity < tree.copies) return false;
    const std::int64_t own = left_[at(arc.from)] - (arc.from == tree.root ? tree.copies : 0);
    if (out_[at(arc.from)] - tree.copies < own) return false;  // its own trees must be able to begin
    return std::all_of(guards_.begin(), guards_.end(), [&](const Guard& g) {
      if (g.side[at(arc.from)] || !g.side[at(arc.to)]) return true;
      return g.room + (g.side[at(tree.root)] ? 0 : tree.copies) >= tree.copies;
    });
  }

  void take(std::int32_t a, std::int64_t amount) {
    Arc& arc = arcs_[at(a)];
    arc.capacity -= amount;
    out_[at(arc.from)] -= amount;
    for (Guard& g : guards_)
      if (!g.side[at(arc.from)] && g.side[at(arc.to)]) g.room -= amount;
  }

  void take_back() {
    const RootedTree& tree = done_.back();
    for (std::int32_t v = 0; v < ranks_; ++v)
      if (tree.parent[at(v)] >= 0) take(arc_between(tree.parent[at(v)], v), -tree.copies);
    left_[at(tree.root)] += tree.copies;
    all_ += tree.copies;
    done_.pop_back();
  }
  std::int32_t arc_between(std::int32_t from, std::int32_t to) const {
    for (const std::int32_t a : leaving_[at(from)])
      if (arcs_[at(a)].to == to) return a;
    throw Error(Error::Kind::internal, "a tree takes an arc that is not there");
  }

  bool fits() {
    effort_ -= ranks_;
    const std::vector<Side> crowded = crowded_cuts(ranks_, arcs_, left_, wanted_, 64);
    for (const Side& side : crowded)
      if (std::none_of(guards_.begin(), guards_.end(), [&](const Guard& g) { return g.side == side; }))
        guards_.push_back({side, 0});
    return crowded.empty();
  }

  void renew_guards() {
    const std::size_t most_guards = std::max<std::size_t>(256, 2 * at(ranks_));
    if (guards_.size() > most_guards)
      guards_.erase(guards_.begin(), guards_.end() - static_cast<std::ptrdiff_t>(most_guards / 2));
    for (Guard& g : guards_) {
      g.room = 0;
      for (Rank r = 0; r < ranks_; ++r)
        if (!g.side[at(r)]) g.room -= left_[at(r)];
      for (const Arc& arc : arcs_)
        if (!g.side[at(arc.from)] && g.side[at(arc.to)]) g.room += arc.capacity;
    }
  }

  /// A tree that grows by flows: from each rank an arc leads to the start, and from there one to each root of others.
  struct Growth {
    Growth(Rank ranks, Rank root, std::int64_t copies) : flow(ranks + 1), depth(at(ranks), -1) {
      tree.root = root;
      tree.copies = copies;
      tree.parent.assign(at(ranks), -1);
      depth[at(root)] = 0;
      queue.push_back(static_cast<std::int32_t>(root));
    }
    RootedTree tree;
    MaxFlow flow;
    std::vector<std::int32_t> depth, queue, taken;
  };
  Growth begin(Rank root) {
    Growth g(ranks_, root, left_[at(root)]);
    for (const Arc& arc : arcs_) g.flow.add(arc.from, arc.to, arc.capacity);
    for (Rank r = 0; r < ranks_; ++r) g.flow.add(r, ranks_, 0);
    for (Rank r = 0; r < ranks_; ++r) g.flow.add(ranks_, r, r == root ? 0 : left_[at(r)]);
    return g;
  }

  /// What every cut that parts the arc's ends has beyond what the other trees need.
  std::int64_t spare(Growth& g, const Arc& arc, std::int64_t enough) {
    const std::int64_t others = all_ - g.tree.copies, to_start = std::ssize(arcs_), from_start = to_start + ranks_;
    if (others == 0) return enough;
    --effort_;
    const std::int64_t own = left_[at(arc.from)] - (arc.from == g.tree.root ? g.tree.copies : 0);
    g.flow.set(to_start + arc.from, others);
    g.flow.set(from_start + arc.from, 0);
    g.flow.make_end(arc.to);
    const std::int64_t most = g.flow.run(arc.from, others + enough) - others;
    g.flow.make_end(arc.to, false);
    g.flow.set(to_start + arc.from, 0);
    g.flow.set(from_start + arc.from, own);
    return most;
  }

  void try_arc(Growth& g, std::int32_t a) {
    const Arc arc = arcs_[at(a)];
    if (g.depth[at(arc.to)] >= 0 || arc.capacity == 0) return;
    const std::int64_t wanted = std::min(arc.capacity, g.tree.copies);
    const std::int64_t fit = std::min(wanted, spare(g, arc, wanted));
    if (fit <= 0) return;
    if (fit < g.tree.copies) {  // the copies that do not fit become trees that have not begun
      for (const std::int32_t b : g.taken) take(b, fit - g.tree.copies), g.flow.set(b, arcs_[at(b)].capacity);
      g.tree.copies = fit;
      g.flow.set(std::ssize(arcs_) + ranks_ + g.tree.root, left_[at(g.tree.root)] - fit);
    }
    take(a, fit);
    g.flow.set(a, arcs_[at(a)].capacity);
    g.taken.push_back(a);
    g.depth[at(arc.to)] = g.depth[at(arc.from)] + 1;
    g.tree.parent[at(arc.to)] = static_cast<std::int32_t>(arc.from);
    g.queue.push_back(static_cast<std::int32_t>(arc.to));
  }

  /// One tree with a flow for every arc, which is taken as far as the others can spare it.
  void grow_exactly() {
    Growth g = begin(next_root());
    for (std::size_t before = 0; std::ssize(g.queue) < ranks_;) {
      if (before == g.queue.size()) throw Error(Error::Kind::internal, "trees were to fit, and one cannot be ended");
      before = g.queue.size();
      for (std::size_t i = 0; i < g.queue.size(); ++i)
        for (const std::int32_t a : leaving_[at(g.queue[i])]) try_arc(g, a);
    }
    g.tree.depth = *std::max_element(g.depth.begin(), g.depth.end());
    left_[at(g.tree.root)] -= g.tree.copies;
    all_ -= g.tree.copies;
    done_.push_back(std::move(g.tree));
    renew_guards();
  }

  std::int64_t ranks_, effort_, all_ = 0;
  std::vector<Arc> arcs_;
  std::vector<std::vector<std::int32_t>> leaving_;
  std::vector<std::int64_t> left_, out_;
  std::vector<Vertex> wanted_;
  std::vector<Guard> guards_;
  std::vector<RootedTree> done_;
};

}  // namespace

std::vector<RootedTree> forest(const Network& network, const Words& trees, const ForestEffort& effort) {
  std::vector<RootedTree> found = Forest(network, trees, effort).run();
  check_forest(network, trees, found);
  return found;
}

void check_forest(const Network& network, const Words& trees, const std::vector<RootedTree>& forest) {
  const auto wrong = [](const char* what) { throw Error(Error::Kind::internal, what); };
  std::vector<Wide> carried(network.arcs().size(), 0);
  Words left = trees;
  for (const RootedTree& tree : forest) {
    left[at(tree.root)] -= tree.copies;
    std::vector<std::int32_t> depth(at(network.ranks()), -1);
    depth[at(tree.root)] = 0;
    for (Rank r = 0; r < network.ranks(); ++r) {
      std::vector<Rank> way;
      for (Rank v = r; depth[at(v)] < 0; v = tree.parent[at(v)]) {
        if (tree.parent[at(v)] < 0 || std::ssize(way) > network.ranks()) wrong("a tree does not span");
        way.push_back(v);
      }
      for (auto v = way.rbegin(); v != way.rend(); ++v) {
        const std::int32_t parent = tree.parent[at(*v)];
        const std::int64_t place = network.find(parent, *v);
        if (place < 0) wrong("a tree takes an arc that is not there");
        depth[at(*v)] = depth[at(parent)] + 1;
        carried[at(place)] = add(carried[at(place)], tree.copies);
      }
    }
    if (*std::max_element(depth.begin(), depth.end()) != tree.depth) wrong("a tree is as deep as it does not say");
  }
  for (std::size_t a = 0; a < carried.size(); ++a)
    if (carried[a] > network.arcs()[a].capacity) wrong("trees take more than an arc carries");
  if (std::any_of(left.begin(), left.end(), [](std::int64_t n) { return n != 0; })) wrong("trees are missing");
}

}  // namespace quadrille::flow
