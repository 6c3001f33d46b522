#include "algorithm/on_routes.hpp"

#include <fmt/format.h>

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

}  // namespace quadrille::algorithm
