// The circulant all-gather of Traeff (2024): before a round with the distances s' < s a rank holds the blocks of s'
// ranks from its own on, and gets those of s - s' more from the rank s' places on.
#include "algorithm/pattern/shift.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"

namespace quadrille::algorithm::reduce_scatter {

namespace {

class Circulant final : public Schedule {
 public:
  Circulant(Rank ranks, Bytes bytes) : skips_(circulant_skips(ranks)) {
    shape_ = {.ranks = ranks, .rounds = static_cast<Round>(skips_.size()) - 1, .out = ranks, .cut = {.bytes = bytes}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, reach = skip(t), count = skip(t + 1) - reach;
    const Rank from = (r + reach) % p, to = base::wrap(r - reach, p);
    pattern::around(r, 1, count, p, [&](const Slots& s) { out.send(to, Buffer::out, s); });
    pattern::around(from, 1, count, p, [&](const Slots& s) { out.recv(from, Buffer::out, s); });
  }
  Symmetry symmetry() const override { return {Group::rotate, false}; }

 private:
  /// The distances from the smallest on.
  Rank skip(Round t) const { return skips_[skips_.size() - 1 - static_cast<std::size_t>(t)]; }
  std::vector<Rank> skips_;
  Shape shape_;
};

std::string circulant_illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (!kit::is_switch(spec))
    return fmt::format("needs a switch, and {} is not one; nearest: crossbar:{}", spec.topology->text(), spec.ranks());
  return pattern::shift_illegal(spec, machine);
}

/// Every block but the own one once; the swap half way round may take two rounds.
Cost circulant_formula(const Spec& spec, const Machine& machine, const Params&) {
  const Rank p = spec.ranks();
  Cost cost = kit::neighbour_cost(base::log2_ceil(p), base::checked_multiply(p - 1, spec.bytes, "bytes"));
  if (pattern::shift_splits(spec, machine, p / 2)) pattern::add_cost(cost, kit::neighbour_cost(1, p / 2 * spec.bytes));
  return kit::over_network(spec, cost);
}

SchedulePtr circulant_build(const Spec& spec, const Machine& machine, const Params&) {
  const Rank p = spec.ranks();
  const bool swap = pattern::shift_splits(spec, machine, p / 2);
  return pattern::split_swap(std::make_shared<Circulant>(p, spec.bytes),
                             swap ? std::optional<Round>(base::log2_ceil(p) - 1) : std::nullopt);
}

}  // namespace

std::vector<Rank> circulant_skips(Rank ranks) {
  std::vector<Rank> skips{ranks};
  while (skips.back() > 1) skips.push_back(base::ceil_div(skips.back(), 2));
  return skips;
}

Algorithm circulant_base() {
  return {.name = "allgather_circulant",
          .collective = Collective::allgather,
          .summary = "all that a rank holds goes to the rank so many places back, as far as that one is missing it",
          .source = "Traeff 2024, arXiv 2410.14234",
          .closed_form = {.where = "switch"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = circulant_illegal,
          .variants = kit::one_variant,
          .cost = circulant_formula,
          .build = circulant_build};
}

}  // namespace quadrille::algorithm::reduce_scatter
