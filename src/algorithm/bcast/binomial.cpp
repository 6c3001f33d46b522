// Every rank that has the message passes it on, round after round, so that the informed ranks double.
// Invariant, with ranks named from the root: after round t the ranks below 2^(t+1) have the message.
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/doubling.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_binomial {

namespace {

class Binomial final : public Schedule {
 public:
  Binomial(Rank ranks, Bytes bytes)
      : shape_{.ranks = ranks, .rounds = base::log2_ceil(ranks), .out = 1, .cut = {.bytes = bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank informed = base::bit(static_cast<int>(t));
    if (r < informed && r + informed < shape_.ranks) out.send(r + informed, Buffer::out, contiguous(0, 1));
    if (r >= informed && r < 2 * informed) out.recv(r - informed, Buffer::out, contiguous(0, 1));
  }

 private:
  Shape shape_;
};

}  // namespace

Algorithm describe() {
  return {.name = "bcast_binomial",
          .collective = Collective::bcast,
          .summary = "the ranks that have the message double in every round",
          .source = "Saad & Schultz 1985, eq. (2.1); 1986, eq. (3.23)",
          .closed_form = {.startups = "ceil(log2(P))", .bytes = "ceil(log2(P)) m", .where = "switch"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return pattern::needs_doubling(s); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine&, const Params&) {
                const int rounds = base::log2_ceil(s.ranks());
                return kit::over_network(s, kit::neighbour_cost(rounds, rounds * s.bytes));
              },
          .build = [](const Spec& s, const Machine&,
                      const Params&) { return pattern::from_root(std::make_shared<Binomial>(s.ranks(), s.bytes), s); }};
}

}  // namespace quadrille::algorithm::bcast_binomial
