#include "algorithm/bcast/shared/two_edst.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include "algorithm/pattern/listed_tree.hpp"
#include "base/integer.hpp"

namespace quadrille::algorithm::bcast {

namespace {

/// Ranks beside (r, c) over wires of one graph, by number.
std::vector<Rank> beside(Rank rank, Rank side, Rank shift, bool graph_x) {
  const Rank r = rank / side, c = rank % side, up = (r + 1) % side, down = (r + side - 1) % side;
  const Rank right = (c + 1) % side, left = (c + side - 1) % side;
  const auto across = [&](Rank column) { return (column != (r + shift) % side) == graph_x; };  // from that column right
  const auto along = [&](Rank row) { return (row == (c + shift) % side) == graph_x; };         // from that row up
  std::vector<Rank> ranks;
  if (across(c)) ranks.push_back(r * side + right);
  if (across(left)) ranks.push_back(r * side + left);
  if (along(r)) ranks.push_back(up * side + c);
  if (along(down)) ranks.push_back(down * side + c);
  std::sort(ranks.begin(), ranks.end());
  return ranks;
}

/// Of ranks named from the root.
pattern::ListedTree breadth_first(Rank side, Rank shift, bool graph_x) {
  std::vector<Rank> parent(static_cast<std::size_t>(side * side), -1), queue{0};
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Rank next : beside(queue[i], side, shift, graph_x))
      if (Rank& above = parent[static_cast<std::size_t>(next)]; next != 0 && above < 0) {
        above = queue[i];
        queue.push_back(next);
      }
  return pattern::ListedTree(std::move(parent));
}

}  // namespace

std::vector<pattern::Tree> edst_trees(Rank side, Rank root, Rank shift) {
  const auto moved = [=](Rank r, Rank sign) {
    const Rank row = base::wrap(r / side + sign * (root / side), side),
               column = base::wrap(r % side + sign * (root % side), side);
    return row * side + column;
  };
  const auto rank = [=](Rank name) { return moved(name, 1); };
  const auto name = [=](Rank r) { return static_cast<std::size_t>(moved(r, -1)); };
  std::vector<pattern::Tree> trees;
  for (const bool graph_x : {true, false}) {
    const auto tree = std::make_shared<const pattern::ListedTree>(breadth_first(side, shift, graph_x));
    trees.push_back(
        {.depth = tree->depth,
         .fanout = 4,
         .level = [=](Rank r) { return tree->level[name(r)]; },
         .parent = [=](Rank r) { return rank(tree->parent[name(r)]); },
         .children = [=](Rank r) { return std::ssize(tree->children[name(r)]); },
         .child = [=](Rank r, std::int64_t i) { return rank(tree->children[name(r)][static_cast<std::size_t>(i)]); }});
  }
  return trees;
}

Rank edst_shift(Rank side) { return side / 4 - (side % 2 == 0); }

Rank edst_depth(Rank side) {
  constexpr std::array<Rank, 4> rest{-2, 0, 2, 4};
  return side / 4 * 7 + rest[static_cast<std::size_t>(side % 4)];
}

}  // namespace quadrille::algorithm::bcast
