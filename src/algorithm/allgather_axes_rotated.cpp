// Every block in as many parts as the torus has axes, each part along the axes in another order: in every phase all
// axes work, and no link carries two parts.
#include "algorithm/chains.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/support.hpp"

namespace quadrille {

namespace {

std::string illegal(const Spec& spec, const Machine& machine, const Params&) { return all_axes_illegal(spec, machine); }

/// D*(s - 1) start-ups and (P - 1)*ceil(m/D) bytes. Parts of several blocks lie apart: all that is sent and received
/// but the single blocks of the first phase.
Cost rotated_cost(const Spec& spec, const Machine& machine, const Params&) {
  const Axes axes = axes_of(spec);
  const Rank n = axes.sides.front(), p = spec.ranks();
  const std::int64_t halves = axis_splits(machine, n) ? 2 : 1;
  return neighbour_cost(halves * axes.count() * (n - 1),
                        checked_multiply(halves * (p - 1), ceil_div(spec.bytes, axes.count()), "bytes"), 0,
                        checked_multiply(2 * (p - n), spec.bytes, "bytes packed"));
}

SchedulePtr build_rotated(const Spec& spec, const Machine& machine, const Params&) {
  const Axes axes = axes_of(spec);
  const Rank n = axes.sides.front();
  std::vector<std::vector<int>> orders;
  for (int part = 0; part < axes.count(); ++part) orders.push_back(order_from(axes, part, 1));
  const std::vector<AxisPhase> phases(axes.sides.size(), AxisPhase{n - 1, 1});
  SchedulePtr all = chains_schedule(axes, spec.bytes, std::move(orders), phases);
  return axis_splits(machine, n) ? half_split(std::move(all), spec.topology) : all;
}

}  // namespace

Algorithm allgather_axes_rotated() {
  return {.name = "allgather_axes_rotated",
          .collective = Collective::allgather,
          .summary = "parts of every block in daisy chains along all axes of a torus at once",
          .source = "extra: Saad & Schultz 1986, eq. (3.31), on all ports; meets the half-duplex bound",
          .parameters = {},
          .claims = all_claims,
          .illegal = illegal,
          .variants = one_variant,
          .cost = rotated_cost,
          .build = build_rotated};
}

}  // namespace quadrille
