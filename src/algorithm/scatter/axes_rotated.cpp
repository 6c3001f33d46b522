// Every block in as many parts as the torus has axes, each part along the axes in another order, so that all links of
// the root work in every phase.
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/axis_lines.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"

namespace quadrille::algorithm::scatter_axes_rotated {

namespace {

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  Machine full = machine;  // links are used one way
  full.duplex = Duplex::full;
  if (std::string reason = pattern::all_axes_illegal(spec, full); !reason.empty()) return reason;
  if (machine.duplex == Duplex::node_half)
    return "a rank would send while it receives, and a node here does one or the other; try --set duplex=half";
  return pattern::ways_illegal(machine, pattern::axes_of(spec).sides.front(), params.get("ways", 1));
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  std::vector<Params> all{{{"ways", {1}}}};
  if (pattern::ways_illegal(machine, pattern::axes_of(spec).sides.front(), 2).empty()) all.push_back({{"ways", {2}}});
  return all;
}

/// D*h start-ups and h*(P - 1)/(s - 1)*ceil(m/D) bytes, h = floor(s/2); with ways = 2 half of that in the first round
/// of every phase. The root's parts lie apart, in all messages but those of single parts in the last phase; a rank
/// moves at most all its parts but the smallest.
Cost rotated_cost(const Spec& spec, const Machine&, const Params& params) {
  const pattern::Axes axes = pattern::axes_of(spec);
  const Rank n = axes.sides.front(), h = n / 2, p = spec.ranks(), bundles = (p - 1) / (n - 1);
  const std::int64_t ways = params.get("ways", 1), parts = axes.count() * ways;
  const Cut cut{.bytes = spec.bytes, .parts = parts};
  const Bytes largest = cut.offset(ways), smallest = spec.bytes - cut.offset(parts - ways);
  const Bytes first = ways == 2 ? cut.size(0) : largest;
  Cost cost = kit::neighbour_cost(axes.count() * h, base::checked_multiply(bundles, (h - 1) * largest + first, "bytes"),
                                  spec.bytes - smallest, (p - (ways == 2 ? 2 : n)) * spec.bytes);
  const Round both_ways = ways == 2 ? h : (n - 1) / 2;  // of a phase, the others one way along every axis
  cost.further = axes.count() * (h * (axes.count() - 1) + both_ways * axes.count());
  return cost;
}

SchedulePtr build_rotated(const Spec& spec, const Machine&, const Params& params) {
  const pattern::Axes axes = pattern::axes_of(spec);
  const auto d = axes.sides.size();
  const pattern::Reach reach = pattern::reach_of(axes, 0, 0);
  std::vector<pattern::LinePart> parts;
  for (int first = 0; first < axes.count(); ++first)
    parts.push_back({pattern::order_from(axes, first, 1), std::vector(d, reach)});
  if (params.get("ways", 1) == 2) parts = pattern::both_ways(parts);
  return schedule::relabel(pattern::lines_schedule(axes, spec.bytes, std::move(parts),
                                                   std::vector(d, pattern::AxisPhase{reach.far(), 1}), 1),
                           pattern::from_root(axes, spec.root));
}

}  // namespace

Algorithm describe() {
  return {.name = "scatter_axes_rotated",
          .collective = Collective::scatter,
          .summary = "parts of every block along all axes of a torus at once, farthest first",
          .source = "extra: Saad & Schultz 1986, eq. (3.39), on all ports",
          .closed_form = {.startups = "2 floor(s/2)",
                          .bytes = "floor(s/2) (s + 1) ceil(m/2)",
                          .further = "2 (floor(s/2) + 2 floor((s - 1)/2))",
                          .where = "square torus, one way round"},
          .parameters = {pattern::ways_parameter()},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = rotated_cost,
          .build = build_rotated};
}

}  // namespace quadrille::algorithm::scatter_axes_rotated
