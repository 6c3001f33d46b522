// Every rank combines its block of the vector, and the root gathers the blocks up a binomial tree: each rank combines
// hardly more than a vector in all, and none is sent more often than twice.
#include <array>

#include "algorithm/kit/vectors.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_scatter_gather {

namespace {

/// Ranks are counted from the root, and piece i of the vector is the block of rank i. Blocks are combined over a
/// circulant graph: with distance s' = ceil(s / 2), where s is the distance before, a rank sends the blocks of the
/// ranks s' .. s - 1 on from it to the rank s' on from it.
class ScatterGather {
 public:
  explicit ScatterGather(const Spec& spec) : ranks_(spec.ranks()), root_(spec.root), half_(base::log2_ceil(ranks_)) {}

  Round rounds() const { return 2 * half_; }
  void operator()(Round t, Rank r, Steps& out) const {
    const Rank self = base::wrap(r - root_, ranks_);
    const Buffer sum = self == 0 ? Buffer::out : Buffer::tmp;
    t < half_ ? scatter(t, r, self, sum, out) : gather(base::bit(static_cast<int>(t - half_)), self, sum, out);
  }

  /// Blocks that are sent in round t of the first half, and how far.
  struct Blocks {
    Rank distance, count;
  };
  Blocks blocks(Round t) const {
    const Rank before = skip(t), distance = skip(t + 1);
    return {distance, before - distance};
  }
  /// Blocks up to this one from the own one on are combined in the first round.
  Rank combined_first() const { return ranks_ / 2; }

 private:
  Rank skip(Round t) const { return base::ceil_div(ranks_, base::bit(static_cast<int>(t))); }
  Rank rank(Rank from_root) const { return (from_root + root_) % ranks_; }

  void scatter(Round t, Rank r, Rank self, Buffer sum, Steps& out) const {
    const auto [distance, count] = blocks(t);
    const Rank to = rank(base::wrap(self + distance, ranks_)), from = rank(base::wrap(self - distance, ranks_));
    const Rank sums = t == 0 ? 0 : std::clamp<Rank>(combined_first() - distance, 0, count);
    const auto send = [&](Buffer buffer, Rank first, Rank size) {
      if (size > 0)
        pattern::around((self + first) % ranks_, 1, size, ranks_, [&](const Slots& s) { out.send(to, buffer, s); });
    };
    send(sum, distance, sums);
    send(Buffer::in, distance + sums, count - sums);
    pattern::around(self, 1, count, ranks_, [&](const Slots& s) {
      out.combine(from, sum, s, kit::onto(r, from, t == 0 ? Buffer::in : sum, s.first));
    });
  }

  void gather(Rank distance, Rank self, Buffer sum, Steps& out) const {
    const auto tree = [&](Rank below) { return contiguous(below, std::min(distance, ranks_ - below)); };
    if (self % distance != 0) return;
    if ((self & distance) != 0)
      out.send(rank(self - distance), sum, tree(self));
    else if (self + distance < ranks_)
      out.recv(rank(self + distance), sum, tree(self + distance));
  }

  Rank ranks_, root_;
  Round half_;
};

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (std::string reason = kit::needs_switch(spec); !reason.empty()) return reason;
  if (kit::half_duplex(machine) && spec.ranks() > 1)
    return "every rank sends and receives in the same round, and links of this machine carry one direction at a time; "
           "try reduce_binomial or --set duplex=full";
  return {};
}

/// Blocks of several runs are those that go round the end of the vector at some rank, and where only some of the
/// blocks that are sent have been combined.
Cost formula(const Spec& spec, const Machine&, const Params&) {
  const Rank p = spec.ranks();
  const ScatterGather steps(spec);
  const Bytes block = base::checked_multiply(base::ceil_div(kit::elements(spec), p), spec.element, "bytes");
  const Bytes others = base::checked_multiply(p - 1, block, "bytes");
  Cost cost = kit::neighbour_cost(steps.rounds(), base::checked_multiply(2, others, "bytes"));
  cost.combined = others;
  for (Round t = 0; 2 * t < steps.rounds(); ++t) {
    const auto [distance, count] = steps.blocks(t);
    const bool both = t > 0 && distance < steps.combined_first() && distance + count > steps.combined_first();
    cost.packed += count < 2 ? 0 : (both ? 2 : 1) * count * block;
  }
  return kit::over_network(spec, cost);
}

}  // namespace

Algorithm describe() {
  return {.name = "reduce_scatter_gather",
          .collective = Collective::reduce,
          .summary = "every rank combines a block of the vector, and the root gathers the blocks",
          .source = "Rabenseifner 2004; Traeff 2024, Optimal, Non-pipelined Reduce-scatter and Allreduce Algorithms",
          .closed_form = {.startups = "2 ceil(log2(P))", .bytes = "2 (P - 1) m/P", .where = "switch, P divides m"},
          .parameters = {},
          .claims =
              [](const Spec& s, const Machine&, const Params&) {
                return Claims{.exact = kit::elements(s) % s.ranks() == 0, .in_order = s.ranks() == 1};
              },
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost = formula,
          .build =
              [](const Spec& s, const Machine&, const Params&) {
                const ScatterGather steps(s);
                return kit::vector_schedule(s, steps.rounds(), 1, {steps}, 1, s.ranks());
              }};
}

}  // namespace quadrille::algorithm::reduce_scatter_gather
