#include "algorithm/scatter/shared/earliest.hpp"

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "algorithm/kit/counted.hpp"
#include "algorithm/kit/earliest_trees.hpp"
#include "algorithm/kit/support.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::scatter {

namespace {

std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }

bool goes_past_ranks(const Spec& spec, const Machine& machine) {
  return machine.switching != Switching::store_and_forward || !spec.topology->direct();
}

/// Whether it does not matter to the tree who is who.
bool of_runs(const Spec& spec, const Params& params) {
  return params.get("runs", 0) == 1 || spec.topology->diameter() <= 1;
}

std::shared_ptr<const kit::EarliestTrees> tree(const Spec& spec, const Machine& machine, const Params& params) {
  Spec planned = spec;
  if (of_runs(spec, params)) {
    planned.topology = parse_topology(fmt::format("crossbar:{}", spec.ranks()));
    planned.root = 0;
  }
  return kit::earliest_trees(planned, machine, 1, kit::bytes_of_size(params.get("size", 0)));
}

/// Every message has the blocks of its receiver and of all ranks below that: one run of memory of a relay, where the
/// blocks wait in the order in which the tree is walked, its own one first. That goes to its place in the last round; a
/// block that comes alone goes there at once. No tmp slot is used twice.
class DownTree final : public Schedule {
 public:
  DownTree(const Spec& spec, const kit::EarliestTrees& tree, bool of_runs)
      : root_(spec.root), nodes_(at(spec.ranks())) {
    for (const kit::TreeMessage& m : tree.messages) {
      nodes_[at(m.from)].children.push_back({m.to, m.round});
      nodes_[at(m.to)].parent = m.from, nodes_[at(m.to)].got = m.round;
    }
    walk(of_runs ? 0 : root_);
    if (of_runs) follow_each_other();
    Slot most = 0;
    for (const Node& n : nodes_)
      if (n.parent >= 0 && n.below > 1) most = std::max(most, n.below);
    shape_ = {.ranks = spec.ranks(),
              .rounds = tree.rounds,
              .in = spec.ranks(),
              .out = 1,
              .tmp = most,
              .cut = {.bytes = spec.bytes}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Node& own = nodes_[at(r)];
    if (own.parent >= 0 && own.got == t)
      out.recv(own.parent, own.below > 1 ? Buffer::tmp : Buffer::out, contiguous(0, own.below));
    for (const Child& child : own.children)
      if (child.round == t) hand_over(r, nodes_[at(child.rank)], child.rank, out);
    if (t + 1 == shape_.rounds && own.parent >= 0 && own.below > 1)
      out.move(r, Buffer::tmp, contiguous(0, 1), Buffer::out, contiguous(0, 1));
  }

 private:
  struct Child {
    Rank rank;
    Round round;
  };
  struct Node {
    Rank parent = -1;
    Round got = -1;
    std::vector<Child> children;  ///< in the order in which they are sent to
    Slot first = 0, below = 1;    ///< where its blocks are in the order of the walk, and how many
  };

  /// Ranks in the order in which the tree is walked, each before those below it.
  void walk(Rank root) {
    std::vector<Rank> waiting{root};
    while (!waiting.empty()) {
      const Rank r = waiting.back();
      waiting.pop_back();
      nodes_[at(r)].first = static_cast<Slot>(order_.size());
      order_.push_back(r);
      for (const Child& child : nodes_[at(r)].children) waiting.push_back(child.rank);
    }
    for (auto r = order_.rbegin(); r != order_.rend(); ++r)
      if (const Rank parent = nodes_[at(*r)].parent; parent >= 0) nodes_[at(parent)].below += nodes_[at(*r)].below;
  }
  /// The i-th rank of the walk becomes the i-th after the root: of the root, too, every message is one run of memory
  /// then, or two.
  void follow_each_other() {
    const Rank ranks = std::ssize(nodes_);
    const auto renamed = [&](Rank r) { return (root_ + nodes_[at(r)].first) % ranks; };
    std::vector<Node> all(nodes_.size());
    for (Rank r = 0; r < ranks; ++r) {
      Node node = nodes_[at(r)];
      if (node.parent >= 0) node.parent = renamed(node.parent);
      for (Child& child : node.children) child.rank = renamed(child.rank);
      all[at(renamed(r))] = std::move(node);
    }
    nodes_ = std::move(all);
    for (Rank i = 0; i < ranks; ++i) order_[at(i)] = (root_ + i) % ranks;
  }
  void hand_over(Rank r, const Node& child, Rank to, Steps& out) const {
    if (r != root_) return out.send(to, Buffer::tmp, contiguous(child.first - nodes_[at(r)].first, child.below));
    for (Slot i = 0; i < child.below;) {
      Slot run = 1;
      while (i + run < child.below && order_[at(child.first + i + run)] == order_[at(child.first + i)] + run) ++run;
      out.send(to, Buffer::in, contiguous(order_[at(child.first + i)], run));
      i += run;
    }
  }

  Rank root_;
  std::vector<Node> nodes_;
  std::vector<Rank> order_;
  Shape shape_;
};

SchedulePtr build(const Spec& spec, const Machine& machine, const Params& params) {
  auto down = std::make_shared<DownTree>(spec, *tree(spec, machine, params), of_runs(spec, params));
  if (spec.collective == Collective::scatter) return down;
  return schedule::reverse(std::move(down));
}

Claims claims(const Spec& spec, const Machine& machine, const Params& params) {
  const auto planned = tree(spec, machine, params);
  return {.contention_free = !planned->meet && (spec.topology->diameter() <= 1 || !of_runs(spec, params)),
          .exact = false,  // in a round one rank may send most, and another one pack most
          .port_free = planned->most_at_rank <= spec.topology->degree()};
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  const bool either = spec.topology->diameter() > 1 && goes_past_ranks(spec, machine);
  std::vector<Params> all;
  for (std::int64_t runs = 0; runs <= (either ? 1 : 0); ++runs)
    for (std::int64_t size = 0; size <= (machine.has_overhead() ? kit::largest_size : 0); ++size)
      all.push_back({{"size", {size}}, {"runs", {runs}}});
  return all;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  std::string reason =
      kit::earliest_trees_illegal(spec, spec.collective == Collective::scatter ? "scatter_halving" : "gather_halving");
  if (!reason.empty() || params.get("runs", 0) == 0 || spec.topology->diameter() <= 1) return reason;
  if (!goes_past_ranks(spec, machine))
    return "runs=1 sends to ranks that are not neighbours, which needs circuit or wormhole switching; try runs=0";
  return {};
}

}  // namespace

Algorithm by_earliest_tree(Collective collective, const kit::Description& d) {
  return {
      .name = d.name,
      .collective = collective,
      .summary = d.summary,
      .source = d.source,
      .closed_form = d.closed_form,
      .parameters = {{.name = "size",
                      .meaning = "the tree is made for messages of 1024 * 4^size bytes",
                      .low = 0,
                      .high = kit::largest_size},
                     {.name = "runs",
                      .meaning = "1: whatever the ways, a message is of ranks that follow each other; 0: near ranks",
                      .low = 0,
                      .high = 1}},
      .claims = claims,
      .illegal = illegal,
      .variants = variants,
      .cost = kit::cost_of<build>,
      .build = build};
}

}  // namespace quadrille::algorithm::scatter
