// An all-gather by shifts: in round q every rank sends its own block q places on.
#include "algorithm/pattern/shift.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"

namespace quadrille::algorithm::reduce_scatter {

namespace {

std::string pairwise_illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (!kit::is_switch(spec))
    return fmt::format("needs a switch, and {} is not one; nearest: crossbar:{}", spec.topology->text(), spec.ranks());
  return pattern::shift_illegal(spec, machine);
}

/// P - 1 rounds of one block.
Cost pairwise_formula(const Spec& spec, const Machine& machine, const Params&) {
  const std::int64_t rounds = spec.ranks() - 1 + pattern::swap_rounds(spec, machine);
  return kit::over_network(spec, kit::neighbour_cost(rounds, base::checked_multiply(rounds, spec.bytes, "bytes")));
}

}  // namespace

Algorithm pairwise_base() {
  return {
      .name = "allgather_pairwise",
      .collective = Collective::allgather,
      .summary = "P-1 shifts: in round q every rank sends its block q places on",
      .source = "classical; P-1 rounds of one block",
      .closed_form = {.where = "switch"},
      .parameters = {},
      .claims = kit::all_claims,
      .illegal = pairwise_illegal,
      .variants = kit::one_variant,
      .cost = pairwise_formula,
      .build = [](const Spec& s, const Machine& m, const Params&) { return pattern::all_shifts(s, m, Buffer::out); }};
}

}  // namespace quadrille::algorithm::reduce_scatter
