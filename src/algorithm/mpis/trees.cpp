#include "algorithm/mpis/trees.hpp"

#include <algorithm>
#include <memory>

#include "algorithm/kit/duality.hpp"
#include "algorithm/pattern/tree.hpp"

namespace quadrille::algorithm::mpis {

namespace {

std::size_t at(Rank r) { return static_cast<std::size_t>(r); }

Children no_children(Rank ranks) { return Children(at(ranks)); }

/// Names are counted from the root; the rounds in which packets first come follow from the order of children.
struct Listed {
  Listed(Children of, Rank root_rank) : children(std::move(of)), root(root_rank) {
    const Rank p = std::ssize(children);
    parent.assign(at(p), 0);
    level.assign(at(p), 0);
    std::vector<Rank> queue{0};
    for (std::size_t i = 0; i < queue.size(); ++i) {
      std::int64_t turn = 0;
      for (const Rank child : children[at(queue[i])]) {
        parent[at(child)] = queue[i];
        level[at(child)] = level[at(queue[i])] + ++turn;
        depth = std::max(depth, level[at(child)]);
        queue.push_back(child);
      }
      fanout = std::max(fanout, turn);
    }
  }
  Rank name(Rank r) const { return base::wrap(r - root, std::ssize(children)); }
  Rank rank(Rank name) const { return (name + root) % std::ssize(children); }

  Children children;
  Rank root;
  std::vector<Rank> parent;
  std::vector<std::int64_t> level;
  std::int64_t depth = 0, fanout = 0;
};

}  // namespace

Children star(Rank ranks, const Params&) {
  Children all = no_children(ranks);
  for (Rank r = 1; r < ranks; ++r) all[0].push_back(r);
  return all;
}

Children chains(Rank ranks, const Params& params) {
  Children all = no_children(ranks);
  const Rank others = ranks - 1, chains = std::min(params.get("fanout", 1), std::max<Rank>(others, 1));
  Rank head = 1;
  for (Rank c = 0; c < chains; ++c) {
    const Rank length = others / chains + (c < others % chains ? 1 : 0);
    if (length > 0) all[0].push_back(head);
    for (Rank r = head; r + 1 < head + length; ++r) all[at(r)].push_back(r + 1);
    head += length;
  }
  return all;
}

Children binary(Rank ranks, const Params&) {
  Children all = no_children(ranks);
  for (Rank first = 0, width = 1; first < ranks; first += width, width *= 2)
    for (Rank r = first; r < std::min(first + width, ranks); ++r)
      for (const Rank child : {r + width, r + 2 * width})
        if (child < ranks) all[at(r)].push_back(child);
  return all;
}

Children binomial(Rank ranks, const Params&) {
  Children all = no_children(ranks);
  for (Rank r = 0; r < ranks; ++r)
    for (Rank bit = 1; r + bit < ranks; bit *= 2)
      if (bit > r) all[at(r)].push_back(r + bit);
  return all;
}

Children knomial(Rank ranks, const Params& params) {
  Children all = no_children(ranks);
  const Rank radix = params.get("fanout", 4);
  Rank top = 1;
  while (top < ranks) top *= radix;
  for (Rank r = 0; r < ranks; ++r) {
    Rank digit = 1;  // the lowest digit of the rank that is not 0
    while (digit < top && r % (digit * radix) == 0) digit *= radix;
    for (Rank below = digit / radix; below > 0; below /= radix)
      for (Rank times = 1; times < radix && r + below * times < ranks; ++times) all[at(r)].push_back(r + below * times);
  }
  return all;
}

Children binomial_in_order(Rank ranks, const Params&) { return knomial(ranks, {{"fanout", {2}}}); }

Children binary_in_order(Rank ranks, const Params&) {
  Children all = no_children(ranks);
  struct Run {
    Rank first, end;
  };
  std::vector<Run> runs{{0, ranks}};
  const auto add = [&](Rank parent, Rank child) {
    if (child != 0) all[at(parent)].push_back(child);
  };
  while (!runs.empty()) {
    const auto [first, end] = runs.back();
    runs.pop_back();
    const Rank size = end - first, low = size / 2, top = end - 1;
    if (size < 2) continue;
    add(top, top - 1);
    runs.push_back({first + low, top});
    if (low == 0 || first + low == top) continue;
    add(top, first + low - 1);
    runs.push_back({first, first + low});
  }
  if (ranks > 1) all[0].push_back(ranks - 1);
  return all;
}

std::int64_t segments_of(const Params& params, Bytes bytes) {
  const std::int64_t size = params.get("segment", 0);
  return size <= 0 ? 1 : std::max<std::int64_t>(1, base::ceil_div(bytes, size));
}

SchedulePtr down(const Spec& spec, const Params& params, ChildrenOf children) {
  const auto listed = std::make_shared<const Listed>(children(spec.ranks(), params), spec.root);
  pattern::Tree tree{.depth = listed->depth,
                     .fanout = listed->fanout,
                     .level = [=](Rank r) { return listed->level[at(listed->name(r))]; },
                     .parent = [=](Rank r) { return listed->rank(listed->parent[at(listed->name(r))]); },
                     .children = [=](Rank r) { return std::ssize(listed->children[at(listed->name(r))]); },
                     .child =
                         [=](Rank r, std::int64_t i) {
                           return listed->rank(listed->children[at(listed->name(r))][static_cast<std::size_t>(i)]);
                         }};
  const std::int64_t interval = std::max<std::int64_t>(1, listed->fanout);
  return pattern::tree_schedule(spec, std::move(tree), segments_of(params, spec.bytes), interval);
}

SchedulePtr reduced(const Spec& spec, const Params& params, Collective forwards, Distributes distributes) {
  using schedule::Results;
  Params of_elements = params;
  if (const std::int64_t size = params.get("segment", 0); size > 0)
    of_elements.set("segment", {std::max<std::int64_t>(1, size / spec.element)});
  const bool blocks = forwards == Collective::allgather, twice = spec.collective == Collective::allreduce;
  const SchedulePtr base = distributes(kit::in_elements(spec, forwards), of_elements);
  const schedule::Vector vector = kit::vector_of(spec, blocks ? spec.ranks() : 1);
  const Results results = twice ? Results::everywhere : blocks ? Results::own_block : Results::at_root;
  SchedulePtr backwards = schedule::dual(base, vector, results, spec.root);
  if (twice) backwards = schedule::then(backwards, schedule::of_elements(base, vector));
  return schedule::without_empty(backwards);
}

}  // namespace quadrille::algorithm::mpis
