// Standard exchange between lines of a ring, mesh or torus whose sides are powers of two: in each round every rank
// swaps half of its blocks with the rank whose coordinate differs in one bit, past the ranks between. log2(P) messages:
// for small blocks on machines where every message costs its rank an overhead. It is the hypercube's standard
// exchange (Johnsson & Ho 1989) on the lines of a grid.
#include <algorithm>

#include "algorithm/alltoall/shared/multiphase.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/axes.hpp"
#include "algorithm/registry.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::alltoall_halves {

namespace {

Rank nearest_power(const Spec& spec) { return base::bit(base::log2_ceil(spec.ranks())); }

std::string refusal(const Spec& spec, const Machine& machine, const Params&) {
  if (!kit::is_ring(spec) && !kit::grid(spec))
    return fmt::format("needs a ring, mesh or torus, and {} is none; nearest: ring:{}", spec.topology->text(),
                       nearest_power(spec));
  const pattern::Axes axes = pattern::axes_of(spec);
  for (const Rank side : axes.sides)
    if (!base::is_power_of_two(side))
      return fmt::format("halves its lines, and a side of {} is no power of two; nearest: ring:{}", side,
                         nearest_power(spec));
  if (machine.switching == Switching::store_and_forward)
    return "sends to ranks that are not neighbours, which needs circuit or wormhole switching; try --set "
           "switching=circuit";
  if (kit::half_duplex(machine))
    return "ranks swap blocks, which needs wires that carry both directions at once; try --set duplex=full";
  return {};
}

/// Messages on the busiest link of a line where every rank swaps with the one `reach` places off.
std::int64_t crowd(const Spec& spec, const pattern::Axes& axes, int axis, Rank reach) {
  std::vector<Link> crossed;
  for (Rank c = 0; c < axes.side(axis); ++c)
    spec.topology->route(c * axes.step(axis), (c ^ reach) * axes.step(axis), crossed);
  std::sort(crossed.begin(), crossed.end());
  std::int64_t most = 0;
  for (std::size_t i = 0, j = 0; i < crossed.size(); i = j) {
    while (j < crossed.size() && crossed[j] == crossed[i]) ++j;
    most = std::max(most, static_cast<std::int64_t>(j - i));
  }
  return most;
}

/// A start-up for every bit of the rank's number, and half of all blocks on a link for each message that crosses it.
Cost halves_cost(const Spec& spec, const Machine&, const Params&) {
  const pattern::Axes axes = pattern::axes_of(spec);
  const Rank p = spec.ranks();
  const std::int64_t bits = base::log2_ceil(p);
  Cost cost{.startups = bits};
  if (bits > 1) cost.permuted = base::checked_multiply(base::checked_multiply(bits, p, "blocks"), spec.bytes, "bytes");
  for (int axis = 0; axis < axes.count(); ++axis)
    for (Rank reach = 1; reach < axes.side(axis); reach *= 2) {
      cost.hops += spec.topology->distance(0, reach * axes.step(axis));
      const std::int64_t blocks = base::checked_multiply(crowd(spec, axes, axis, reach), p / 2, "blocks");
      cost.bytes = base::checked_add(cost.bytes, base::checked_multiply(blocks, spec.bytes, "bytes"), "bytes");
    }
  return cost;
}

}  // namespace

Algorithm describe() {
  return {.name = "alltoall_halves",
          .collective = Collective::alltoall,
          .summary = "standard exchange along the lines of a grid: half of all blocks for each bit of a coordinate",
          .source = "Johnsson & Ho 1989, standard exchange, on the lines of a ring, mesh or torus",
          .closed_form = {.startups = "n", .bytes = "(P - 1) P/2 m", .where = "ring, P = 2^n, full duplex, circuits"},
          .parameters = {},
          .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.contention_free = false}; },
          .illegal = refusal,
          .variants = kit::one_variant,
          .cost = halves_cost,
          .build =
              [](const Spec& s, const Machine&, const Params&) {
                const Partition bits(static_cast<std::size_t>(base::log2_ceil(s.ranks())), 1);
                return alltoall::multiphase_schedule(bits, s.bytes, false, false);
              }};
}

}  // namespace quadrille::algorithm::alltoall_halves
