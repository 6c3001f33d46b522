// A part of the message down each of n trees that share no directed link, so that all links of all ranks work.
// Tree j hangs under the root's neighbour e_j: the binomial tree of e_j over the dimensions j+1, j+2, ..., j (the last
// one most significant), without the root, which would be a leaf of it.
#include "algorithm/bcast/shared/forest.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_esbt {

namespace {

class Esbt final : public Schedule {
 public:
  Esbt(int dimension, Bytes bytes, std::int64_t packets) : n_(dimension), packets_(packets) {
    shape_ = {.ranks = base::bit(n_),
              .rounds = bytes == 0 ? 0 : packets + n_,
              .out = 1,
              .cut = kit::packet_cut(bytes, packets, n_)};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    for (int j = 0; j < n_; ++j) {
      const Rank y = base::rotate_right(r ^ base::bit(j), (j + 1) % n_, n_);  // the rank as tree j numbers it; 0 is e_j
      const int width = base::log2_floor(y) + 1;
      const int level = r == 0 ? 0 : base::popcount(y) + 1;
      const auto rank = [&](Rank relative) { return base::rotate_left(relative, (j + 1) % n_, n_) ^ base::bit(j); };
      if (const Slot s = slot(j, t - (level - 1)); level > 0 && s >= 0)
        out.recv(level == 1 ? 0 : rank(y ^ base::bit(width - 1)), Buffer::out, contiguous(s, 1));
      const Slot s = slot(j, t - level);
      if (s < 0) continue;
      if (r == 0) out.send(base::bit(j), Buffer::out, contiguous(s, 1));
      for (int b = width; r != 0 && b < n_; ++b)
        if (rank(y ^ base::bit(b)) != 0) out.send(rank(y ^ base::bit(b)), Buffer::out, contiguous(s, 1));
    }
  }

 private:
  Slot slot(int tree, std::int64_t packet) const {
    return packet >= 0 && packet < packets_ ? tree * packets_ + packet : -1;
  }
  int n_;
  std::int64_t packets_;
  Shape shape_;
};

/// Every tree is a pipeline of depth n + 1.
kit::Lengths depths(int n) { return kit::Lengths(static_cast<std::size_t>(n), n + 1); }

/// In every round some rank sends n messages or gets as many, but for one or two at the end.
Cost esbt_cost(const Spec& spec, const Machine& machine, const Params& params) {
  const int n = kit::dimension(spec);
  const std::int64_t packets = kit::packets_of(params);
  const bool split = kit::half_duplex(machine);
  const Cost cost = (split ? bcast::split_forest_cost : kit::equal_cost)(depths(n), spec.bytes, packets);
  const std::int64_t missing = n == 2 ? 0 : packets == 1 ? 1 : split ? 2 : 0;
  return kit::with_further(cost, (n - 1) * cost.startups - missing);
}

std::int64_t best_esbt_packets(const Spec& spec, const Machine& machine) {
  const pattern::Further further{[&](std::int64_t nu) {
                                   return esbt_cost(spec, machine, {{"packets", {nu}}}).further;
                                 },
                                 kit::further_time(machine), kit::dimension(spec) - 1};
  return (kit::half_duplex(machine) ? bcast::best_split_forest_packets : kit::best_equal_packets)(
      depths(kit::dimension(spec)), spec.bytes, kit::neighbour_startup(spec, machine), machine.beta, further);
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = kit::needs_hypercube(spec, 2); !reason.empty()) return reason;
  if (kit::dimension(spec) < 2) return "needs at least 2 dimensions, and hypercube:1 has one wire; try bcast_binomial";
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  return kit::packets_illegal(params, spec.bytes, kit::dimension(spec));
}

}  // namespace

Algorithm describe() {
  return {
      .name = "bcast_esbt",
      .collective = Collective::bcast,
      .summary = "a part of the message down each of n edge-disjoint spanning binomial trees",
      .source = "Johnsson & Ho 1989, edge-disjoint spanning binomial trees",
      .closed_form = {.startups = "nu + n",
                      .bytes = "(nu + n) m/(n nu)",
                      .further = "(n - 1) (nu + n)",
                      .where = "hypercube, full duplex, n nu divides m"},
      .literature = {{.families = {"hypercube"},
                      .says = "the n edge-disjoint trees of Johnsson & Ho reach the bound's volume, and pay n "
                              "start-ups to fill them"}},
      .parameters = {{.name = "packets", .meaning = "packets of nearly equal size that each tree's part is cut in"}},
      .claims = [](const Spec&, const Machine& m,
                   const Params&) { return Claims{.exact = !m.multicast}; },  // copies may leave as one message
      .illegal = illegal,
      .variants =
          [](const Spec& s, const Machine& m) {
            return std::vector{Params{{"packets", {best_esbt_packets(s, m)}}}};
          },
      .cost = esbt_cost,
      .build =
          [](const Spec& s, const Machine& m, const Params& p) {
            const auto trees = std::make_shared<Esbt>(kit::dimension(s), s.bytes, kit::packets_of(p));
            return kit::split_if_half(schedule::relabel_xor(trees, s.root), s, m);
          }};
}

}  // namespace quadrille::algorithm::bcast_esbt
