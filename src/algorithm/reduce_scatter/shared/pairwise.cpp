// An all-gather by shifts: in round q every rank sends its own block q places back.
#include "algorithm/pattern/shift.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"

namespace quadrille::algorithm::reduce_scatter {

namespace {

class Shifts final : public Schedule {
 public:
  Shifts(Rank ranks, Bytes bytes)
      : shape_{.ranks = ranks, .rounds = ranks - 1, .out = ranks, .cut = {.bytes = bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, from = (r + t + 1) % p, to = base::wrap(r - t - 1, p);
    out.send(to, Buffer::out, contiguous(r, 1));
    out.recv(from, Buffer::out, contiguous(from, 1));
  }
  Symmetry symmetry() const override { return {Group::rotate, false}; }

 private:
  Shape shape_;
};

std::optional<Round> swap_round(const Spec& spec, const Machine& machine) {
  const Rank half = spec.ranks() / 2;
  return pattern::shift_splits(spec, machine, half) ? std::optional<Round>(half - 1) : std::nullopt;
}

std::string pairwise_illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (!kit::is_switch(spec))
    return fmt::format("needs a switch, and {} is not one; nearest: crossbar:{}", spec.topology->text(), spec.ranks());
  return pattern::shift_illegal(spec, machine);
}

/// P - 1 rounds of one block.
Cost pairwise_formula(const Spec& spec, const Machine& machine, const Params&) {
  const std::int64_t rounds = spec.ranks() - 1 + (swap_round(spec, machine) ? 1 : 0);
  return kit::over_network(spec, kit::neighbour_cost(rounds, base::checked_multiply(rounds, spec.bytes, "bytes")));
}

}  // namespace

Algorithm pairwise_base() {
  return {.name = "allgather_pairwise",
          .collective = Collective::allgather,
          .summary = "P-1 shifts: in round q every rank sends its block q places back",
          .source = "classical; P-1 rounds of one block",
          .closed_form = {.where = "switch"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = pairwise_illegal,
          .variants = kit::one_variant,
          .cost = pairwise_formula,
          .build = [](const Spec& s, const Machine& m, const Params&) {
            return pattern::split_swap(std::make_shared<Shifts>(s.ranks(), s.bytes), swap_round(s, m));
          }};
}

}  // namespace quadrille::algorithm::reduce_scatter
