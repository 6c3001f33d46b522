#include "algorithm/scan/shared/tree.hpp"

#include <algorithm>
#include <array>

namespace quadrille::algorithm::scan {

namespace tree {

namespace {

constexpr Rank none = -1;
constexpr Round period = 3;  ///< rounds from packet to packet: a rank has a parent and two children

/// Vectors of tmp. What an exscan sends to the right has the own contribution, which its result has not.
constexpr Slot total = 0, above = 1, own = 2;

/// A rank, and the part of all ranks below it: first the lower ones, then itself, then the others.
struct Node {
  Rank parent = none, left = none, right = none;
  bool gives_total = false;      ///< the part's total is before some rank outside
  bool takes_prefix = false;     ///< ranks are before the part
  Round up = none, down = none;  ///< when the first packet goes to the parent, and comes from it
  bool has_both() const { return left != none && right != none; }
};

/// Every edge has one of three colours, and no two of a rank the same; in a round of its colour both directions go.
class Tree {
 public:
  explicit Tree(Rank ranks) : nodes_(static_cast<std::size_t>(ranks)) {
    grow(0, ranks, none, period - 1, false);
    Round earliest = last_;
    for (const Node& n : nodes_)
      for (const Round first : {n.up, n.down})
        if (first != none) earliest = std::min(earliest, first);
    for (Node& n : nodes_)
      for (Round* const first : {&n.up, &n.down})
        if (*first != none) *first -= earliest;
    last_ -= earliest;
  }
  const Node& operator[](Rank r) const { return nodes_[static_cast<std::size_t>(r)]; }
  Rank ranks() const { return static_cast<Rank>(nodes_.size()); }
  Round rounds(std::int64_t packets) const { return nodes_.size() < 2 ? 0 : last_ + period * (packets - 1) + 1; }

 private:
  static Round next(Round earliest, Round colour) { return earliest + (colour + period - earliest % period) % period; }

  /// Ranks first .. end-1, whose total goes up in round `earliest` or later. Those with one child have a right one, so
  /// that what is changed later is not needed any more.
  Rank grow(Rank first, Rank end, Rank parent, Round colour, bool gives_total, Round earliest = 0) {
    if (first >= end) return none;
    const Rank middle = first + (end - first - 1) / 2;
    Node n{.parent = parent, .gives_total = gives_total, .takes_prefix = first > 0};
    nodes_[static_cast<std::size_t>(middle)] = n;
    n.left = grow(first, middle, middle, (colour + 1) % period, true);
    const Round after_left = n.left == none ? 0 : (*this)[n.left].up + 1;  // what comes from the right is put behind
    n.right = grow(middle + 1, end, middle, (colour + 2) % period, gives_total, after_left);
    if (gives_total) {
      const Round after_right = n.right == none ? after_left : (*this)[n.right].up + 1;
      n.up = next(std::max(earliest, after_right), colour);
      last_ = std::max(last_, n.up);
    }
    nodes_[static_cast<std::size_t>(middle)] = n;
    if (parent == none) descend(middle, colour);
    return middle;
  }

  /// When prefixes come to the children, parents before children.
  void descend(Rank r, Round colour) {
    const Node n = (*this)[r];
    const Round after_prefix = n.takes_prefix ? n.down + 1 : 0;
    const Round after_left = n.left == none ? 0 : (*this)[n.left].up + 1;
    if (n.left != none && n.takes_prefix) comes_down(n.left, (colour + 1) % period, after_prefix);
    if (n.right != none) comes_down(n.right, (colour + 2) % period, std::max(after_prefix, after_left));
    if (n.left != none) descend(n.left, (colour + 1) % period);
    if (n.right != none) descend(n.right, (colour + 2) % period);
  }
  /// Not before the rank has what stands behind the prefix, and has it in its total.
  void comes_down(Rank r, Round colour, Round earliest) {
    Node& n = nodes_[static_cast<std::size_t>(r)];
    if (n.has_both()) earliest = std::max(earliest, (*this)[n.left].up + 1);
    if (n.has_both() && n.gives_total) earliest = std::max(earliest, (*this)[n.right].up + 1);
    n.down = next(earliest, colour);
    last_ = std::max(last_, n.down);
  }

  std::vector<Node> nodes_;
  Round last_ = 0;
};

/// What ranks do with packets on the tree.
class TreeSteps {
 public:
  TreeSteps(Rank ranks, std::int64_t packets, bool with_own) : tree_(ranks), packets_(packets), with_own_(with_own) {}

  const Tree& tree() const { return tree_; }
  Slot vectors() const { return with_own_ ? 2 : 3; }

  void operator()(Round t, Rank r, Steps& out) const {
    const Node& n = tree_[r];
    if (const Slot p = packet(t, n.up); p != none)
      send(n.parent, n.right == none ? up_to_itself(n) : Place{Buffer::tmp, total}, p, out);
    if (n.left != none) {
      if (const Slot p = packet(t, tree_[n.left].up); p != none) take_left(n, p, out);
      if (const Slot p = packet(t, tree_[n.left].down); p != none) send(n.left, {Buffer::tmp, above}, p, out);
    }
    if (n.right != none) {
      if (const Slot p = packet(t, tree_[n.right].up); p != none)
        out.combine(n.right, Buffer::tmp, slots({Buffer::tmp, total}, p),
                    onto(Combine::Incoming::right, up_to_itself(n), p));
      if (const Slot p = packet(t, tree_[n.right].down); p != none) send(n.right, before_right(n), p, out);
    }
    if (const Slot p = packet(t, n.down); p != none) take_prefix(n, p, out);
  }

  /// Results that a rank computes from a packet of its parent.
  int combined_from_parent(const Node& n) const {
    return with_own_ ? 1 : (n.left != none ? 1 : 0) + (n.right != none ? 1 : 0);
  }

 private:
  struct Place {
    Buffer buffer;
    Slot vector = 0;
  };
  Slot packet(Round t, Round first) const {
    const Round since = t - first;
    return first == none || since < 0 || since % period != 0 || since / period >= packets_ ? none : since / period;
  }
  Slots slots(Place place, Slot p) const {
    return kit::at(place.buffer == Buffer::tmp ? p * vectors() + place.vector : p);
  }
  Combine onto(Combine::Incoming side, Place operand, Slot p, bool again = false) const {
    return {.incoming = side, .again = again, .buffer = operand.buffer, .with = slots(operand, p).first};
  }
  void send(Rank to, Place from, Slot p, Steps& out) const { out.send(to, from.buffer, slots(from, p)); }

  /// The part's lower ranks and the rank itself.
  Place up_to_itself(const Node& n) const {
    if (n.left == none) return {Buffer::in};
    return with_own_ ? Place{Buffer::out} : Place{Buffer::tmp, own};
  }
  Place before_right(const Node& n) const {
    if (!n.takes_prefix) return up_to_itself(n);
    return with_own_ ? Place{Buffer::out} : Place{Buffer::tmp, own};
  }

  void take_left(const Node& n, Slot p, Steps& out) const {
    const Place to = up_to_itself(n);
    if (!with_own_) out.recv(n.left, Buffer::out, kit::at(p));
    out.combine(n.left, to.buffer, slots(to, p), onto(Combine::Incoming::left, {Buffer::in}, p, !with_own_));
  }

  void take_prefix(const Node& n, Slot p, Steps& out) const {
    const auto put_before = [&](Place to, Place operand, bool again) {
      out.combine(n.parent, to.buffer, slots(to, p), onto(Combine::Incoming::left, operand, p, again));
    };
    if (n.left != none) out.recv(n.parent, Buffer::tmp, slots({Buffer::tmp, above}, p));
    if (with_own_) return put_before({Buffer::out}, up_to_itself(n), n.left != none);
    if (n.left == none) out.recv(n.parent, Buffer::out, kit::at(p));
    if (n.left != none) put_before({Buffer::out}, {Buffer::out}, true);
    if (n.right != none) put_before({Buffer::tmp, own}, up_to_itself(n), true);
  }

  Tree tree_;
  std::int64_t packets_;
  bool with_own_;
};

TreeSteps steps_of(const Spec& spec, const Params& params) {
  return {spec.ranks(), kit::packets_of(params), spec.collective == Collective::scan};
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = kit::needs_crossbar(spec); !reason.empty()) return reason;
  if (kit::half_duplex(machine))
    return fmt::format(
        "totals and prefixes pass each other, and links of this machine carry one direction at a time; try {}_chain "
        "or --set duplex=full",
        to_string(spec.collective));
  return kit::vector_packets_illegal(spec, params);
}

/// Rounds in which messages go that begin in these rounds and come every third one.
std::int64_t rounds_covered(std::vector<Round> firsts, std::int64_t packets) {
  std::sort(firsts.begin(), firsts.end());
  std::array<Round, period> ends{};
  std::int64_t covered = 0;
  for (const Round first : firsts) {
    Round& end = ends[static_cast<std::size_t>(first % period)];
    const Round begin = std::max(end, first);
    end = std::max(end, first + period * packets);
    covered += std::max<Round>(end - begin, 0) / period;
  }
  return covered;
}

Cost cost(const Spec& spec, const Machine&, const Params& params) {
  const std::int64_t packets = kit::packets_of(params);
  const TreeSteps steps = steps_of(spec, params);
  std::array<std::vector<Round>, 3> firsts;  // of messages from which at least so many results are computed
  for (Rank r = 0; r < spec.ranks(); ++r) {
    const Node& n = steps.tree()[r];
    const auto add = [&](Round first, int combined) {
      for (int i = 0; first != none && i <= combined; ++i) firsts[static_cast<std::size_t>(i)].push_back(first);
    };
    add(n.up, 1);
    add(n.down, steps.combined_from_parent(n));
  }
  const Bytes packet = base::checked_multiply(base::ceil_div(kit::elements(spec), packets), spec.element, "bytes");
  const std::int64_t rounds = rounds_covered(firsts[0], packets);
  Cost all = kit::neighbour_cost(rounds, base::checked_multiply(rounds, packet, "bytes"));
  all.combined = base::checked_multiply(rounds_covered(firsts[1], packets) + rounds_covered(firsts[2], packets), packet,
                                        "bytes combined");
  return all;
}

/// Long pipelines are busy for three rounds a packet and some more; short ones for fewer, so that these are tried.
std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  constexpr std::int64_t many = 64, few = 4;
  Spec elements = spec;
  elements.bytes = kit::elements(spec);
  Spec of_many = spec;
  of_many.bytes = many * spec.element;
  const std::int64_t busy = cost(of_many, machine, Params{{"packets", {many}}}).startups;
  const kit::Pipe pipe{std::max<Round>(busy - period * (many - 1), 1), elements.bytes, period};
  const std::int64_t best = kit::best_packets(pipe, elements, kit::combining(spec, machine));
  std::vector<Params> all{Params{{"packets", {best}}}};
  for (std::int64_t packets = 1; packets < std::min(best, few); ++packets)
    all.push_back(Params{{"packets", {packets}}});
  return all;
}

}  // namespace

}  // namespace tree

Algorithm in_a_tree(Collective collective, const kit::Description& d) {
  return {.name = d.name,
          .collective = collective,
          .summary = d.summary,
          .source = d.source,
          .closed_form = d.closed_form,
          .parameters = {kit::packets_parameter()},
          .claims =
              [](const Spec& s, const Machine&, const Params& p) {
                return Claims{.exact = kit::elements(s) % kit::packets_of(p) == 0, .in_order = true};
              },
          .illegal = tree::illegal,
          .variants = tree::variants,
          .cost = tree::cost,
          .build =
              [](const Spec& s, const Machine&, const Params& p) {
                const auto steps = std::make_shared<const tree::TreeSteps>(tree::steps_of(s, p));
                const std::int64_t packets = kit::packets_of(p);
                return kit::vector_schedule(s, steps->tree().rounds(packets), steps->vectors(),
                                            {[=](Round t, Rank r, Steps& out) { (*steps)(t, r, out); }}, packets);
              }};
}

}  // namespace quadrille::algorithm::scan
