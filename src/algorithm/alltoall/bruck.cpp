// Exchange by the digits of the offset: a block for the rank o places on travels by v * r^j for every digit v != 0 of o
// in radix r. One round per digit position j and value v; small radices have few rounds, large ones few bytes.
#include <cmath>

#include "algorithm/alltoall/shared/digits.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_bruck {

namespace {

/// 1 + ... + k of min(v * weight, p - v * weight) on a ring, k on a crossbar.
std::int64_t links_crossed(const Spec& spec, std::int64_t weight, std::int64_t k) {
  if (!kit::is_ring(spec)) return k;
  const std::int64_t p = spec.ranks(), h = std::min(k, p / (2 * weight));
  const std::int64_t near = weight * (h * (h + 1) / 2),
                     far = p * (k - h) - weight * (k * (k + 1) / 2 - h * (h + 1) / 2);
  return near + far;
}

/// Blocks in messages of several at one digit position, where `values` messages have `full` blocks, the first `extra`
/// of them `weight` more and the next one `part` more.
Slot in_bundles(std::int64_t values, Slot full, std::int64_t extra, Slot weight, Slot part) {
  const auto several = [](std::int64_t messages, Slot blocks) { return blocks > 1 ? messages * blocks : 0; };
  const std::int64_t parts = part > 0 ? 1 : 0;
  return several(extra, full + weight) + several(parts, full + part) + several(values - extra - parts, full);
}

/// Per digit position: r^j * floor(P / r^(j+1)) blocks for every value, and what the last, incomplete row adds.
/// Messages of several blocks are several runs of memory at both ends.
Cost formula(const Spec& spec, const Machine& machine, std::int64_t radix) {
  const Rank p = spec.ranks();
  Cost cost;
  for (std::int64_t weight = 1; weight < p; weight *= radix) {
    const std::int64_t row = weight * radix, values = std::min(radix - 1, (p - 1) / weight);
    const std::int64_t rest = p % row, extra = std::min(values, rest / weight - (rest >= weight ? 1 : 0));
    const std::int64_t links = links_crossed(spec, weight, values);
    // value v gets min(weight, rest - v * weight) more: all of weight for v <= extra, a part for the next
    std::int64_t volume = base::checked_multiply(base::checked_multiply(links, weight, "links"), p / row, "blocks");
    volume += weight * links_crossed(spec, weight, extra);
    const Slot part = std::max<Slot>(rest - (extra + 1) * weight, 0);
    if (part > 0) volume += part * (kit::is_ring(spec) ? pattern::shift_hops(spec, (extra + 1) * weight) : 1);
    const Slot packed = 2 * in_bundles(values, weight * (p / row), extra, weight, part);
    cost.packed =
        base::checked_add(cost.packed, base::checked_multiply(packed, spec.bytes, "bytes packed"), "bytes packed");
    cost.startups += values;
    cost.hops += links;
    cost.bytes = base::checked_add(cost.bytes, base::checked_multiply(volume, spec.bytes, "bytes"), "bytes");
    if (p % 2 == 0 && p / 2 % weight == 0 && p / 2 / weight < radix && pattern::shift_splits(spec, machine, p / 2)) {
      const std::int64_t blocks = weight * (p / row) + std::clamp<std::int64_t>(rest - p / 2, 0, weight);
      pattern::add_cost(cost, kit::neighbour_cost(1, base::checked_multiply(blocks, spec.bytes, "bytes")));
    }
  }
  return kit::over_network(spec, cost);
}

/// The round in which ranks P/2 apart swap, when that takes two rounds here.
std::optional<Round> swap_round(const Spec& spec, const Machine& machine, std::int64_t radix) {
  const Rank half = spec.ranks() / 2;
  if (!pattern::shift_splits(spec, machine, half)) return {};
  Round start = 0;
  for (std::int64_t weight = 1; weight <= half; weight *= radix, start += radix - 1)
    if (half % weight == 0 && half / weight < radix) return start + half / weight - 1;
  return {};
}

/// Radix P - 1 and above give the pairwise exchange (other_name). Between sqrt(P) and that, larger radices trade
/// one round for one block at best, so that the ends are optimal; small machines try all radices nevertheless.
std::vector<Params> candidates(const Spec& spec, const Machine& machine) {
  const Rank p = spec.ranks();
  const auto root = static_cast<std::int64_t>(std::ceil(std::sqrt(static_cast<double>(p))));
  std::vector<std::int64_t> radices;
  std::int64_t best = 0;
  Seconds least = 0;
  for (std::int64_t radix = 2; radix < p - 1 && radix <= std::max<std::int64_t>(root, 4096); ++radix) {
    const Seconds time = seconds(formula(spec, machine, radix), machine, *spec.topology);
    if (best == 0 || time < least) least = time, best = radix;
    if (radix == 3 || base::is_power_of_two(radix)) radices.push_back(radix);
  }
  if (best != 0) radices.push_back(best);
  for (std::int64_t radix = 8192; radix < p - 1; radix *= 2) radices.push_back(radix);
  radices.push_back(p);
  std::sort(radices.begin(), radices.end());
  radices.erase(std::unique(radices.begin(), radices.end()), radices.end());
  std::vector<Params> all;
  for (const std::int64_t radix : radices) all.push_back(Params{{"radix", {radix}}});
  return all;
}

std::string_view other_name(const Spec& spec, const Params& params) {
  return params.get("radix", 0) >= spec.ranks() - 1 ? "alltoall_pairwise" : std::string_view{};
}

std::string refusal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = pattern::shift_illegal(spec, machine); !reason.empty()) return reason;
  const Rank p = spec.ranks();
  const std::int64_t radix = params.get("radix", 2);
  if (radix < 2 || radix > p)
    return fmt::format("radix {}: {} ranks have digits of radix 2 to {}; try radix=2", radix, p, p);
  return {};
}

}  // namespace

Algorithm describe() {
  return {
      .name = "alltoall_bruck",
      .collective = Collective::alltoall,
      .summary = "exchange digit by digit of the distance in any radix: (r-1) log_r P rounds",
      .source = "Bruck, Ho, Kipnis, Upfal & Weathersby 1997, index algorithm with radix r",
      .closed_form = {.startups = "n", .bytes = "n P/2 m", .where = "switch, P = 2^n, radix 2"},
      .parameters = {{.name = "radix",
                      .meaning = "digits of the distance; P gives the pairwise exchange",
                      .low = 2,
                      .high = base::bit(30)}},
      .claims = [](const Spec& s, const Machine&,
                   const Params&) { return Claims{.contention_free = !pattern::shift_shares(s)}; },
      .illegal = refusal,
      .variants = candidates,
      .cost = [](const Spec& s, const Machine& m, const Params& p) { return formula(s, m, p.get("radix", 2)); },
      .build =
          [](const Spec& s, const Machine& m, const Params& p) {
            const std::int64_t radix = p.get("radix", 2);
            return pattern::split_swap(alltoall::digit_schedule({s.ranks(), radix}, s.bytes), swap_round(s, m, radix));
          },
      .other_name = other_name};
}

}  // namespace quadrille::algorithm::alltoall_bruck
