#include "flow/paired_trees.hpp"

#include <algorithm>
#include <limits>

#include "flow/branchings.hpp"
#include "flow/requirement.hpp"

namespace quadrille::flow {

namespace {

using Branching = std::vector<std::int32_t>;  ///< the arc by which each vertex is reached

class Pairs {
 public:
  Pairs(const Network& network, std::int64_t count)
      : network_(network), loads_(network.arcs().size(), 0), wanted_(loads_.size(), 0) {
    std::int64_t all = 0;
    for (const Arc& arc : network.arcs()) {
      reversed_.push_back({arc.to, arc.from, arc.capacity});
      all += arc.capacity;
    }
    mean_ = static_cast<double>(all) / static_cast<double>(network.arcs().size());
    time_ = 2 * static_cast<double>(network.ranks() - 1) * static_cast<double>(count) / static_cast<double>(all);
    const Network backwards = network.reversed();
    for (const Vertex v : network.hosts())  // each takes in and gives out every word at least once
      time_ =
          std::max(time_, static_cast<double>(count) / static_cast<double>(std::min(network.out(v), backwards.out(v))));
    for (std::int64_t i = 0; i < count; ++i) {
      const Pair& pair = pairs_.emplace_back(cheapest_pair());
      load(pair.down, 1), load(pair.up, 1);
    }
  }

  /// Takes each tree out and puts it in anew, and keeps the best that was seen. Arcs that too many want grow dearer;
  /// where that does not do, the time grows.
  void improve() {
    constexpr int attempts = 4, sweeps = 24, most_to_move = 16;
    std::vector<Pair> best = pairs_;
    double least = busiest();
    for (int attempt = 0; attempt < attempts && least > time_ * (1 + 1e-9); ++attempt) {
      for (int sweep = 0; sweep < sweeps && least > time_ * (1 + 1e-9); ++sweep) {
        if (sweep == sweeps / 2 && std::ssize(pairs_) <= most_to_move) {
          move_roots();
        } else {
          for (Pair& pair : pairs_) {
            replace(pair.down, pair.root, network_.arcs());
            replace(pair.up, pair.root, reversed_);
          }
        }
        if (busiest() < least) least = busiest(), best = pairs_;
        for (std::size_t i = 0; i < loads_.size(); ++i) wanted_[i] += beyond(i, 0);
      }
      time_ = (time_ + least) / 2;
    }
    pairs_ = std::move(best);
  }

  PairedTrees trees() const {
    PairedTrees all;
    for (const Pair& pair : pairs_) {
      all.down.push_back(tree_of(pair.down, pair.root, network_.arcs()));
      all.up.push_back(tree_of(pair.up, pair.root, reversed_));
    }
    return all;
  }

 private:
  struct Pair {
    Vertex root;
    Branching down, up;
  };

  /// What an arc with so many trees more carries above what it can in the time.
  double beyond(std::size_t arc, std::int64_t more) const {
    const double room = static_cast<double>(network_.arcs()[arc].capacity) * time_;
    return std::max(0.0, static_cast<double>(loads_[arc] + more) - room * (1 + 1e-12));
  }
  /// Of an arc for one tree more: it evens out what arcs carry, above all where that is more than they can.
  std::vector<double> costs() const {
    std::vector<double> costs;
    for (std::size_t i = 0; i < loads_.size(); ++i) {
      const double capacity = static_cast<double>(network_.arcs()[i].capacity) / mean_;
      const double busy = (static_cast<double>(loads_[i]) + 0.5) / capacity;
      costs.push_back((1 + wanted_[i] / 2) * (1 + busy + 4 * beyond(i, 1) / capacity) / capacity);
    }
    return costs;
  }
  static double sum(const Branching& branching, const std::vector<double>& costs) {
    double all = 0;
    for (const std::int32_t arc : branching)
      if (arc >= 0) all += costs[at(arc)];
    return all;
  }
  void load(const Branching& branching, std::int64_t times) {
    for (const std::int32_t arc : branching)
      if (arc >= 0) loads_[at(arc)] += times;
  }

  void move_roots() {
    for (Pair& pair : pairs_) {
      load(pair.down, -1), load(pair.up, -1);
      pair = cheapest_pair();
      load(pair.down, 1), load(pair.up, 1);
    }
  }
  /// From the root that has the cheapest.
  Pair cheapest_pair() const {
    const std::vector<double> now = costs();
    double least = std::numeric_limits<double>::infinity();
    Pair best;
    for (Vertex root = 0; root < network_.vertices(); ++root) {
      Pair pair{root, cheapest_branching(network_.vertices(), root, network_.arcs(), now),
                cheapest_branching(network_.vertices(), root, reversed_, now)};
      const double cost = sum(pair.down, now) + sum(pair.up, now);
      if (cost < least) least = cost, best = std::move(pair);
    }
    return best;
  }
  void replace(Branching& branching, Vertex root, const std::vector<Arc>& arcs) {
    load(branching, -1);
    branching = cheapest_branching(network_.vertices(), root, arcs, costs());
    load(branching, 1);
  }
  /// The time of the arc that takes longest.
  double busiest() const {
    double most = 0;
    for (std::size_t i = 0; i < loads_.size(); ++i)
      most = std::max(most, static_cast<double>(loads_[i]) / static_cast<double>(network_.arcs()[i].capacity));
    return most;
  }

  RootedTree tree_of(const Branching& into, Vertex root, const std::vector<Arc>& arcs) const {
    RootedTree tree{network_.rank(root), 1, std::vector<std::int32_t>(at(network_.ranks()), -1)};
    for (Vertex v = 0; v < network_.vertices(); ++v)
      if (into[at(v)] >= 0)
        tree.parent[at(network_.rank(v))] = static_cast<std::int32_t>(network_.rank(arcs[at(into[at(v)])].from));
    for (Rank r = 0; r < network_.ranks(); ++r) {
      std::int32_t depth = 0;
      for (std::int32_t v = tree.parent[at(r)]; v >= 0; v = tree.parent[at(v)]) ++depth;
      tree.depth = std::max(tree.depth, depth);
    }
    return tree;
  }

  const Network& network_;
  std::vector<Arc> reversed_;
  double mean_ = 1;  ///< capacity
  double time_ = 1;  ///< in which arcs may carry all pairs
  std::vector<std::int64_t> loads_;
  std::vector<double> wanted_;  ///< beyond what there is, in all sweeps
  std::vector<Pair> pairs_;
};

std::vector<std::int64_t> carried(const Network& network, const std::vector<RootedTree>& trees, bool is_up) {
  std::vector<std::int64_t> loads(network.arcs().size(), 0);
  for (const RootedTree& tree : trees)
    for (Rank r = 0; r < network.ranks(); ++r) {
      const Rank parent = tree.parent[at(r)];
      if (parent < 0) continue;
      const Vertex here = network.host(r), there = network.host(parent);
      loads[at(is_up ? network.find(here, there) : network.find(there, here))] += tree.copies;
    }
  return loads;
}

}  // namespace

bool small_enough_for_pairs(const Network& network) {
  constexpr std::int64_t most_looks = std::int64_t{1} << 14;
  return network.ranks() == network.vertices() &&
         network.ranks() * static_cast<std::int64_t>(network.arcs().size()) <= most_looks;
}

PairedTrees tree_pairs(const Network& network, std::int64_t count) {
  Pairs pairs(network, count);
  pairs.improve();
  return pairs.trees();
}

PairLoads loads_of(const Network& network, const std::vector<RootedTree>& down, const std::vector<RootedTree>& up) {
  return {carried(network, down, false), carried(network, up, true)};
}

}  // namespace quadrille::flow
