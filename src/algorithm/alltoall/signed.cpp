// Exchange on a ring by the digits of the offset, where digits are of either sign: in radix 3 a block for the rank two
// places on goes three forward and one back. Blocks go about the shorter way: messages are as few as with Bruck's
// digits, and in radix r the busiest link carries (r+1)/r times P^2/8 blocks, which is what straight ways need. The
// digits are those of the balanced ternary system, for any odd radix.
#include "algorithm/alltoall/shared/digits.hpp"
#include "algorithm/alltoall/shared/port_turns.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_signed {

namespace {

alltoall::Digits digits_of(const Spec& spec, const Params& params) {
  const std::int64_t radix = params.get("radix", 3);
  return {.ranks = spec.ranks(), .radix = radix, .below = radix / 2};
}

/// Every rank does the same, so that a link carries as many messages of a round as each of them crosses links. Those
/// half way round go clockwise.
Cost formula(const Spec& spec, const Machine& machine, const alltoall::Digits& digits) {
  const Rank p = spec.ranks();
  const std::int64_t at_once = alltoall::turns_together(machine) ? 2 : 1;
  Cost cost;
  for (const std::int64_t weight : digits.weights())
    for (std::int64_t i = 0, values = digits.values(weight); i < values; i += at_once) {
      Slot clockwise = 0, back = 0, swapped = 0, aside = 0;
      std::int64_t hops = 0, messages = 0;
      for (std::int64_t k = i; k < std::min(i + at_once, values); ++k) {
        const std::int64_t value = digits.value(k), to = base::wrap(value * weight, p),
                           way = pattern::shift_hops(spec, to);
        const Slot moved = digits.blocks(weight, value);
        (2 * to <= p ? clockwise : back) += way * moved;
        hops = std::max(hops, way);
        messages = 2 * to == p ? 1 : messages + 1;
        if (2 * to == p && at_once == 2)
          swapped += moved;  // forward and back are one message
        else if (moved > 1) {
          // So few, at the far end of the last position, moved last by the same digit and lie side by side.
          if (moved > digits.below * (weight / digits.radix)) cost.packed += moved;
          // What is at its place lies side by side but for ranks at the ends of `out`, never for both values.
          if (digits.arrivals(weight, value) == moved)
            aside = std::max(aside, moved);
          else
            cost.packed += moved;
        }
      }
      cost.packed += aside + (swapped > 1 ? 2 * swapped : 0);
      ++cost.startups;
      cost.further += messages - 1;
      cost.hops += hops;
      cost.bytes = base::checked_add(cost.bytes, base::checked_multiply(std::max(clockwise, back), spec.bytes, "bytes"),
                                     "bytes");
    }
  cost.packed = base::checked_multiply(cost.packed, spec.bytes, "bytes packed");
  return cost;
}

std::string refusal(const Spec& spec, const Machine& machine, const Params& params) {
  if (!kit::is_ring(spec))
    return fmt::format("saves ways round a ring, and {} is none; nearest: ring:{}", spec.topology->text(),
                       spec.ranks());
  if (std::string reason = pattern::shift_illegal(spec, machine); !reason.empty()) return reason;
  const Rank p = spec.ranks();
  if (p < 5) return fmt::format("between {} ranks every way is short; try alltoall_pairwise", p);
  const std::int64_t radix = params.get("radix", 3);
  if (radix % 2 == 0 || radix > p + 1)
    return fmt::format("radix {}: digits of either sign take an odd radix, here 3 to {}; try radix=3", radix,
                       p / 2 * 2 + 1);
  return {};
}

/// Radix r has (r+1)/r times the bytes of straight ways, and (r-1) log_r P messages. Small ones are listed, and the
/// best of many.
std::vector<Params> candidates(const Spec& spec, const Machine& machine) {
  const std::int64_t listed = std::min<Rank>(33, spec.ranks() / 2), largest = spec.ranks() / 2 * 2 + 1;
  std::vector<Params> all{Params{{"radix", {3}}}};
  std::int64_t best = 0;
  Seconds least = 0;
  for (std::int64_t radix = 5; radix <= std::min<std::int64_t>(largest, 255); radix += 2) {
    if (radix <= listed) all.push_back(Params{{"radix", {radix}}});
    const Cost cost = formula(spec, machine, {.ranks = spec.ranks(), .radix = radix, .below = radix / 2});
    if (const Seconds time = seconds(cost, machine, *spec.topology); best == 0 || time < least)
      best = radix, least = time;
  }
  if (best > listed) all.push_back(Params{{"radix", {best}}});
  return all;
}

}  // namespace

Algorithm describe() {
  return {.name = "alltoall_signed",
          .collective = Collective::alltoall,
          .summary =
              "exchange on a ring digit by digit of the distance, forward or back: (r-1) log_r P messages of "
              "blocks that go about the shorter way",
          .source = "Bruck, Ho, Kipnis, Upfal & Weathersby 1997, with digits of either sign",
          .closed_form = {.startups = "t",
                          .bytes = "P (P - 1)/6 m",
                          .further = "t",
                          .where = "ring, P = 3^t, radix 3, full duplex, circuits"},
          .parameters = {{.name = "radix", .meaning = "digits of the distance, odd", .low = 3, .high = base::bit(30)}},
          .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.contention_free = false}; },
          .illegal = refusal,
          .variants = candidates,
          .cost = [](const Spec& s, const Machine& m, const Params& p) { return formula(s, m, digits_of(s, p)); },
          .build =
              [](const Spec& s, const Machine& m, const Params& p) {
                return alltoall::digit_schedule(digits_of(s, p), s.bytes, alltoall::turns_together(m) ? 2 : 1);
              }};
}

}  // namespace quadrille::algorithm::alltoall_signed
