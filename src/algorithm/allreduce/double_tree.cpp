// Halves of the vector in packets up two trees, and their results down again. Each rank is inner in one tree and a
// leaf of the other, so that all ports work.
#include "algorithm/allreduce/shared/double_tree.hpp"

#include "algorithm/allreduce/shared/packets.hpp"
#include "algorithm/kit/counted.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_double_tree {

namespace {

/// The way down, from the roots of both trees.
class Down final : public Schedule {
 public:
  Down(Rank ranks, Bytes bytes, std::int64_t packets) : trees_(ranks), packets_(packets) {
    shape_ = {.ranks = ranks,
              .rounds = bytes == 0 ? 0 : trees_.rounds(packets),
              .out = 1,
              .cut = kit::packet_cut(bytes, packets, 2)};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    for (std::size_t tree = 0; tree < 2; ++tree) {
      const DoubleTree::Place& place = at(tree, r);
      if (const std::int64_t p = packet(place, t); place.parent >= 0 && p >= 0)
        out.recv(place.parent, Buffer::out, slot(tree, p));
      for (const Rank child : place.children)
        if (const std::int64_t p = packet(at(tree, child), t); p >= 0) out.send(child, Buffer::out, slot(tree, p));
    }
  }

 private:
  using DoubleTree = allreduce::DoubleTree;
  const DoubleTree::Place& at(std::size_t tree, Rank r) const {
    return trees_.trees[tree][static_cast<std::size_t>(r)];
  }
  /// Which packet goes over the edge to the parent in round t; -1: none.
  std::int64_t packet(const DoubleTree::Place& place, Round t) const {
    const std::int64_t since = t - place.first;
    return since >= 0 && since % 2 == 0 && since / 2 < packets_ ? since / 2 : -1;
  }
  Slots slot(std::size_t tree, std::int64_t p) const { return contiguous(static_cast<Slot>(tree) * packets_ + p, 1); }
  DoubleTree trees_;
  std::int64_t packets_;
  Shape shape_;
};

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = allreduce::packets_on_switch_illegal(spec, machine); !reason.empty()) return reason;
  return kit::packets_illegal(params, spec.bytes, 2);
}

SchedulePtr build(const Spec& spec, const Machine&, const Params& params) {
  return std::make_shared<Down>(spec.ranks(), spec.bytes, kit::packets_of(params));
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  const std::int64_t more = allreduce::DoubleTree(spec.ranks()).rounds(1) - 2;
  return allreduce::best_of_packets(spec, machine, {.each = 2, .more = more, .parts = 2}, [&](const Params& params) {
    return kit::counted_cost(spec, machine, *build(spec, machine, params));
  });
}

Algorithm base() {
  return {
      .name = "bcast_double_tree",
      .collective = Collective::bcast,
      .summary = "halves down two trees",
      .source = "Sanders, Speck & Traeff 2009",
      .closed_form = {.where = "switch"},
      .parameters = {kit::packets_parameter()},
      .claims = kit::all_claims,
      .illegal = illegal,
      .variants = variants,
      .cost = [](const Spec& s, const Machine& m, const Params& p) { return kit::counted_cost(s, m, *build(s, m, p)); },
      .build = build};
}

bool even_ranks(const Spec& spec, const Machine&, const Params&) { return spec.ranks() % 2 == 0; }

}  // namespace

Algorithm describe() {
  return kit::dual_of<base, kit::combined_as_sent, even_ranks>(
      Collective::allreduce,
      {.name = "allreduce_double_tree",
       .summary = "halves in packets up two trees, and their results down again; an inner rank of one is a leaf of the "
                  "other",
       .source = "Sanders, Speck & Traeff 2009",
       .closed_form = {.where = "switch"}});
}

}  // namespace quadrille::algorithm::allreduce_double_tree
