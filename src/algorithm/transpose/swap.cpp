// Transposition of a square of ranks by swaps: ranks (i,j) and (j,i) exchange their blocks.
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/pair_swaps.hpp"
#include "algorithm/registry.hpp"
#include "base/integer.hpp"

namespace quadrille::algorithm::transpose_swap {

namespace {

class Mirrored final : public Schedule {
 public:
  Mirrored(const Spec& spec, const pattern::Swaps& swaps, bool barriers)
      : swaps_(swaps),
        barriers_(barriers),
        side_(base::nearest_root(spec.ranks())),
        shape_{.ranks = spec.ranks(), .rounds = swaps.rounds(), .in = 1, .out = 1, .cut = {.bytes = spec.bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank i = r / side_, j = r % side_, low = std::min(i, j), high = std::max(i, j);
    if (i == j) return;
    const Rank peer = j * side_ + i;
    const Rank pair = low * side_ - low * (low + 1) / 2 + high - low - 1;  // row by row above the diagonal
    if (swaps_.sends(t, pair, i < j)) out.send(peer, Buffer::in, contiguous(0, 1));
    if (swaps_.sends(t, pair, i > j)) out.recv(peer, Buffer::out, contiguous(0, 1));
  }
  bool barrier(Round t) const override { return barriers_ && t > 0; }

 private:
  pattern::Swaps swaps_;
  bool barriers_;
  Rank side_;
  Shape shape_;
};

SchedulePtr build(const Spec& spec, const Machine& machine, const Params& params) {
  return std::make_shared<Mirrored>(spec, pattern::Swaps(spec, machine, pattern::mirrored_pairs(spec)),
                                    params.get(pattern::barriers.name, 0) != 0);
}

}  // namespace

Algorithm describe() {
  return {.name = "transpose_swap",
          .collective = Collective::transpose,
          .summary = "ranks that mirror each other in the diagonal swap blocks, as many pairs at once as can",
          .source = "extra: the pairs of Saad & Schultz 1986, sec. 3.5(D), swap directly",
          .closed_form = {.startups = "2 ceil(s (s - 1)/(2 k))",
                          .bytes = "2 ceil(s (s - 1)/(2 k)) m",
                          .where = "bus, P = s^2"},
          .parameters = {pattern::barriers},
          .claims = pattern::swap_claims,
          .illegal = [](const Spec& s, const Machine& m, const Params&) { return pattern::needs_swaps(s, m); },
          .variants = pattern::swap_variants,
          .cost =
              [](const Spec& s, const Machine& m, const Params& params) {
                const SchedulePtr schedule = build(s, m, params);
                return pattern::swap_cost(s, m, params, *schedule);
              },
          .build = build};
}

}  // namespace quadrille::algorithm::transpose_swap
