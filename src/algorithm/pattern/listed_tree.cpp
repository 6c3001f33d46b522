#include "algorithm/pattern/listed_tree.hpp"

#include <algorithm>

namespace quadrille::algorithm::pattern {

namespace {
std::size_t at(Rank r) { return static_cast<std::size_t>(r); }
}  // namespace

ListedTree::ListedTree(std::vector<Rank> parents)
    : parent(std::move(parents)), level(parent.size(), 0), children(parent.size()) {
  std::vector<Rank> queue;
  for (std::size_t r = 0; r < parent.size(); ++r)
    if (parent[r] < 0)
      queue.push_back(static_cast<Rank>(r));
    else
      children[at(parent[r])].push_back(static_cast<Rank>(r));
  for (std::size_t i = 0; i < queue.size(); ++i)
    for (const Rank child : children[at(queue[i])]) {
      level[at(child)] = level[at(queue[i])] + 1;
      queue.push_back(child);
    }
  depth = level[at(queue.back())];
}

Tree tree_of(std::shared_ptr<const ListedTree> listed) {
  std::size_t fanout = 0;
  for (const auto& children : listed->children) fanout = std::max(fanout, children.size());
  return {.depth = listed->depth,
          .fanout = static_cast<std::int64_t>(fanout),
          .level = [listed](Rank r) { return listed->level[at(r)]; },
          .parent = [listed](Rank r) { return listed->parent[at(r)]; },
          .children = [listed](Rank r) { return std::ssize(listed->children[at(r)]); },
          .child = [listed](Rank r, std::int64_t i) { return listed->children[at(r)][static_cast<std::size_t>(i)]; }};
}

}  // namespace quadrille::algorithm::pattern
