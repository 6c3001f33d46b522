// Daisy chains along one axis of a torus after the other: along the first single blocks, then bundles of all that came
// before, so that a rank receives nothing twice and starts only as many messages as the sides are long.
#include "algorithm/allgather/shared/chains.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_axes {

namespace {

/// The axis that varies fastest comes first unless `params` says otherwise: bundles are then runs of memory.
std::vector<int> order(const pattern::Axes& axes, const Params& params) {
  return pattern::order_from(axes, static_cast<int>(params.get("first", axes.count() - 1)), -1);
}

std::vector<pattern::AxisPhase> phases(const pattern::Axes& axes, const Machine& machine,
                                       const std::vector<int>& order) {
  std::vector<pattern::AxisPhase> all;
  for (const int axis : order)
    all.push_back({axes.side(axis) - 1, pattern::axis_splits(machine, axes.side(axis)) ? 2 : 1});
  return all;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = pattern::needs_wrapping_axes(spec); !reason.empty()) return reason;
  const pattern::Axes axes = pattern::axes_of(spec);
  if (axes.count() < 2)
    return fmt::format("goes along one axis after the other, and {} has only one; nearest: {}", spec.topology->text(),
                       kit::nearest_torus(spec));
  if (std::string reason = pattern::axis_illegal(axes, params.get("first", 0)); !reason.empty()) return reason;
  return pattern::axes_split_illegal(spec, axes, machine);
}

/// A phase along a side of n has n - 1 messages of all blocks gathered before: sum (n_i - 1) start-ups and P - 1
/// blocks. A bundle is one run of memory if the axes done before are the last ones.
Cost chains_cost(const Spec& spec, const Machine& machine, const Params& params) {
  const pattern::Axes axes = pattern::axes_of(spec);
  Cost total;
  Slot bundle = 1;
  int lowest = axes.count();
  const std::vector<int> order = allgather_axes::order(axes, params);
  for (std::size_t f = 0; f < order.size(); ++f) {
    const Rank n = axes.side(order[f]);
    const std::int64_t halves = pattern::axis_splits(machine, n) ? 2 : 1;
    const Bytes moved = base::checked_multiply((n - 1) * bundle, spec.bytes, "bytes");
    const bool run = f == 0 || lowest == axes.count() - static_cast<int>(f);
    pattern::add_cost(total, kit::neighbour_cost(halves * (n - 1), halves * moved, 0, run ? 0 : 2 * moved));
    lowest = std::min(lowest, order[f]);
    bundle *= n;
  }
  return total;
}

}  // namespace

Algorithm describe() {
  return {.name = "allgather_axes",
          .collective = Collective::allgather,
          .summary = "daisy chains along one axis after the other, in bundles of what came before",
          .source = "Saad & Schultz 1986, eq. (3.31), for any sides and dimensions",
          .closed_form = {.startups = "R + C - 2", .bytes = "(P - 1) m", .where = "torus"},
          .parameters = {pattern::first_parameter()},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = pattern::first_variants,
          .cost = chains_cost,
          .build = [](const Spec& s, const Machine& m, const Params& p) -> SchedulePtr {
            const pattern::Axes axes = pattern::axes_of(s);
            const std::vector<int> first = order(axes, p);
            return allgather::chains_schedule(axes, s.bytes, {{first}}, phases(axes, m, first));
          }};
}

}  // namespace quadrille::algorithm::allgather_axes
