// All-gather by doubling on a switch: in step i every rank gets from the rank 2^i places on all that it holds, as far
// as it is still missing. Invariant: before step i rank j holds the blocks of ranks j .. j + 2^i - 1 modulo P.
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_doubling {

namespace {

class Doubling final : public Schedule {
 public:
  Doubling(Rank ranks, Bytes bytes)
      : shape_{.ranks = ranks, .rounds = base::log2_ceil(ranks), .out = ranks, .cut = {.bytes = bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, reach = base::bit(static_cast<int>(t)), count = std::min(reach, p - reach);
    const Rank from = (r + reach) % p, to = base::wrap(r - reach, p);
    pattern::around(r, 1, count, p, [&](const Slots& s) { out.send(to, Buffer::out, s); });
    pattern::around(from, 1, count, p, [&](const Slots& s) { out.recv(from, Buffer::out, s); });
  }
  Symmetry symmetry() const override { return {Group::rotate, false}; }

 private:
  Shape shape_;
};

std::string refusal(const Spec& spec, const Machine& machine, const Params&) {
  if (!kit::is_switch(spec))
    return fmt::format("needs a switch, and {} is not one; nearest: crossbar:{}", spec.topology->text(), spec.ranks());
  return pattern::shift_illegal(spec, machine);
}

/// (3.35) without the own block, which the print counts: ceil(log2 P) start-ups and (P-1) m bytes. Several blocks go
/// round the end of the buffer at some rank, which then sends two runs and receives one, or the other way about.
Cost formula(const Spec& spec, const Machine& machine, const Params&) {
  const Rank p = spec.ranks();
  Cost cost = kit::neighbour_cost(base::log2_ceil(p), base::checked_multiply(p - 1, spec.bytes, "bytes"));
  const Slot singles =
      p == base::bit(base::log2_ceil(p) - 1) + 1 ? 2 : 1;  // rounds with one block: the first, sometimes the last
  cost.packed = std::max<Slot>(p - 1 - singles, 0) * spec.bytes;
  if (pattern::shift_splits(spec, machine, base::bit(base::log2_ceil(p) - 1)))
    pattern::add_cost(cost, kit::neighbour_cost(1, p / 2 * spec.bytes));
  return kit::over_network(spec, cost);
}

}  // namespace

Algorithm describe() {
  return {.name = "allgather_doubling",
          .collective = Collective::allgather,
          .summary = "doubling on a switch: every step fetches all that a rank 2^i places on holds",
          .source = "Saad & Schultz 1986, eq. (3.35)",
          .closed_form = {.startups = "ceil(log2(P))", .bytes = "(P - 1) m", .where = "switch"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = refusal,
          .variants = kit::one_variant,
          .cost = formula,
          .build = [](const Spec& s, const Machine& m, const Params&) {
            const Round last = base::log2_ceil(s.ranks()) - 1;
            const bool swap = pattern::shift_splits(s, m, base::bit(static_cast<int>(last)));
            return pattern::split_swap(std::make_shared<Doubling>(s.ranks(), s.bytes),
                                       swap ? std::optional(last) : std::nullopt);
          }};
}

}  // namespace quadrille::algorithm::allgather_doubling
