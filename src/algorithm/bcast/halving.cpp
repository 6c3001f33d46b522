// Every rank that has the message sends it into the other half of its stretch of the line, so that the informed ranks
// double: along the first axis of a ring, mesh or torus, then along the others. Messages go past ranks.
// Invariant: before a round every stretch of a line that has the message has it at one rank.
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/halved_lines.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_halving {

namespace {

class BcastHalving final : public Schedule {
 public:
  explicit BcastHalving(const Spec& spec)
      : lines_(spec),
        shape_{.ranks = spec.ranks(), .rounds = lines_.rounds(), .out = 1, .cut = {.bytes = spec.bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const auto [axis, served, stretch] = lines_.place(t, r);
    if (!served || stretch.size == 1) return;
    const Rank from = lines_.at(r, axis, stretch.holder), to = lines_.at(r, axis, stretch.receiver());
    if (r == from) out.send(to, Buffer::out, contiguous(0, 1));
    if (r == to) out.recv(from, Buffer::out, contiguous(0, 1));
  }

 private:
  pattern::HalvedLines lines_;
  Shape shape_;
};

}  // namespace

Algorithm describe() {
  return {.name = "bcast_halving",
          .collective = Collective::bcast,
          .summary = "the ranks that have the message double in every round, one axis after the other, past ranks",
          .source = "Hambrusch, Khokhar & Liu 1995, section 2, from one source; Barnett et al. 1994 (InterCom)",
          .closed_form = {.startups = "ceil(log2(R)) + ceil(log2(C))",
                          .bytes = "(ceil(log2(R)) + ceil(log2(C))) m",
                          .where = "torus, circuits"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine& m, const Params&) { return pattern::halving_illegal(s, m); },
          .variants = kit::one_variant,
          .cost = [](const Spec& s, const Machine&, const Params&) -> Cost {
            const pattern::HalvedLines lines(s);
            return {.startups = lines.rounds(), .hops = lines.hops().all, .bytes = lines.rounds() * s.bytes};
          },
          .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr {
            return std::make_shared<BcastHalving>(s);
          }};
}

}  // namespace quadrille::algorithm::bcast_halving
