// Recursive doubling on any number of ranks: where 2^f + x are no power of two, the first x pairs of neighbours fold
// into their lower ranks, 2^f ranks double, and the results go back to the upper ranks of the pairs.
#include "algorithm/allreduce/shared/vectors.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/exchange.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_fold {

namespace {

class Fold final : public Schedule {
 public:
  explicit Fold(const Spec& spec)
      : doubling_(base::log2_floor(spec.ranks())),
        pairs_(spec.ranks() - base::bit(doubling_)),
        places_{doubling_ + before()},
        shape_(allreduce::whole_vector(spec, doubling_ + 2 * before(), places_.rounds > 1 ? 1 : 0)) {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const bool upper = r < 2 * pairs_ && r % 2 == 1, lower = r < 2 * pairs_ && r % 2 == 0;
    const Slots all = contiguous(0, 1);
    if (t < before()) {
      if (upper) out.send(r - 1, Buffer::in, all);
      if (lower) out.combine(r + 1, places_.after(t), all, {.incoming = Combine::Incoming::right});
    } else if (t >= places_.rounds) {
      if (lower) out.send(r + 1, Buffer::out, all);
      if (upper) out.recv(r - 1, Buffer::out, all);
    } else if (!upper) {
      const Rank number = lower ? r / 2 : r - pairs_;
      const Rank other = number ^ base::bit(static_cast<int>(t - before()));
      const Rank peer = other < pairs_ ? 2 * other : other + pairs_;
      const Buffer value = t == before() && !lower ? Buffer::in : places_.before(t);
      out.send(peer, value, all);
      out.combine(peer, places_.after(t), all, {.incoming = allreduce::side_of(peer, r), .buffer = value});
    }
  }

 private:
  Round before() const { return pairs_ > 0 ? 1 : 0; }
  int doubling_;
  Rank pairs_;
  allreduce::Places places_;
  Shape shape_;
};

std::string illegal(const Spec& spec, const Machine&, const Params&) {
  if (kit::has_own_wires(spec)) return {};
  return fmt::format("needs wires between all ranks, and {} has not; nearest: crossbar:{}", spec.topology->text(),
                     spec.ranks());
}

/// Two rounds more than doubling takes, of which one combines.
Cost formula(const Spec& spec, const Machine& machine, const Params&) {
  const int swaps = base::log2_floor(spec.ranks()), split = pattern::rounds_of_swap(spec, machine);
  const int folds = base::is_power_of_two(spec.ranks()) ? 0 : 1;
  Cost cost = kit::neighbour_cost(split * swaps + 2 * folds,
                                  base::checked_multiply(split * swaps + 2 * folds, spec.bytes, "bytes"));
  cost.combined = base::checked_multiply(split * swaps + folds, spec.bytes, "bytes combined");
  return cost;
}

SchedulePtr build(const Spec& spec, const Machine& machine, const Params&) {
  return pattern::split_swaps(std::make_shared<Fold>(spec), spec, machine);
}

}  // namespace

Algorithm describe() {
  return {.name = "allreduce_fold",
          .collective = Collective::allreduce,
          .summary = "recursive doubling of any number of ranks: neighbours beyond a power of two fold into pairs",
          .source = "classical; Rabenseifner 2004",
          .closed_form = {.startups = "floor(log2(P)) + 2 min(1, P - 2^floor(log2(P)))",
                          .bytes = "(floor(log2(P)) + 2 min(1, P - 2^floor(log2(P)))) m",
                          .where = "switch"},
          .parameters = {},
          .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.in_order = true}; },
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost = formula,
          .build = build,
          .other_name = [](const Spec& s, const Params&) -> std::string_view {
            return base::is_power_of_two(s.ranks()) ? "allreduce_doubling" : "";
          }};
}

}  // namespace quadrille::algorithm::allreduce_fold
