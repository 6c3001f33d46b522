#include "algorithm/kit/searched_dual.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "algorithm/kit/searched.hpp"
#include "algorithm/kit/ways.hpp"
#include "cost/link_costs.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::algorithm::kit {

namespace {

Machine one_by_one(Machine machine) {
  machine.multicast = false;
  return machine;
}

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

/// How many blocks the base cuts the vector into.
std::int64_t parts_of(const Spec& spec, const Algorithm& base) {
  return spec.collective == Collective::allreduce && base.collective == Collective::allgather ? spec.ranks() : 1;
}

}  // namespace

std::string searched_dual_illegal(const Algorithm& base, const Spec& spec, const Machine& machine,
                                  const Params& params) {
  std::string reason = dual_illegal(base, spec, machine, params);
  return reason.empty() ? needs_ways_back(spec, machine) : reason;
}

/// On many ranks a search takes seconds: too long for vectors of which most blocks are empty.
std::vector<Params> searched_dual_variants(const Algorithm& base, const Spec& spec, const Machine& machine) {
  constexpr Rank many = 256;
  if (parts_of(spec, base) > std::max<std::int64_t>(many, spec.bytes / spec.element)) return {};
  return base.variants(in_elements(spec, base.collective), combining(spec, machine));
}

Claims searched_dual_claims(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params) {
  return base.claims(in_elements(spec, base.collective), machine, params);
}

Cost searched_dual_cost(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params) {
  return *traffic::counted(spec, machine, *dual_build(base, spec, machine, params));
}

/// Blocks of an all-reduce may be an element shorter than others.
Seconds searched_dual_least(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params) {
  if (base.least == nullptr || spec.offsets) return 0;
  Spec question = in_elements(spec, base.collective);
  const Bytes elements = spec.bytes / spec.element / parts_of(spec, base);
  question.bytes = elements * spec.element;
  if (question.bytes == 0) return 0;
  Params fitting = params;
  const std::string parts(chunks.name);
  if (fitting.has(parts)) fitting.set(parts, {std::min(fitting.get(parts, 1), elements)});
  const Seconds once = base.least(question, one_by_one(machine), fitting);
  return spec.collective == Collective::allreduce ? 2 * once : once;
}

}  // namespace quadrille::algorithm::kit
