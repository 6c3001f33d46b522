// Two halves of the vector up two binary trees of all ranks but the root, which sends to neither: a rank that has
// children in one tree has none in the other, so that all ranks send and receive a packet in nearly every round.
#include <array>
#include <set>

#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_double_tree {

namespace {

constexpr Rank none = -1;

/// A tree over places 0 .. P-2 and the root, place P-1. In a broadcast packet p would come from a rank's parent in
/// round first + 2p; the rounds of the reduction are those backwards.
struct Tree {
  explicit Tree(Rank places) : parent(static_cast<std::size_t>(places), none), first(parent) {}
  std::vector<Rank> parent, first;
  std::vector<std::array<Rank, 2>> children;
};

/// Places first .. end-1 below `parent`, left and right of the place in the middle, in order.
void in_order_tree(Tree& tree, Rank first, Rank end, Rank parent) {
  if (first >= end) return;
  const Rank middle = first + base::bit(base::log2_floor(end - first)) - 1;
  tree.parent[static_cast<std::size_t>(middle)] = parent;
  in_order_tree(tree, first, middle, middle);
  in_order_tree(tree, middle + 1, end, middle);
}

/// The tree with its places renamed so that those with children are the others.
Tree exchanged(const Tree& tree, Rank places) {
  const auto other = [&](Rank place) {
    if (place == places) return place;
    return places % 2 == 0 ? places - 1 - place : (place + 1) % places;
  };
  Tree renamed(places);
  for (Rank i = 0; i < places; ++i)
    renamed.parent[static_cast<std::size_t>(other(i))] = other(tree.parent[static_cast<std::size_t>(i)]);
  return renamed;
}

class DoubleTree {
 public:
  explicit DoubleTree(const Spec& spec)
      : places_(spec.ranks() - 1), root_(spec.root), trees_{Tree(places_), Tree(places_)} {
    in_order_tree(trees_[0], 0, places_, places_);
    trees_[1] = exchanged(trees_[0], places_);
    for (Tree& tree : trees_) list_children(tree);
    colour();
    for (Tree& tree : trees_) time(tree);
  }

  Round rounds(std::int64_t packets) const { return places_ == 0 ? 0 : 2 * (packets - 1) + last_ + 1; }
  /// Rounds with a message: messages of an edge are two rounds apart, and some edge begins in each of `used_`.
  std::int64_t busy_rounds(std::int64_t packets) const {
    std::int64_t busy = 0;
    std::array<Rank, 2> until{0, 1};
    for (const Rank first : used_) {
      Rank& end = until[static_cast<std::size_t>(first % 2)];
      const Rank begin = std::max(end, first);
      end = first + 2 * packets;
      busy += (end - begin) / 2;
    }
    return busy;
  }

  void step(std::int64_t packets, Round t, Rank r, Steps& out) const {
    const Round forwards = rounds(packets) - 1 - t;
    const Rank place = place_of(r);
    for (const Slot half : {0, 1}) {
      const Tree& tree = trees_[static_cast<std::size_t>(half)];
      const auto packet = [&](Rank child) -> Slot {
        const Round since = forwards - tree.first[static_cast<std::size_t>(child)];
        return since < 0 || since % 2 != 0 || since / 2 >= packets ? none : half * packets + since / 2;
      };
      const std::array<Rank, 2>& children = tree.children[static_cast<std::size_t>(place)];
      const Buffer sum = place == places_ ? Buffer::out : Buffer::tmp;
      if (place != places_)
        if (const Slot p = packet(place); p != none)
          out.send(rank(tree.parent[static_cast<std::size_t>(place)]), children[0] == none ? Buffer::in : sum,
                   kit::at(p));
      for (const Rank child : children)
        if (child != none)
          if (const Slot p = packet(child); p != none)
            out.combine(rank(child), sum, kit::at(p),
                        kit::onto(r, rank(child), is_first(tree, children, child) ? Buffer::in : sum, p));
    }
  }

 private:
  Rank rank(Rank place) const { return place == places_ ? root_ : place + (place >= root_ ? 1 : 0); }
  Rank place_of(Rank r) const { return r == root_ ? places_ : r - (r > root_ ? 1 : 0); }
  /// What comes from a child in an earlier round of the reduction comes in a later one of the broadcast.
  static bool is_first(const Tree& tree, const std::array<Rank, 2>& children, Rank child) {
    const Rank other = children[0] == child ? children[1] : children[0];
    return other == none || tree.first[static_cast<std::size_t>(child)] > tree.first[static_cast<std::size_t>(other)];
  }

  void list_children(Tree& tree) const {
    tree.children.assign(static_cast<std::size_t>(places_) + 1, {none, none});
    for (Rank i = 0; i < places_; ++i) {
      auto& children = tree.children[static_cast<std::size_t>(tree.parent[static_cast<std::size_t>(i)])];
      children[children[0] == none ? 0 : 1] = i;
    }
  }

  /// The two edges to a place's children, and those to a place from its two parents, get different colours. Each edge
  /// has one neighbour of either kind, so that edges form paths and circles of even length, which are walked along.
  void colour() {
    struct Edge {
      std::size_t tree;
      Rank child;
    };
    const auto colour_of = [&](Edge e) -> Rank& { return trees_[e.tree].first[static_cast<std::size_t>(e.child)]; };
    const auto sibling = [&](Edge e) -> Edge {
      const Rank parent = trees_[e.tree].parent[static_cast<std::size_t>(e.child)];
      if (parent == places_) return {1 - e.tree, trees_[1 - e.tree].children[static_cast<std::size_t>(places_)][0]};
      const auto& children = trees_[e.tree].children[static_cast<std::size_t>(parent)];
      return {e.tree, children[0] == e.child ? children[1] : children[0]};
    };
    const auto walk = [&](Edge e, Rank colour, bool from_parent) {
      for (; e.child != none && colour_of(e) == none; colour = 1 - colour, from_parent = !from_parent) {
        colour_of(e) = colour;
        e = from_parent ? Edge{1 - e.tree, e.child} : sibling(e);
      }
    };
    for (Rank i = 0; i < places_; ++i) {
      const Edge start{0, i};
      if (colour_of(start) != none) continue;
      walk(start, 0, true);
      walk(sibling(start), 1, true);
    }
  }

  /// From colours to first rounds, parents before children.
  void time(Tree& tree) {
    std::vector<Rank> open{tree.children[static_cast<std::size_t>(places_)][0]};
    while (!open.empty()) {
      const Rank place = open.back();
      open.pop_back();
      if (place == none) continue;
      const Rank parent = tree.parent[static_cast<std::size_t>(place)];
      const Rank earliest = parent == places_ ? 0 : tree.first[static_cast<std::size_t>(parent)] + 1;
      Rank& first = tree.first[static_cast<std::size_t>(place)];
      first = earliest + (earliest + first) % 2;
      last_ = std::max(last_, first);
      used_.insert(first);
      for (const Rank child : tree.children[static_cast<std::size_t>(place)]) open.push_back(child);
    }
  }

  Rank places_, root_;
  std::array<Tree, 2> trees_;
  Rank last_ = 0;
  std::set<Rank> used_;
};

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = kit::needs_crossbar(spec); !reason.empty()) return reason;
  if (kit::half_duplex(machine))
    return "ranks send and receive in the same round, and links of this machine carry one direction at a time; try "
           "reduce_interval or --set duplex=full";
  return kit::vector_packets_illegal(spec, params, 2);
}

Cost formula(const Spec& spec, const Machine&, const Params& params) {
  const std::int64_t packets = kit::packets_of(params), rounds = DoubleTree(spec).busy_rounds(packets);
  const Bytes packet = base::checked_multiply(base::ceil_div(kit::elements(spec), 2 * packets), spec.element, "bytes");
  Cost cost = kit::neighbour_cost(rounds, base::checked_multiply(rounds, packet, "bytes"));
  cost.combined = cost.bytes;
  return cost;
}

/// A pipeline of two packets a round, whose first one comes as late as the last of the deepest rank does.
std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  const std::int64_t late = DoubleTree(spec).rounds(1) - 1;
  Spec half = spec;
  half.bytes = base::ceil_div(kit::elements(spec), 2) * spec.element;
  const kit::Pipe pipe{late + 2, base::ceil_div(kit::elements(spec), 2), 2};
  half.bytes = pipe.bytes;
  return {Params{{"packets", {kit::best_packets(pipe, half, kit::combining(spec, machine))}}}};
}

Claims claims(const Spec& spec, const Machine&, const Params& params) {
  const bool at_end = spec.root == 0 || spec.root == spec.ranks() - 1;
  return {.exact = kit::elements(spec) % (2 * kit::packets_of(params)) == 0,
          .in_order = at_end && (spec.ranks() % 2 == 1 || spec.ranks() == 2)};
}

}  // namespace

Algorithm describe() {
  return {.name = "reduce_double_tree",
          .collective = Collective::reduce,
          .summary = "halves of the vector up two binary trees at once: twice as many packets as one tree takes",
          .source = "Sanders, Speck & Traeff 2009",
          .closed_form = {.where = "crossbar: 2 nu rounds of m/(2 nu), and about 2 log2(P) more"},
          .parameters = {kit::packets_parameter()},
          .claims = claims,
          .illegal = illegal,
          .variants = variants,
          .cost = formula,
          .build = [](const Spec& s, const Machine&, const Params& p) {
            const auto trees = std::make_shared<const DoubleTree>(s);
            const std::int64_t packets = kit::packets_of(p);
            return kit::vector_schedule(s, trees->rounds(packets), 1,
                                        {[=](Round t, Rank r, Steps& out) { trees->step(packets, t, r, out); }},
                                        packets, 2);
          }};
}

}  // namespace quadrille::algorithm::reduce_double_tree
