#include "algorithm/on_routes.hpp"

#include <fmt/format.h>

#include "algorithm/kit/chosen_ways.hpp"
#include "algorithm/one_rank.hpp"
#include "cost/link_costs.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm {

namespace {

std::string crossbar_of(const Spec& spec) { return fmt::format("crossbar:{}", spec.ranks()); }

}  // namespace

Spec on_crossbar(const Spec& spec) {
  Spec same = spec;
  same.topology = parse_topology(crossbar_of(spec));
  return same;
}

std::string routes_illegal(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  if (machine.multicast)
    return fmt::format(
        "a machine with multicast copies messages on their way, and {} does not; try --set "
        "multicast=false",
        t.text());
  if (machine.switching == Switching::store_and_forward && t.direct() && t.diameter() > 1)
    return "sends to ranks that are not neighbours, which needs circuit or wormhole switching; try --set "
           "switching=wormhole";
  return {};
}

std::string refusal_on_routes(std::string reason, const Spec& spec) {
  const std::string crossbar = crossbar_of(spec);
  const std::size_t at = reason.find(crossbar);
  if (at < reason.find("nearest: "))
    reason.replace(at, crossbar.size(), spec.topology->text() + " (routes between any two ranks)");
  return reason;
}

Cost cost_on_routes(const Spec& spec, const Machine& machine, const Schedule& schedule) {
  return *traffic::counted(spec, machine, schedule);
}

Seconds least_on_routes(const Spec& spec, const Machine& machine, const Cost& on_crossbar) {
  const cost::LinkCosts links(machine, *spec.topology, cost::LinkCosts::Asked::network);
  Machine fastest = machine;
  fastest.alpha = links.least_alpha();
  fastest.beta *= links.least();
  fastest.per_hop = 0;
  return seconds(on_crossbar, fastest, *spec.topology);
}

namespace on_routes {

Claims claims(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params) {
  if (!seen_as_crossbar(spec, own)) return one_rank::claims(own, spec, machine, params);
  Claims claims = one_rank::claims(own, on_crossbar(spec), machine, params);
  claims.contention_free = claims.port_free = false;
  claims.exact = true;
  return claims;
}

std::string illegal(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params) {
  if (!seen_as_crossbar(spec, own)) return one_rank::illegal(own, spec, machine, params);
  const std::string reason = routes_illegal(spec, machine);
  if (!reason.empty()) return reason;
  return refusal_on_routes(one_rank::illegal(own, on_crossbar(spec), machine, params), spec);
}

std::vector<Params> variants(const Algorithm& own, const Spec& spec, const Machine& machine) {
  return one_rank::variants(own, seen_as_crossbar(spec, own) ? on_crossbar(spec) : spec, machine);
}

Cost cost(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params) {
  if (spec.topology->chooses_ways()) return cost_on_routes(spec, machine, *build(own, spec, machine, params));
  if (!seen_as_crossbar(spec, own)) return one_rank::cost(own, spec, machine, params);
  return cost_on_routes(spec, machine, *one_rank::build(own, on_crossbar(spec), machine, params));
}

Seconds least(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params) {
  if (seen_as_crossbar(spec, own))
    return least_on_routes(spec, machine, one_rank::cost(own, on_crossbar(spec), machine, params));
  return own.least == nullptr ? 0 : own.least(spec, machine, params);
}

SchedulePtr build(const Algorithm& own, const Spec& spec, const Machine& machine, const Params& params) {
  const Spec& asked = seen_as_crossbar(spec, own) ? on_crossbar(spec) : spec;
  return kit::on_chosen_ways(spec, machine, one_rank::build(own, asked, machine, params));
}

std::string_view other_name(const Algorithm& own, const Spec& spec, const Params& params) {
  return one_rank::other_name(own, seen_as_crossbar(spec, own) ? on_crossbar(spec) : spec, params);
}

}  // namespace on_routes

}  // namespace quadrille::algorithm
