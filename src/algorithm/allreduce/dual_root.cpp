// Two trees side by side, whose roots exchange: packets go up and, as soon as the roots have combined them, down again
// at the same time. A rank has up to three edges, of three colours, and in every third round talks over one of them.
#include "algorithm/allreduce/shared/packets.hpp"
#include "algorithm/allreduce/shared/vectors.hpp"
#include "algorithm/kit/counted.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_dual_root {

namespace {

/// Subtrees are runs of ranks, their root in the middle, so that contributions keep the order of ranks.
struct Place {
  Rank parent = -1;  ///< of a root: the other root
  bool root = false;
  std::vector<Rank> children = {};
  int colour = 0;                 ///< of the edge to the parent
  std::int64_t up = 0, down = 0;  ///< rounds in which the first packet goes over it
};

class Trees {
 public:
  explicit Trees(Rank ranks) : places_(static_cast<std::size_t>(ranks)) {
    if (ranks < 2) return;
    const Rank half = base::ceil_div(ranks, 2);
    const Rank left = build(0, half, -1, 0), right = build(half, ranks, -1, 0);
    std::int64_t both = 0;
    for (const Rank root : {left, right}) both = std::max(both, ready(root));
    both = in_turn(both, 0);
    for (const Rank root : {left, right}) {
      Place& place = at(root);
      place.root = true, place.parent = root == left ? right : left, place.up = place.down = both;
      send_down(root);
    }
  }
  const Place& place(Rank r) const { return places_[static_cast<std::size_t>(r)]; }
  std::int64_t last() const {
    std::int64_t last = -1;
    for (const Place& place : places_) last = std::max(last, places_.size() < 2 ? -1 : place.down);
    return last;
  }

 private:
  Place& at(Rank r) { return places_[static_cast<std::size_t>(r)]; }
  /// The first round from `soonest` on in which edges of the colour are active.
  static std::int64_t in_turn(std::int64_t soonest, int colour) { return soonest + base::wrap(colour - soonest, 3); }

  Rank build(Rank low, Rank end, Rank parent, int colour) {
    const Rank root = (low + end) / 2;
    at(root).parent = parent, at(root).colour = colour;
    int next = colour;
    for (const auto& [first, behind] : {std::pair{low, root}, {root + 1, end}}) {
      if (first >= behind) continue;
      next = (next + 1) % 3;
      const Rank child = build(first, behind, root, next);
      at(root).children.push_back(child);
    }
    at(root).up = in_turn(ready(root), colour);
    return root;
  }
  std::int64_t ready(Rank r) {
    std::int64_t soonest = 0;
    for (const Rank child : at(r).children) soonest = std::max(soonest, at(child).up + 1);
    return soonest;
  }
  void send_down(Rank r) {
    for (const Rank child : at(r).children) {
      at(child).down = in_turn(at(r).down + 1, at(child).colour);
      send_down(child);
    }
  }
  std::vector<Place> places_;
};

class DualRoot final : public Schedule {
 public:
  DualRoot(const Spec& spec, std::int64_t packets) : trees_(spec.ranks()), packets_(packets) {
    const bool any = spec.bytes > 0 && spec.ranks() > 1;
    shape_ = {.ranks = spec.ranks(),
              .rounds = any ? trees_.last() + 3 * (packets - 1) + 1 : 0,
              .in = 1,
              .out = 1,
              .tmp = any ? 1 : 0,
              .cut = {.bytes = spec.bytes, .packets = packets, .unit = spec.element}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Place& own = trees_.place(r);
    const Buffer value = own.children.empty() ? Buffer::in : Buffer::tmp;
    if (const std::int64_t p = packet(own.up, t); p >= 0) {
      out.send(own.parent, value, contiguous(p, 1));
      if (own.root)
        out.combine(own.parent, Buffer::out, contiguous(p, 1),
                    {.incoming = allreduce::side_of(own.parent, r), .buffer = value, .with = p});
    }
    if (const std::int64_t p = packet(own.down, t); p >= 0 && !own.root)
      out.recv(own.parent, Buffer::out, contiguous(p, 1));
    for (const Rank child : own.children) with_child(t, r, child, out);
  }

 private:
  void with_child(Round t, Rank r, Rank child, Steps& out) const {
    const Place& place = trees_.place(child);
    if (const std::int64_t p = packet(place.down, t); p >= 0) out.send(child, Buffer::out, contiguous(p, 1));
    const std::int64_t p = packet(place.up, t);
    if (p < 0) return;
    bool first = true;
    for (const Rank other : trees_.place(r).children) first = first && place.up <= trees_.place(other).up;
    out.combine(child, Buffer::tmp, contiguous(p, 1),
                {.incoming = allreduce::side_of(child, r), .buffer = first ? Buffer::in : Buffer::tmp, .with = p});
  }
  /// Which packet goes in round t where the first goes in round `first`; -1: none.
  std::int64_t packet(std::int64_t first, Round t) const {
    const std::int64_t since = t - first;
    return since >= 0 && since % 3 == 0 && since / 3 < packets_ ? since / 3 : -1;
  }
  Trees trees_;
  std::int64_t packets_;
  Shape shape_;
};

SchedulePtr build(const Spec& spec, const Machine&, const Params& params) {
  return std::make_shared<DualRoot>(spec, kit::packets_of(params));
}

Cost cost(const Spec& spec, const Machine& machine, const Params& params) {
  return kit::counted_cost(spec, machine, *build(spec, machine, params));
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = allreduce::packets_on_switch_illegal(spec, machine); !reason.empty()) return reason;
  return kit::packets_illegal(params, spec.bytes / spec.element);
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  const std::int64_t more = Trees(spec.ranks()).last() - 2;
  return allreduce::best_of_packets(spec, machine, {.each = 3, .more = more, .parts = 1},
                                    [&](const Params& params) { return cost(spec, machine, params); });
}

}  // namespace

Algorithm describe() {
  return {.name = "allreduce_dual_root",
          .collective = Collective::allreduce,
          .summary = "packets up two trees whose roots exchange, and down again at the same time, in rank order",
          .source = "Traeff 2021, arXiv 2109.12626",
          .closed_form = {.where = "switch"},
          .parameters = {kit::packets_parameter()},
          .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.in_order = true}; },
          .illegal = illegal,
          .variants = variants,
          .cost = cost,
          .build = build};
}

}  // namespace quadrille::algorithm::allreduce_dual_root
