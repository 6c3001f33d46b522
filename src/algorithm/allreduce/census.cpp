// Every rank collects the contributions of the ranks before it, in as few rounds as any number of ranks allows. With k
// contributions it also has the combination of the k - 1 others: from that of the rank k or k - 1 places back it makes
// 2k or 2k - 1. Each rank begins with another contribution, so that rounded sums differ between ranks.
#include "algorithm/allreduce/shared/census.hpp"

#include <algorithm>

#include "algorithm/allreduce/shared/vectors.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm {

std::vector<Rank> allreduce::census_counts(Rank ranks) {
  std::vector<Rank> counts{ranks};
  while (counts.back() > 1) counts.push_back(base::ceil_div(counts.back(), 2));
  std::reverse(counts.begin(), counts.end());
  return counts;
}

namespace allreduce_census {

namespace {

/// Slots of scratch memory: the value of all contributions by turns with `out`, and that without the own one.
class Census final : public Schedule {
 public:
  explicit Census(const Spec& spec)
      : counts_(allreduce::census_counts(spec.ranks())),
        places_{static_cast<Round>(counts_.size()) - 1},
        shape_(allreduce::whole_vector(spec, places_.rounds, places_.rounds > 1 ? 3 : 0)) {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, have = count(t), sent = count(t + 1) - have;
    const Buffer before = places_.before(t);
    if (sent == have)
      out.send((r + sent) % p, before, contiguous(0, 1));
    else
      out.send((r + sent) % p, Buffer::tmp, others(t));
    const Rank from = base::wrap(r - sent, p);
    const auto left = Combine::Incoming::left;
    out.combine(from, places_.after(t), contiguous(0, 1), {.incoming = left, .buffer = before});
    if (t + 1 == places_.rounds) return;
    if (have == 1)
      out.combine(from, Buffer::tmp, others(t + 1), {.again = true});
    else
      out.combine(from, Buffer::tmp, others(t + 1),
                  {.incoming = left, .again = true, .buffer = Buffer::tmp, .with = others(t).first});
  }

 private:
  Rank count(Round t) const { return counts_[static_cast<std::size_t>(t)]; }
  static Slots others(Round t) { return contiguous(1 + t % 2, 1); }
  std::vector<Rank> counts_;
  allreduce::Places places_;
  Shape shape_;
};

Round rounds_of(const Spec& spec) { return base::log2_ceil(spec.ranks()); }
bool swaps_last(const Spec& spec, const Machine& machine) {
  return pattern::shift_splits(spec, machine, spec.ranks() / 2);
}

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (!kit::has_own_wires(spec))
    return fmt::format("needs wires between all ranks, and {} has not; nearest: crossbar:{}", spec.topology->text(),
                       spec.ranks());
  if (std::string reason = pattern::shift_illegal(spec, machine); !reason.empty()) return reason;
  return spec.ranks() > 2 ? allreduce::identical_illegal(spec, "allreduce_fold") : std::string();
}

/// ceil(log2 P) rounds of a vector; all but the first and the last combine it twice.
Cost formula(const Spec& spec, const Machine& machine, const Params&) {
  const Round rounds = rounds_of(spec) + (swaps_last(spec, machine) ? 1 : 0);
  Cost cost = kit::neighbour_cost(rounds, base::checked_multiply(rounds, spec.bytes, "bytes"));
  const std::int64_t combines = (rounds_of(spec) > 1 ? 2 * rounds_of(spec) - 2 : 1) + rounds - rounds_of(spec);
  cost.combined = base::checked_multiply(combines, spec.bytes, "bytes combined");
  return cost;
}

Claims claims(const Spec& spec, const Machine&, const Params&) {
  return {.identical = spec.ranks() > 2 ? Identical::no : Identical::commutatively};
}

}  // namespace

Algorithm describe() {
  return {.name = "allreduce_census",
          .collective = Collective::allreduce,
          .summary = "every rank collects the vectors of the ranks before it, in ceil(log2 P) rounds for any P",
          .source = "Bar-Noy, Kipnis & Schieber 1993",
          .closed_form = {.where = "switch: ceil(log2 P) rounds of m; ranks' rounded sums may differ"},
          .parameters = {},
          .claims = claims,
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost = formula,
          .build = [](const Spec& s, const Machine& m, const Params&) {
            return pattern::split_swap(std::make_shared<Census>(s),
                                       swaps_last(s, m) ? std::optional<Round>(rounds_of(s) - 1) : std::nullopt);
          }};
}

}  // namespace allreduce_census

}  // namespace quadrille::algorithm
