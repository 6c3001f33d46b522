// Pairwise exchange: in round q every rank sends its block for the rank q places on and receives the one of the rank q
// places back. On a ring min(q, P-q) messages of a round share every link they use.
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_pairwise {

namespace {

class Pairwise final : public Schedule {
 public:
  Pairwise(Rank ranks, Bytes bytes)
      : shape_{.ranks = ranks, .rounds = ranks - 1, .in = ranks, .out = ranks, .cut = {.bytes = bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, to = (r + t + 1) % p, from = base::wrap(r - t - 1, p);
    out.send(to, Buffer::in, contiguous(to, 1));
    out.recv(from, Buffer::out, contiguous(from, 1));
  }
  Symmetry symmetry() const override { return {Group::rotate, false}; }

 private:
  Shape shape_;
};

/// The round whose ranks swap, when that takes two rounds here.
std::optional<Round> swap_round(const Spec& spec, const Machine& machine) {
  const Rank half = spec.ranks() / 2;
  return pattern::shift_splits(spec, machine, half) ? std::optional<Round>(half - 1) : std::nullopt;
}

/// P-1 rounds of one block; on a ring the links crossed add up to floor(P/2) * ceil(P/2).
Cost formula(const Spec& spec, const Machine& machine, const Params&) {
  const Rank p = spec.ranks();
  const std::int64_t rounds = p - 1, links = kit::is_ring(spec) ? (p / 2) * ((p + 1) / 2) : rounds;
  Cost cost{.startups = rounds, .hops = links, .bytes = base::checked_multiply(links, spec.bytes, "bytes")};
  if (swap_round(spec, machine)) pattern::add_cost(cost, kit::neighbour_cost(1, spec.bytes));
  return kit::over_network(spec, cost);
}

}  // namespace

Algorithm describe() {
  return {.name = "alltoall_pairwise",
          .collective = Collective::alltoall,
          .summary = "P-1 shifts: round q exchanges with the ranks q places on and q places back",
          .source = "classical; P-1 rounds of one block",
          .closed_form = {.startups = "P - 1", .bytes = "(P - 1) m", .where = "switch"},
          .parameters = {},
          .claims = [](const Spec& s, const Machine&,
                       const Params&) { return Claims{.contention_free = !pattern::shift_shares(s)}; },
          .illegal = [](const Spec& s, const Machine& m, const Params&) { return pattern::shift_illegal(s, m); },
          .variants = kit::one_variant,
          .cost = formula,
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                return pattern::split_swap(std::make_shared<Pairwise>(s.ranks(), s.bytes), swap_round(s, m));
              }};
}

}  // namespace quadrille::algorithm::alltoall_pairwise
