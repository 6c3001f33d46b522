// Transposition of a square of ranks by swaps: ranks (i,j) and (j,i) exchange their blocks.
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/pair_swaps.hpp"
#include "algorithm/registry.hpp"
#include "base/integer.hpp"

namespace quadrille::algorithm::transpose_swap {

namespace {

class Mirrored final : public Schedule {
 public:
  Mirrored(const Spec& spec, const pattern::Swaps& swaps)
      : swaps_(swaps),
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

 private:
  pattern::Swaps swaps_;
  Rank side_;
  Shape shape_;
};

}  // namespace

Algorithm describe() {
  return {.name = "transpose_swap",
          .collective = Collective::transpose,
          .summary = "ranks that mirror each other in the diagonal swap blocks, as many pairs at once as can",
          .source = "extra: the pairs of Saad & Schultz 1986, sec. 3.5(D), swap directly",
          .closed_form = {.startups = "2 ceil(s (s - 1)/(2 k))",
                          .bytes = "2 ceil(s (s - 1)/(2 k)) m",
                          .where = "bus, P = s^2"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return pattern::needs_swaps(s); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const Round rounds = pattern::Swaps(s, m, pattern::mirrored_pairs(s)).rounds();
                return kit::neighbour_cost(rounds, base::checked_multiply(rounds, s.bytes, "bytes"));
              },
          .build = [](const Spec& s, const Machine& m, const Params&) -> SchedulePtr {
            return std::make_shared<Mirrored>(s, pattern::Swaps(s, m, pattern::mirrored_pairs(s)));
          }};
}

}  // namespace quadrille::algorithm::transpose_swap
