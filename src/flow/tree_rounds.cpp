#include "flow/tree_rounds.hpp"

#include <algorithm>
#include <limits>

#include "base/integer.hpp"
#include "flow/requirement.hpp"

namespace quadrille::flow {

namespace {

std::int64_t pieces_at_once(std::int64_t capacity, std::int64_t rounds) {
  return std::max<std::int64_t>(1, (capacity + rounds / 2) / rounds);
}

class TreeRounds {
 public:
  TreeRounds(const Network& network, const std::vector<RootedTree>& trees, const TreePace& pace, std::int64_t pieces)
      : ranks_(network.ranks()), pace_(pace), uses_(network.arcs().size()) {
    std::int64_t widest = 1;
    for (const Arc& arc : network.arcs()) widest = std::max(widest, arc.capacity);
    for (const Arc& arc : network.arcs())
      ends_.push_back({arc, pieces_at_once(pace.one_port ? widest : arc.capacity, pace.rounds)});
    for (std::size_t j = 0; j < trees.size(); ++j) {
      const RootedTree& tree = trees[j];
      std::vector<std::int64_t>& has = arrived_.emplace_back(at(ranks_), 0);
      has[at(tree.root)] = all_.emplace_back(tree.copies * pieces);
      if (pace.evenly) has[at(tree.root)] = 0, handed_out_ = false, roots_.push_back({tree.root, tree.copies});
      left_ += all_.back() * (ranks_ - 1);
      const std::vector<std::int64_t> height = heights(tree);
      for (Rank r = 0; r < ranks_; ++r)
        if (tree.parent[at(r)] >= 0)
          uses_[at(network.find(tree.parent[at(r)], r))].push_back({static_cast<std::int32_t>(j), height[at(r)]});
    }
  }

  std::vector<TreeRun> run() {
    std::int64_t idle = 0;  // rounds without a message
    for (std::int32_t round = 0; left_ > 0; ++round) {
      const std::size_t before = runs_.size();
      waiting_.clear();
      if (pace_.evenly && round % pace_.rounds == 0) hand_out();
      for (std::size_t a = 0; a < uses_.size(); ++a)
        if (const Next next = next_over(a, round); next.pieces > 0) waiting_.push_back(next);
      if (pace_.one_port) keep_to_ports();
      for (const Next& n : waiting_)
        runs_.push_back(
            {round, n.tree, static_cast<std::int32_t>(ends_[n.arc].arc.to), static_cast<std::int32_t>(n.pieces)});
      if (runs_.size() == before)
        ++idle;
      else
        idle = 0;
      if (idle >= pace_.rounds && handed_out_) throw Error(Error::Kind::internal, "pieces wait, and none can go on");
      for (std::size_t i = before; i < runs_.size(); ++i) {  // what arrives in a round goes on in a later one
        arrived_[at(runs_[i].tree)][at(runs_[i].to)] += runs_[i].pieces;
        left_ -= runs_[i].pieces;
      }
    }
    return std::move(runs_);
  }

 private:
  struct Use {
    std::int32_t tree;
    std::int64_t height;  ///< arcs from the tail to the farthest rank below
  };
  struct Ends {
    Arc arc;
    std::int64_t at_once;
  };

  std::vector<std::int64_t> heights(const RootedTree& tree) const {
    std::vector<std::int64_t> height(at(ranks_), 0);
    for (Rank r = 0; r < ranks_; ++r) {
      std::int64_t above = 1;
      for (std::int64_t v = r; v >= 0 && (v == r || height[at(v)] < above); v = tree.parent[at(v)], ++above)
        height[at(v)] = std::max(height[at(v)], above);
    }
    return height;
  }

  /// One piece more of each copy.
  void hand_out() {
    handed_out_ = true;
    for (std::size_t j = 0; j < roots_.size(); ++j) {
      std::int64_t& has = arrived_[j][at(roots_[j].rank)];
      has = std::min(all_[j], has + roots_[j].copies);
      handed_out_ = handed_out_ && has == all_[j];
    }
  }

  /// What can go over an arc.
  struct Next {
    std::size_t arc = 0;
    std::int32_t tree = -1;
    std::int64_t pieces = 0, farthest = 0;
  };
  Next next_over(std::size_t a, std::int32_t round) const {
    const auto& [arc, always] = ends_[a];
    const std::int64_t at_once = pace_.at_once.empty() ? always : pace_.at_once[a][at(round % pace_.rounds)];
    Next best{a};
    for (const Use& use : uses_[a]) {
      const std::vector<std::int64_t>& has = arrived_[at(use.tree)];
      const std::int64_t some = std::min(at_once, has[at(arc.from)] - has[at(arc.to)]);
      if (some <= 0) continue;
      const std::int64_t far = use.height * at_once + all_[at(use.tree)] - has[at(arc.to)];
      if (some > best.pieces || (some == best.pieces && far > best.farthest)) best = {a, use.tree, some, far};
    }
    return best;
  }

  void keep_to_ports() {
    std::stable_sort(waiting_.begin(), waiting_.end(), [](const Next& a, const Next& b) {
      return a.pieces != b.pieces ? a.pieces > b.pieces : a.farthest > b.farthest;
    });
    std::vector<char> sends(at(ranks_), 0), takes(at(ranks_), 0);
    std::erase_if(waiting_, [&](const Next& n) {
      const Arc& arc = ends_[n.arc].arc;
      if (sends[at(arc.from)] != 0 || takes[at(arc.to)] != 0) return true;
      sends[at(arc.from)] = takes[at(arc.to)] = 1;
      return false;
    });
  }

  struct Root {
    Rank rank;
    std::int64_t copies;
  };

  Rank ranks_;
  TreePace pace_;
  std::vector<Next> waiting_;
  std::vector<Ends> ends_;
  std::vector<std::vector<Use>> uses_;              ///< of every arc
  std::vector<std::vector<std::int64_t>> arrived_;  ///< of every tree, at every rank
  std::vector<std::int64_t> all_;                   ///< pieces of every tree
  std::vector<Root> roots_;                         ///< of every tree, where they hand out evenly
  bool handed_out_ = true;                          ///< all of it
  std::int64_t left_ = 0;
  std::vector<TreeRun> runs_;
};

}  // namespace

std::vector<std::int64_t> loads_of(const Network& network, const std::vector<RootedTree>& trees) {
  std::vector<std::int64_t> loads(network.arcs().size(), 0);
  for (const RootedTree& tree : trees)
    for (Rank r = 0; r < network.ranks(); ++r)
      if (tree.parent[at(r)] >= 0) loads[at(network.find(tree.parent[at(r)], r))] += tree.copies;
  return loads;
}

TreePace pace_of(const Network& network, const std::vector<RootedTree>& trees) {
  const std::vector<std::int64_t> loads = loads_of(network, trees);
  const std::int64_t most = loads.empty() ? 1 : *std::max_element(loads.begin(), loads.end());
  for (std::int64_t rounds = std::max<std::int64_t>(1, most); rounds > 1; --rounds) {
    double slowest = std::numeric_limits<double>::max(), busiest = 0;
    std::int64_t enough = 1;
    for (std::size_t a = 0; a < loads.size(); ++a) {
      if (loads[a] == 0) continue;
      const std::int64_t capacity = network.arcs()[a].capacity, at_once = pieces_at_once(capacity, rounds);
      enough = std::max(enough, base::ceil_div(loads[a], at_once));
      slowest = std::min(slowest, static_cast<double>(at_once) / static_cast<double>(loads[a]));
      busiest = std::max(busiest, static_cast<double>(at_once) / static_cast<double>(capacity));
    }
    if (busiest > 1.01 * slowest) continue;
    // With as many pieces at once fewer rounds may be enough.
    const bool alike = std::all_of(network.arcs().begin(), network.arcs().end(), [&](const Arc& arc) {
      return pieces_at_once(arc.capacity, enough) == pieces_at_once(arc.capacity, rounds);
    });
    return {alike ? enough : rounds};
  }
  return {1};
}

std::vector<TreeRun> tree_rounds(const Network& network, const std::vector<RootedTree>& trees, const TreePace& pace,
                                 std::int64_t pieces) {
  std::vector<TreeRun> runs = TreeRounds(network, trees, pace, pieces).run();
  std::int64_t depth = 0;
  for (const RootedTree& tree : trees) depth = std::max<std::int64_t>(depth, tree.depth);
  // Where roots hand out as fast as arcs take it, some arcs may wait for others that serve another tree.
  const std::int64_t ideal = pieces * pace.rounds + depth;
  if (pace.evenly || pace.one_port || runs.empty() || runs.back().round < ideal + ideal / 50) return runs;
  TreePace even = pace;
  even.evenly = true;
  std::vector<TreeRun> others = TreeRounds(network, trees, even, pieces).run();
  return others.back().round < runs.back().round ? others : runs;
}

}  // namespace quadrille::flow
