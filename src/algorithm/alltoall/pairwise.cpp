// Pairwise exchange: in round q every rank sends its block for the rank q places on and receives the one of the rank q
// places back. On a ring min(q, P-q) messages of a round share every link they use.
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_pairwise {

namespace {

/// P-1 rounds of one block; on a ring the links crossed add up to floor(P/2) * ceil(P/2).
Cost formula(const Spec& spec, const Machine& machine, const Params&) {
  const Rank p = spec.ranks();
  const std::int64_t rounds = p - 1, links = kit::is_ring(spec) ? (p / 2) * ((p + 1) / 2) : rounds;
  Cost cost{.startups = rounds, .hops = links, .bytes = base::checked_multiply(links, spec.bytes, "bytes")};
  const int swaps = pattern::swap_rounds(spec, machine);
  pattern::add_cost(cost, kit::neighbour_cost(swaps, swaps * spec.bytes));
  return kit::over_network(spec, cost);
}

}  // namespace

Algorithm describe() {
  return {
      .name = "alltoall_pairwise",
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
      .build = [](const Spec& s, const Machine& m, const Params&) { return pattern::all_shifts(s, m, Buffer::in); }};
}

}  // namespace quadrille::algorithm::alltoall_pairwise
