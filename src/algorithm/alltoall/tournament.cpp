// Complete exchange as a round-robin tournament: in every one of its rounds each rank meets another, and over all
// rounds every other once; pairs that meet swap their blocks. Circle method: in tournament round q ranks q + i and q -
// i meet, modulo P - 1, and rank q meets rank P - 1; when P is odd, modulo P, and rank q pauses.
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/pair_swaps.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_tournament {

namespace {

Rank circle(Rank ranks) { return ranks % 2 == 0 ? ranks - 1 : ranks; }

class Tournament final : public Schedule {
 public:
  Tournament(const Spec& spec, const pattern::Swaps& swaps, bool barriers) : swaps_(swaps), barriers_(barriers) {
    const Rank p = spec.ranks();
    const Round rounds = base::checked_multiply(circle(p), swaps.rounds(), "rounds");
    shape_ = {.ranks = p, .rounds = rounds, .in = p, .out = p, .cut = {.bytes = spec.bytes}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank n = circle(shape_.ranks), q = t / swaps_.rounds();
    const bool even = shape_.ranks % 2 == 0;
    Rank peer = 0, pair = 0;
    if (r == n || r == q) {
      if (!even) return;
      peer = r == n ? q : n;
    } else {
      peer = base::wrap(2 * q - r, n);
      pair = std::min(base::wrap(r - q, n), base::wrap(q - r, n)) - (even ? 0 : 1);
    }
    const Round now = t % swaps_.rounds();
    if (swaps_.sends(now, pair, r < peer)) out.send(peer, Buffer::in, contiguous(peer, 1));
    if (swaps_.sends(now, pair, r > peer)) out.recv(peer, Buffer::out, contiguous(peer, 1));
  }
  bool barrier(Round t) const override { return barriers_ && t > 0; }

 private:
  pattern::Swaps swaps_;
  bool barriers_;
  Shape shape_;
};

SchedulePtr build(const Spec& spec, const Machine& machine, const Params& params) {
  return std::make_shared<Tournament>(spec, pattern::Swaps(spec, machine, spec.ranks() / 2),
                                      params.get(pattern::barriers.name, 0) != 0);
}

}  // namespace

Algorithm describe() {
  return {.name = "alltoall_tournament",
          .collective = Collective::alltoall,
          .summary = "every two ranks meet once and swap blocks; on a bus as many pairs at once as it serves",
          .source = "extra: Saad & Schultz 1986, T_5B for k* > 1; circle method",
          .closed_form = {.startups = "2 (P - 1) ceil(P/(2 k))",
                          .bytes = "2 (P - 1) ceil(P/(2 k)) m",
                          .where = "bus, P even"},
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

}  // namespace quadrille::algorithm::alltoall_tournament
