// Halves of the message down two trees on a torus. The ranks of the root's row and column get the half they lack from
// their neighbours on both sides, even packets from one and odd ones from the other, over links that have done their
// other work by then. [Saad & Schultz 1986, eq. (3.19), the "easy remedy" for half-duplex links]
#include "algorithm/bcast/shared/halves.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_late {

namespace {

std::vector<pattern::Tree> served_trees(const Spec& spec, std::int64_t) {
  const pattern::GridView view(spec);
  std::vector<pattern::Tree> trees;
  for (const int part : {0, 1})
    trees.push_back(
        bcast::pruned(bcast::half_tree(spec, part), [view, part](Rank r) { return !bcast::unserved(view, part, r); }));
  return trees;
}

/// Packet q comes to a rank at distance d along the row or column in round packets + d + 1 + q/2, counted from 1.
class Late final : public Schedule {
 public:
  Late(const Spec& spec, std::int64_t packets, Round rounds) : view_(spec), packets_(packets) {
    trees_ = pattern::forest_schedule(spec, served_trees(spec, packets), packets);
    shape_ = trees_->shape();
    shape_.rounds = rounds;
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    trees_->step(t, r, out);
    for (const int part : {0, 1})
      for (const int side : {1, -1}) {
        if (bcast::unserved(view_, part, r)) {
          if (const Slot p = piece(t, part, side, r); p >= 0)
            out.recv(view_.grid().neighbour(r, part, side), Buffer::out, contiguous(p, 1));
        } else if (const Rank lacking = view_.grid().neighbour(r, part, -side); bcast::unserved(view_, part, lacking)) {
          if (const Slot p = piece(t, part, side, lacking); p >= 0) out.send(lacking, Buffer::out, contiguous(p, 1));
        }
      }
  }

 private:
  /// What an unserved rank gets of the part from the neighbour on that side in round t, counted from 0; -1: nothing.
  Slot piece(Round t, int part, int side, Rank r) const {
    const Round since = t - packets_ - view_.distance(r);
    const std::int64_t packet = 2 * since + (side < 0);
    return since >= 0 && packet < packets_ && shape_.cut.pieces() > 0 ? part * packets_ + packet : -1;
  }

  pattern::GridView view_;
  std::int64_t packets_;
  SchedulePtr trees_;
  Shape shape_;
};

/// What a rank of the row or column gets from both sides, or its neighbour gives.
void late_packets(const pattern::GridView& view, std::int64_t packets, Rank r, std::vector<pattern::Span>& sent,
                  std::vector<pattern::Span>& received) {
  const auto from = [&](Rank lacking, int side) {
    const Round first = packets + view.distance(lacking);
    return pattern::Span{first, first + (packets + (side > 0)) / 2 - 1};
  };
  for (const int part : {0, 1})
    for (const int side : {1, -1}) {
      if (bcast::unserved(view, part, r))
        received.push_back(from(r, side));
      else if (const Rank lacking = view.grid().neighbour(r, part, -side); bcast::unserved(view, part, lacking))
        sent.push_back(from(lacking, side));
    }
}

extern const bcast::Repair repair;

SchedulePtr build_late(const Spec& spec, const Machine&, const Params& params) {
  const std::int64_t packets = kit::packets_of(params);
  return std::make_shared<Late>(spec, packets, bcast::halves_cost(spec, repair, packets).startups);
}

constexpr bcast::Repair repair{.window =
                                   [](std::int64_t packets, Rank reach) {
                                     return kit::Window{packets + 2, packets + 1 + reach, 2};
                                   },
                               .rounds_per_packet = 1.5,
                               .build = build_late,
                               .trees = served_trees,
                               .besides = late_packets};

}  // namespace

Algorithm describe() {
  return bcast::in_halves<repair>(
      {.name = "bcast_late",
       .summary = "halves down two trees of a torus; neighbours serve the root's row and column at the end",
       .source = "extra: the remedy of Saad & Schultz 1986, sec. 3.2(D), done carefully",
       .closed_form = {.startups = "max(nu - 1 + V + H, nu + ceil(nu/2) + max(V, H))",
                       .bytes = "max(nu - 1 + V + H, nu + ceil(nu/2) + max(V, H)) m/(2 nu)",
                       .further = ClosedForm::counted,
                       .where = "torus, 2 nu divides m"}});
}

}  // namespace quadrille::algorithm::bcast_late
