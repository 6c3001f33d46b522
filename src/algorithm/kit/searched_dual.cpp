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

/// What the base is asked. Of fewer elements than blocks the first blocks have one each.
Spec searched_for(const Spec& spec, const Algorithm& base) {
  Spec question = in_elements(spec, base.collective);
  if (spec.bytes / spec.element < parts_of(spec, base)) {
    auto offsets = std::make_shared<std::vector<Bytes>>();
    for (Rank r = 0; r <= spec.ranks(); ++r) offsets->push_back(std::min<Bytes>(r, spec.bytes / spec.element));
    question.offsets = std::move(offsets);
  }
  return question;
}

/// Of blocks with an element each.
Seconds least_of_few(const Algorithm& base, const Spec& spec, const Machine& machine) {
  Spec question = searched_for(spec, base);
  if (question.offsets->back() == 0) return 0;
  Machine alone = one_by_one(machine);
  alone.beta *= static_cast<double>(spec.element);
  return 2 * base.least(question, alone, {});
}

}  // namespace

std::string searched_dual_illegal(const Algorithm& base, const Spec& spec, const Machine& machine,
                                  const Params& params) {
  std::string reason = dual_illegal(base, spec, machine, params);
  return reason.empty() ? needs_ways_back(spec, machine) : reason;
}

std::vector<Params> searched_dual_variants(const Algorithm& base, const Spec& spec, const Machine& machine) {
  return base.variants(searched_for(spec, base), combining(spec, machine));
}

Claims searched_dual_claims(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params) {
  return base.claims(in_elements(spec, base.collective), machine, params);
}

Cost searched_dual_cost(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params) {
  return *traffic::counted(spec, machine, *searched_dual_build(base, spec, machine, params));
}

SchedulePtr searched_dual_build(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params) {
  return dual_of_schedule(base, spec, base.build(searched_for(spec, base), one_by_one(machine), params));
}

/// Blocks of an all-reduce may be an element shorter than others.
Seconds searched_dual_least(const Algorithm& base, const Spec& spec, const Machine& machine, const Params& params) {
  if (base.least == nullptr || spec.offsets) return 0;
  Spec question = in_elements(spec, base.collective);
  const Bytes elements = spec.bytes / spec.element / parts_of(spec, base);
  if (elements == 0) return least_of_few(base, spec, machine);
  question.bytes = elements * spec.element;
  Params fitting = params;
  const std::string parts(chunks.name);
  if (fitting.has(parts)) fitting.set(parts, {std::min(fitting.get(parts, 1), elements)});
  const Seconds once = base.least(question, one_by_one(machine), fitting);
  return spec.collective == Collective::allreduce ? 2 * once : once;
}

}  // namespace quadrille::algorithm::kit
