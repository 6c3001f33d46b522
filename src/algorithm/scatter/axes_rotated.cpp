// Every block in as many parts as the torus has axes, each part along the axes in another order, so that all links of
// the root work in every phase.
#include "algorithm/pattern/axis_lines.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/kit/scattering.hpp"
#include "algorithm/kit/support.hpp"

namespace quadrille {

namespace {

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  Machine full = machine;  // links are used one way
  full.duplex = Duplex::full;
  if (std::string reason = all_axes_illegal(spec, full); !reason.empty()) return reason;
  if (machine.duplex == Duplex::node_half)
    return "a rank would send while it receives, and a node here does one or the other; try --set duplex=half";
  return ways_illegal(machine, axes_of(spec).sides.front(), params.get("ways", 1));
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  std::vector<Params> all{{{"ways", {1}}}};
  if (ways_illegal(machine, axes_of(spec).sides.front(), 2).empty()) all.push_back({{"ways", {2}}});
  return all;
}

/// D*h start-ups and h*(P - 1)/(s - 1)*ceil(m/D) bytes, h = floor(s/2); with ways = 2 half of that in the first round
/// of every phase. The root's parts lie apart, in all messages but those of single parts in the last phase; a rank
/// moves at most all its parts but the smallest.
Cost rotated_cost(const Spec& spec, const Machine&, const Params& params) {
  const Axes axes = axes_of(spec);
  const Rank n = axes.sides.front(), h = n / 2, p = spec.ranks(), bundles = (p - 1) / (n - 1);
  const std::int64_t ways = params.get("ways", 1), parts = axes.count() * ways;
  const Cut cut{.bytes = spec.bytes, .parts = parts};
  const Bytes largest = cut.offset(ways), smallest = spec.bytes - cut.offset(parts - ways);
  const Bytes first = ways == 2 ? cut.size(0) : largest;
  Cost cost = neighbour_cost(axes.count() * h, checked_multiply(bundles, (h - 1) * largest + first, "bytes"),
                             spec.bytes - smallest, (p - (ways == 2 ? 2 : n)) * spec.bytes);
  const Round both_ways = ways == 2 ? h : (n - 1) / 2;  // of a phase, the others one way along every axis
  cost.further = axes.count() * (h * (axes.count() - 1) + both_ways * axes.count());
  return cost;
}

SchedulePtr build_rotated(const Spec& spec, const Machine&, const Params& params) {
  const Axes axes = axes_of(spec);
  const auto d = axes.sides.size();
  const Reach reach = reach_of(axes, 0, 0);
  std::vector<LinePart> parts;
  for (int first = 0; first < axes.count(); ++first)
    parts.push_back({order_from(axes, first, 1), std::vector(d, reach)});
  if (params.get("ways", 1) == 2) parts = both_ways(parts);
  return relabel(lines_schedule(axes, spec.bytes, std::move(parts), std::vector(d, AxisPhase{reach.far(), 1}), 1),
                 from_root(axes, spec.root));
}

}  // namespace

Algorithm scatter_axes_rotated() {
  return {.name = "scatter_axes_rotated",
          .collective = Collective::scatter,
          .summary = "parts of every block along all axes of a torus at once, farthest first",
          .source = "extra: Saad & Schultz 1986, eq. (3.39), on all ports",
          .parameters = {ways_parameter()},
          .claims = all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = rotated_cost,
          .build = build_rotated};
}

}  // namespace quadrille
