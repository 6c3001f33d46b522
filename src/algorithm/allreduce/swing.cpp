// Recursive halving and doubling with the partners of Swing: in every step of the halving a rank gives its partner the
// blocks of all ranks that the partner still talks to, directly or through others. With several ways parts of every
// block begin on other axes, or with partners on the other side.
#include "algorithm/allreduce/shared/swing.hpp"

#include <algorithm>

#include "algorithm/kit/counted.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_swing {

namespace {

/// The doubling: an all-gather, partners of the last steps first.
class Swinging final : public Schedule {
 public:
  Swinging(const Spec& spec, Slot ways) {
    const int axes = allreduce::swing_axes(spec);
    for (int way = 0; way < ways; ++way) ways_.emplace_back(spec, way % axes, way < axes ? 1 : -1);
    shape_ = {.ranks = spec.ranks(),
              .rounds = ways_.front().steps(),
              .out = spec.ranks(),
              .cut = {.bytes = spec.bytes, .parts = ways}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    for (std::size_t way = 0; way < ways_.size(); ++way) {
      const int step = static_cast<int>(shape_.rounds - 1 - t);
      const Rank peer = ways_[way].peer(step, r);
      const Slot part = static_cast<Slot>(way) * shape_.ranks;
      if (out.wants(Kind::send, peer))
        runs(held(ways_[way], step + 1, r),
             [&](Slot first, Slot size) { out.send(peer, Buffer::out, contiguous(part + first, size)); });
      if (out.wants(Kind::recv, peer))
        runs(held(ways_[way], step + 1, peer),
             [&](Slot first, Slot size) { out.recv(peer, Buffer::out, contiguous(part + first, size)); });
    }
  }

 private:
  /// Ranks that r talks to in the steps from `step` on, itself and through others, increasing.
  static std::vector<Rank> held(const allreduce::SwingPeers& peers, int step, Rank r) {
    std::vector<Rank> ranks{r};
    for (int i = step; i < peers.steps(); ++i)
      for (std::size_t j = ranks.size(); j-- > 0;) ranks.push_back(peers.peer(i, ranks[j]));
    std::sort(ranks.begin(), ranks.end());
    return ranks;
  }
  template <class Append>
  static void runs(const std::vector<Rank>& ranks, Append append) {
    for (std::size_t i = 0, first = 0; i < ranks.size(); ++i)
      if (i + 1 == ranks.size() || ranks[i + 1] != ranks[i] + 1) {
        append(ranks[first], static_cast<Slot>(i + 1 - first));
        first = i + 1;
      }
  }
  std::vector<allreduce::SwingPeers> ways_;
  Shape shape_;
};

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = allreduce::swing_illegal(spec, machine, 1024); !reason.empty()) return reason;
  const std::int64_t ways = params.get("ways", 1), most = 2 * allreduce::swing_axes(spec);
  if (ways > most)
    return fmt::format("ways={} is more than the {} ways that {} has; try ways={}", ways, most, spec.topology->text(),
                       most);
  return ways > 1 ? kit::needs_all_ports(machine) : std::string();
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  std::vector<Params> all{{{"ways", {1}}}};
  const Params most{{"ways", {2 * allreduce::swing_axes(spec)}}};
  if (illegal(spec, machine, most).empty()) all.push_back(most);
  return all;
}

SchedulePtr build(const Spec& spec, const Machine&, const Params& params) {
  return std::make_shared<Swinging>(spec, params.get("ways", 1));
}

Algorithm base() {
  return {
      .name = "allgather_swing",
      .collective = Collective::allgather,
      .summary = "doubling with the partners of Swing",
      .source = "De Sensi et al. 2024, Swing",
      .closed_form = {.where = "ring of 2^d ranks, circuits"},
      .parameters = {{.name = "ways", .meaning = "parts of every block that begin on other axes or sides"}},
      .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.contention_free = false}; },
      .illegal = illegal,
      .variants = variants,
      .cost = [](const Spec& s, const Machine& m, const Params& p) { return kit::counted_cost(s, m, *build(s, m, p)); },
      .build = build};
}

}  // namespace

Algorithm describe() {
  return kit::dual_of<base, kit::combined_all_others, kit::never_in_order>(
      Collective::allreduce, {.name = "allreduce_swing",
                              .summary = "halving and doubling among ranks 1, -1, 3, -5, ... places apart on a ring",
                              .source = "De Sensi et al. 2024, Swing",
                              .closed_form = {.where = "ring of 2^d ranks, circuits"}});
}

}  // namespace quadrille::algorithm::allreduce_swing
