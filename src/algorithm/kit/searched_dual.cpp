#include "algorithm/kit/searched_dual.hpp"

#include <set>
#include <utility>

#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/kit/ways.hpp"
#include "cost/link_costs.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::kit {

namespace {

const Algorithm& found(const Spec& spec) {
  static const Algorithm allgather = allgather_rarest::describe(), bcast = bcast_rarest::describe();
  return spec.collective == Collective::reduce ? bcast : allgather;
}

Machine one_by_one(Machine machine) {
  machine.multicast = false;
  return machine;
}

Spec base_of(const Spec& spec) { return in_elements(spec, found(spec).collective); }

/// Empty where every link has one the other way that is as fast: messages that were found go back over these.
std::string needs_ways_back(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  if (!t.structure().routed) {
    std::set<std::pair<Rank, Rank>> joined;
    const WaysPtr ways = ways_of(spec.topology, machine);
    for (const flow::Channel& c : ways->channels) joined.emplace(c.from, c.to);
    for (const auto& [from, to] : joined)
      if (!joined.contains({to, from}))
        return fmt::format("no link leads back from rank {} to {}, over which contributions would come", to, from);
    return {};
  }
  const cost::LinkCosts costs(machine, t);
  for (Link link = 0; link < t.links(); ++link) {
    const Link back = t.reverse(link);
    if (back == link || costs.slowness(back) != costs.slowness(link))
      return fmt::format("link {} has none the other way that is as fast, over which contributions would come",
                         t.name(link));
  }
  return {};
}

}  // namespace

std::string searched_dual_illegal(const Spec& spec, const Machine& machine, const Params& params) {
  std::string reason = dual_illegal(found(spec), spec, machine, params);
  return reason.empty() ? needs_ways_back(spec, machine) : reason;
}

std::vector<Params> searched_dual_variants(const Spec& spec, const Machine& machine) {
  return found(spec).variants(base_of(spec), one_by_one(machine));
}

Claims searched_dual_claims(const Spec& spec, const Machine& machine, const Params& params) {
  return found(spec).claims(base_of(spec), machine, params);
}

Cost searched_dual_cost(const Spec& spec, const Machine& machine, const Params& params) {
  return *traffic::counted(spec, machine, *searched_dual_build(spec, machine, params));
}

/// What the base with as many bytes is not below, once or twice. Blocks of an all-reduce may be an element shorter.
Seconds searched_dual_least(const Spec& spec, const Machine& machine, const Params& params) {
  const bool twice = spec.collective == Collective::allreduce;
  const Bytes elements = twice ? spec.bytes / spec.element / spec.ranks() : spec.bytes / spec.element;
  Spec base = base_of(spec);
  base.bytes = spec.offsets ? 0 : elements * spec.element;
  if (base.bytes == 0) return 0;
  const std::int64_t parts = std::min(params.get(chunks.name, 1), elements);
  const Seconds once = rarest_first_least(base, one_by_one(machine), {{std::string(chunks.name), {parts}}});
  return twice ? 2 * once : once;
}

SchedulePtr searched_dual_build(const Spec& spec, const Machine& machine, const Params& params) {
  return dual_build(found(spec), spec, machine, params);
}

}  // namespace quadrille::algorithm::kit
