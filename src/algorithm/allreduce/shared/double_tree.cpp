#include "algorithm/allreduce/shared/double_tree.hpp"

#include <algorithm>

#include "base/integer.hpp"

namespace quadrille::algorithm::allreduce {

namespace {

std::size_t at(Rank r) { return static_cast<std::size_t>(r); }

}  // namespace

DoubleTree::DoubleTree(Rank ranks) {
  for (auto& tree : trees) tree.resize(at(ranks));
  build_first(0, ranks, -1);
  build_second();
  colour_edges();
  for (std::size_t tree = 0; tree < 2; ++tree)
    for (Rank r = 0; r < ranks; ++r)
      if (trees[tree][at(r)].parent < 0) time_edges(tree, r);
}

std::int64_t DoubleTree::rounds(std::int64_t packets) const {
  std::int64_t last = -1;
  for (const auto& tree : trees)
    for (const Place& place : tree)
      if (place.parent >= 0) last = std::max(last, place.first);
  return last < 0 ? 0 : last + 2 * (packets - 1) + 1;
}

void DoubleTree::build_first(Rank low, Rank end, Rank parent) {
  if (low >= end) return;
  const Rank root = low + base::bit(base::log2_floor(end - low)) - 1;
  trees[0][at(root)].parent = parent;
  if (parent >= 0) trees[0][at(parent)].children.push_back(root);
  build_first(low, root, root);
  build_first(root + 1, end, root);
}

void DoubleTree::build_second() {
  const auto ranks = static_cast<Rank>(trees[0].size());
  const auto name = [ranks](Rank r) { return ranks % 2 == 0 ? ranks - 1 - r : (r + 1) % ranks; };
  for (Rank r = 0; r < ranks; ++r) {
    const Place& place = trees[0][at(r)];
    Place& second = trees[1][at(name(r))];
    if (place.parent >= 0) second.parent = name(place.parent);
    for (const Rank child : place.children) second.children.push_back(name(child));
  }
}

/// Edges that share a sender or a receiver form paths and cycles of even length, along which colours alternate.
void DoubleTree::colour_edges() {
  struct Edge {
    std::size_t tree;
    Rank child;
  };
  const auto ranks = static_cast<Rank>(trees[0].size());
  std::array<std::vector<bool>, 2> done{std::vector<bool>(at(ranks)), std::vector<bool>(at(ranks))};
  std::vector<Edge> waiting;
  const auto give = [&](std::size_t tree, Rank child, int colour) {
    if (trees[tree][at(child)].parent < 0 || done[tree][at(child)]) return;
    done[tree][at(child)] = true;
    trees[tree][at(child)].colour = colour;
    waiting.push_back({tree, child});
  };
  for (std::size_t tree = 0; tree < 2; ++tree)
    for (Rank r = 0; r < ranks; ++r) {
      give(tree, r, 0);
      while (!waiting.empty()) {
        const Edge edge = waiting.back();
        waiting.pop_back();
        const Place& place = trees[edge.tree][at(edge.child)];
        give(1 - edge.tree, edge.child, 1 - place.colour);
        for (std::size_t other = 0; other < 2; ++other)
          for (const Rank child : trees[other][at(place.parent)].children) give(other, child, 1 - place.colour);
      }
    }
}

void DoubleTree::time_edges(std::size_t tree, Rank r) {
  const Place& place = trees[tree][at(r)];
  for (const Rank child : place.children) {
    Place& below = trees[tree][at(child)];
    const std::int64_t soonest = place.parent < 0 ? 0 : place.first + 1;
    below.first = soonest + (soonest + below.colour) % 2;
    time_edges(tree, child);
  }
}

}  // namespace quadrille::algorithm::allreduce
