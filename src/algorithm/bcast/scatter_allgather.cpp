// The message cut in P pieces, which are scattered by halves and then collected by doubling: at most twice the bytes,
// in twice the fewest rounds.
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_scatter_allgather {

namespace {

/// Ranks counted from the root. Scatter: in round j rank a < 2^j sends rank a + 2^j the pieces that agree with that
/// rank modulo 2^(j+1). Then, in round i, rank a gets from the rank 2^i on what it still lacks of that one's piece and
/// those after it. The root is sent nothing; others may get again what they passed on.
class ScatterAllgather final : public Schedule {
 public:
  explicit ScatterAllgather(const Spec& spec) : root_(spec.root), steps_(base::log2_ceil(spec.ranks())) {
    const Rank p = spec.ranks();
    shape_ = {.ranks = p, .rounds = 2 * steps_, .out = 1, .cut = {.bytes = spec.bytes, .parts = p}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, a = base::wrap(r - root_, p);
    const Rank reach = base::bit(static_cast<int>(t < steps_ ? t : t - steps_));
    const auto rank = [&](Rank x) { return (x + root_) % p; };
    if (t < steps_) {
      const auto pieces = [&](Rank to) { return Slots{to, 1, 2 * reach, base::ceil_div(p - to, 2 * reach)}; };
      if (a < reach && a + reach < p) out.send(rank(a + reach), Buffer::out, pieces(a + reach));
      if (a >= reach && a < 2 * reach) out.recv(rank(a - reach), Buffer::out, pieces(a));
      return;
    }
    const Rank count = std::min(reach, p - reach), from = (a + reach) % p, to = base::wrap(a - reach, p);
    if (to != 0) pattern::around(a, 1, count, p, [&](const Slots& s) { out.send(rank(to), Buffer::out, s); });
    if (a != 0) pattern::around(from, 1, count, p, [&](const Slots& s) { out.recv(rank(from), Buffer::out, s); });
  }

 private:
  Rank root_;
  int steps_;
  Shape shape_;
};

/// Pieces have floor(N / P) bytes, the first N mod P one more. In the scatter the root's message is the largest of a
/// round, in the collection the one that begins with piece 0.
Cost formula(const Spec& spec, const Machine&, const Params&) {
  const Rank p = spec.ranks();
  const int steps = base::log2_ceil(p);
  const Bytes piece = spec.bytes / p, longer = spec.bytes % p;
  Cost cost = kit::neighbour_cost(2 * steps, 0);
  for (int j = 0; j < steps; ++j) {
    const Rank reach = base::bit(j), pieces = base::ceil_div(p - reach, 2 * reach), count = std::min(reach, p - reach);
    const Rank longer_ones = longer > reach ? base::ceil_div(longer - reach, 2 * reach) : 0;
    cost.bytes += pieces * piece + longer_ones + count * piece + std::min(count, longer);
    if (pieces > 1) cost.packed += pieces * piece + longer_ones;
    if (count > 1) cost.packed += count * piece + std::min(count - 1, longer);  // from the last piece on to the first
  }
  return kit::over_network(spec, cost);
}

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (!kit::is_switch(spec))
    return fmt::format("needs a switch, and {} is not one; nearest: crossbar:{}", spec.topology->text(), spec.ranks());
  const bool swaps = kit::half_duplex(machine) && kit::has_own_wires(spec) && base::is_power_of_two(spec.ranks());
  if (spec.ranks() > 2 && (pattern::one_way(machine) || swaps))
    return "every rank sends and receives in the same round, and a rank of this machine does one or the other; try "
           "bcast_binomial or --set duplex=full";
  return {};
}

}  // namespace

Algorithm describe() {
  return {.name = "bcast_scatter_allgather",
          .collective = Collective::bcast,
          .summary = "a piece for each rank, scattered by halves and collected by doubling",
          .source = "extra: Saad & Schultz 1986, eq. (3.41) and (3.35); Barnett et al. 1994 (InterCom)",
          .closed_form = {.startups = "2 n", .bytes = "2 (P - 1) m/P", .where = "switch, P = 2^n divides m"},
          .parameters = {},
          .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.once = false}; },
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost = formula,
          .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr {
            return std::make_shared<ScatterAllgather>(s);
          }};
}

}  // namespace quadrille::algorithm::bcast_scatter_allgather
