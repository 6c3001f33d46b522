// From the root both ways round a ring through all ranks, the farthest blocks first.
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/axis_lines.hpp"
#include "algorithm/pattern/walk.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"

namespace quadrille::algorithm::scatter_twoway {

namespace {

Round interval(const Spec& spec, const Machine& machine) { return kit::relay_interval(machine, spec.ranks() / 2); }

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = pattern::needs_ring(spec); !reason.empty()) return reason;
  const bool two_links = spec.topology->degree() > 1;
  if (spec.ranks() > 2 && (machine.ports == Ports::one || !two_links))
    return fmt::format("the root uses two links at once, and has one here; try {}_chain{}", to_string(spec.collective),
                       two_links ? " or --set ports=all" : "");
  return pattern::ways_illegal(machine, spec.ranks(), params.get("ways", 1));
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  if (!pattern::ways_illegal(machine, spec.ranks(), 2).empty()) return {Params{}};
  return {Params{{"ways", {1}}}, Params{{"ways", {2}}}};
}

/// floor(P/2) messages of a block; with ways = 2 the first is half a block, and whole blocks are two runs of memory in
/// all messages but the first.
Cost twoway_cost(const Spec& spec, const Machine& machine, const Params& params) {
  const Rank half = spec.ranks() / 2;
  if (params.get("ways", 1) == 2)
    return kit::with_messages(2, kit::neighbour_cost(half, (half - 1) * spec.bytes + base::ceil_div(spec.bytes, 2), 0,
                                                     2 * (half - 1) * spec.bytes));
  Cost cost = kit::over_network(spec, scatter::chain_cost(spec.bytes, half, interval(spec, machine)));
  cost.further = (spec.ranks() - 1) / 2;  // blocks that leave both ways at once
  return cost;
}

SchedulePtr build_twoway(const Spec& spec, const Machine& machine, const Params& params) {
  const Rank p = spec.ranks();
  SchedulePtr ring = scatter::chain_schedule(p, spec.bytes, p / 2, (p - 1) / 2, interval(spec, machine));
  if (params.get("ways", 1) == 2) {
    const pattern::Axes axes = pattern::axes_of({p}, true);
    ring = pattern::lines_schedule(axes, spec.bytes, pattern::both_ways({{{0}, {pattern::reach_of(axes, 0, 0)}}}),
                                   {{p / 2, 1}}, 1);
  }
  return schedule::relabel(std::move(ring), pattern::ring_order(spec, spec.root));
}

}  // namespace

Algorithm describe() {
  return {.name = "scatter_twoway",
          .collective = Collective::scatter,
          .summary = "both ways round a ring through all ranks, one block a message, farthest first",
          .source = "Saad & Schultz 1986, eq. (3.38)",
          .closed_form = {.startups = "floor(P/2)",
                          .bytes = "floor(P/2) m",
                          .further = "floor((P - 1)/2)",
                          .where = "ring, whole blocks"},
          .parameters = {pattern::ways_parameter()},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = twoway_cost,
          .build = build_twoway};
}

}  // namespace quadrille::algorithm::scatter_twoway
