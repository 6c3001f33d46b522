// From the root along one axis of a torus or mesh, a bundle for every rank of its line, then from each of those along
// the next axis, and so on; both ways round, the farthest first.
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/pattern/axis_lines.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::scatter_axes {

namespace {

std::vector<int> order(const pattern::Axes& axes, const Params& params) {
  return pattern::order_from(axes, static_cast<int>(params.get("first", 0)), 1);
}

std::vector<pattern::Reach> reaches(const pattern::Axes& axes, Rank root) {
  std::vector<pattern::Reach> all;
  for (int i = 0; i < axes.count(); ++i) all.push_back(pattern::reach_of(axes, i, root));
  return all;
}

Round interval(const Spec& spec, const Machine& machine) {
  Rank far = 0;
  for (const pattern::Reach& reach : reaches(pattern::axes_of(spec), spec.root)) far = std::max(far, reach.far());
  return kit::relay_interval(machine, far);
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (!kit::grid(spec) && !kit::is_ring(spec))
    return fmt::format("needs a torus or a mesh, and {} is neither; nearest: {}", spec.topology->text(),
                       kit::nearest_torus(spec));
  const pattern::Axes axes = pattern::axes_of(spec);
  if (axes.count() < 2)
    return fmt::format("goes along one axis after the other, and {} has only one; nearest: {}", spec.topology->text(),
                       kit::nearest_torus(spec));
  if (std::string reason = pattern::axis_illegal(axes, params.get("first", 0)); !reason.empty()) return reason;
  if (machine.ports == Ports::all) return {};
  for (const pattern::Reach& reach : reaches(axes, spec.root))
    if (reach.up > 0 && reach.down > 0)
      return "the root uses two links at once, and this machine has one port; try --set ports=all";
  return {};
}

/// A phase has i*(far - 1) + 1 messages of a bundle: sum h_f start-ups and sum h_f*B_f blocks for interval 1, where
/// B_f is the product of the sides still to come. A rank that hands on moves its own block; unless the order is that
/// of the axes, all bundles of several blocks are many runs of the root's memory.
Cost lines_cost(const Spec& spec, const Machine& machine, const Params& params) {
  const pattern::Axes axes = pattern::axes_of(spec);
  const std::vector<int> order = scatter_axes::order(axes, params);
  Cost total;
  Slot bundle = axes.ranks();
  for (const int axis : order) {
    bundle /= axes.side(axis);
    const pattern::Reach reach = pattern::reach_of(axes, axis, spec.root);
    const Round rounds = interval(spec, machine) * (reach.far() - 1) + 1;
    pattern::add_cost(total, kit::neighbour_cost(rounds, base::checked_multiply(rounds * bundle, spec.bytes, "bytes")));
    total.further += std::min(reach.up, reach.down);  // bundles that leave both ways at once
  }
  if (axes.count() > 1) total.permuted = spec.bytes;
  if (order.front() != 0) total.packed = (axes.ranks() - axes.side(order.back())) * spec.bytes;
  return total;
}

SchedulePtr build_lines(const Spec& spec, const Machine& machine, const Params& params) {
  const pattern::Axes axes = pattern::axes_of(spec);
  const std::vector<int> first = order(axes, params);
  const std::vector<pattern::Reach> reach = reaches(axes, spec.root);
  const Round every = interval(spec, machine);
  std::vector<pattern::AxisPhase> phases;
  for (const int axis : first) phases.push_back({every * (reach[static_cast<std::size_t>(axis)].far() - 1) + 1, 1});
  return schedule::relabel(pattern::lines_schedule(axes, spec.bytes, {{first, reach}}, phases, every),
                           pattern::from_root(axes, spec.root));
}

}  // namespace

Algorithm describe() {
  return {.name = "scatter_axes",
          .collective = Collective::scatter,
          .summary = "along one axis after the other, in bundles for all that lie behind, farthest first",
          .source = "Saad & Schultz 1986, eq. (3.39), corrected, for any sides and dimensions",
          .closed_form = {.startups = "V + H",
                          .bytes = "(H R + V) m",
                          .further = "floor((R - 1)/2) + floor((C - 1)/2)",
                          .where = "torus, along the root's row first"},
          .parameters = {pattern::first_parameter()},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = pattern::first_variants,
          .cost = lines_cost,
          .build = build_lines};
}

}  // namespace quadrille::algorithm::scatter_axes
