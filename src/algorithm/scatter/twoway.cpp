// From the root both ways round a ring through all ranks, the farthest blocks first.
#include "algorithm/pattern/axis_lines.hpp"
#include "algorithm/pattern/walk.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/kit/scattering.hpp"
#include "algorithm/kit/support.hpp"

namespace quadrille {

namespace {

Round interval(const Spec& spec, const Machine& machine) { return relay_interval(machine, spec.ranks() / 2); }

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = needs_ring(spec); !reason.empty()) return reason;
  const bool two_links = spec.topology->degree() > 1;
  if (spec.ranks() > 2 && (machine.ports == Ports::one || !two_links))
    return fmt::format("the root uses two links at once, and has one here; try {}_chain{}", to_string(spec.collective),
                       two_links ? " or --set ports=all" : "");
  return ways_illegal(machine, spec.ranks(), params.get("ways", 1));
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  if (!ways_illegal(machine, spec.ranks(), 2).empty()) return {Params{}};
  return {Params{{"ways", {1}}}, Params{{"ways", {2}}}};
}

/// floor(P/2) messages of a block; with ways = 2 the first is half a block, and whole blocks are two runs of memory in
/// all messages but the first.
Cost twoway_cost(const Spec& spec, const Machine& machine, const Params& params) {
  const Rank half = spec.ranks() / 2;
  if (params.get("ways", 1) == 2)
    return with_messages(
        2, neighbour_cost(half, (half - 1) * spec.bytes + ceil_div(spec.bytes, 2), 0, 2 * (half - 1) * spec.bytes));
  Cost cost = over_network(spec, scatter_chain_cost(spec.bytes, half, interval(spec, machine)));
  cost.further = (spec.ranks() - 1) / 2;  // blocks that leave both ways at once
  return cost;
}

SchedulePtr build_twoway(const Spec& spec, const Machine& machine, const Params& params) {
  const Rank p = spec.ranks();
  SchedulePtr ring = scatter_chain_schedule(p, spec.bytes, p / 2, (p - 1) / 2, interval(spec, machine));
  if (params.get("ways", 1) == 2) {
    const Axes axes = axes_of({p}, true);
    ring = lines_schedule(axes, spec.bytes, both_ways({{{0}, {reach_of(axes, 0, 0)}}}), {{p / 2, 1}}, 1);
  }
  return relabel(std::move(ring), ring_order(spec, spec.root));
}

}  // namespace

Algorithm scatter_twoway() {
  return {.name = "scatter_twoway",
          .collective = Collective::scatter,
          .summary = "both ways round a ring through all ranks, one block a message, farthest first",
          .source = "Saad & Schultz 1986, eq. (3.38)",
          .parameters = {ways_parameter()},
          .claims = all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = twoway_cost,
          .build = build_twoway};
}

}  // namespace quadrille
