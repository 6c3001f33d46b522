// Exchange by the digits of the offset, as alltoall_bruck, where all messages of a digit's position leave in one round.
#include "algorithm/alltoall/shared/digits.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_radix {

namespace {

std::int64_t radix_of(const Spec& spec, const Params& params) {
  return std::min(params.get("radix", 4), std::max<Rank>(2, spec.ranks()));
}

/// A round for each position, as long as its longest message. Messages of several blocks are packed at both ends, or
/// at one where they lie side by side for a rank, so that packing may be less.
Cost formula(const Spec& spec, const Machine&, const Params& params) {
  const alltoall::Digits digits{spec.ranks(), radix_of(spec, params)};
  Cost cost;
  for (const std::int64_t weight : digits.weights()) {
    const std::int64_t values = digits.values(weight);
    Slot longest = 0, packed = 0;
    for (std::int64_t i = 0; i < values; ++i) {
      const Slot blocks = digits.blocks(weight, digits.value(i));
      longest = std::max(longest, blocks);
      packed += blocks > 1 ? 2 * blocks : 0;
    }
    cost.startups += 1;
    cost.hops += 1;
    cost.further += values - 1;
    cost.bytes = base::checked_add(cost.bytes, base::checked_multiply(longest, spec.bytes, "bytes"), "bytes");
    cost.packed =
        base::checked_add(cost.packed, base::checked_multiply(packed, spec.bytes, "bytes packed"), "bytes packed");
  }
  return cost;
}

/// The least radix for every number of rounds, and the one of the lowest price. One round is alltoall_linear.
std::vector<Params> candidates(const Spec& spec, const Machine& machine) {
  constexpr std::int64_t all_tried = 256;
  std::vector<std::int64_t> radices;
  std::int64_t best = 2;
  std::size_t last = 0;
  Seconds least = 0;
  for (std::int64_t radix = 2; radix < spec.ranks() && (radix <= all_tried || radix * radix < 2 * spec.ranks());
       ++radix) {
    const std::size_t rounds = alltoall::Digits{spec.ranks(), radix}.weights().size();
    if (rounds != last) radices.push_back(radix);
    last = rounds;
    const Seconds time = seconds(formula(spec, machine, {{"radix", {radix}}}), machine, *spec.topology);
    if (radix == 2 || time < least) least = time, best = radix;
  }
  radices.push_back(best);
  radices.push_back(std::max<Rank>(2, spec.ranks()));
  std::sort(radices.begin(), radices.end());
  radices.erase(std::unique(radices.begin(), radices.end()), radices.end());
  std::vector<Params> all;
  for (const std::int64_t radix : radices) all.push_back({{"radix", {radix}}});
  return all;
}

std::string_view other_name(const Spec& spec, const Params& params) {
  if (radix_of(spec, params) >= spec.ranks()) return "alltoall_linear";
  return {};
}

}  // namespace

Algorithm describe() {
  return {.name = "alltoall_radix",
          .collective = Collective::alltoall,
          .summary = "exchange digit by digit of the distance, all messages of a digit at once: log_r P rounds",
          .source = "Bruck, Ho, Kipnis, Upfal & Weathersby 1997, index algorithm in the k-port model",
          .closed_form = {.where = "crossbar, all ports"},
          .parameters = {{.name = "radix",
                          .meaning = "digits of the distance; P gives the exchange of all blocks at once",
                          .low = 2,
                          .high = base::bit(30)}},
          .claims = [](const Spec& s, const Machine&,
                       const Params& p) { return Claims{.exact = radix_of(s, p) >= s.ranks()}; },
          .illegal = [](const Spec& s, const Machine& m, const Params&) { return pattern::groups_illegal(s, m); },
          .variants = candidates,
          .cost = formula,
          .build =
              [](const Spec& s, const Machine&, const Params& p) {
                const std::int64_t radix = radix_of(s, p);
                return alltoall::digit_schedule({s.ranks(), radix}, s.bytes, radix - 1);
              },
          .other_name = other_name};
}

}  // namespace quadrille::algorithm::alltoall_radix
