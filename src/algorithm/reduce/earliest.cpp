// bcast_earliest run backwards: what is combined comes up trees in which a rank hears from as many others as overheads
// and links allow.
#include "algorithm/bcast/shared/earliest.hpp"

#include "algorithm/bcast/shared/duals.hpp"
#include "algorithm/kit/counted.hpp"
#include "algorithm/kit/duality.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_earliest {

namespace {

using bcast::EarliestParts;

/// Every byte is combined where it arrives, before it goes on.
Machine combining_bytes(Machine machine) {
  machine.multicast = false;
  machine.beta += machine.gamma;
  return machine;
}

std::shared_ptr<const kit::EarliestTrees> trees(const Spec& spec, const Machine& machine, const Params& params) {
  return EarliestParts::of(params).trees(spec, combining_bytes(machine));
}

SchedulePtr build(const Spec& spec, const Machine& machine, const Params& params) {
  static const Algorithm base = bcast_earliest::describe();
  return kit::dual_of_schedule(
      base, spec,
      bcast::earliest_broadcast(kit::in_elements(spec, Collective::bcast), trees(spec, machine, params),
                                EarliestParts::of(params).parts));
}

}  // namespace

Algorithm describe() {
  return {
      .name = "reduce_earliest",
      .collective = Collective::reduce,
      .summary = "up trees in which a rank hears from as many others as overheads and links allow; counted",
      .source = "extra: bcast_earliest run backwards",
      .closed_form = {.where = "rounds of the plan, a start-up each, or more where messages outnumber ports; counted"},
      .parameters = bcast::earliest_parameters(),
      .claims = [](const Spec& s, const Machine& m,
                   const Params& p) { return bcast::earliest_claims(s, *trees(s, m, p)); },
      .illegal =
          [](const Spec& s, const Machine&, const Params& p) {
            return bcast::earliest_illegal(s, p, kit::has_lines(s) ? "reduce_chain" : "reduce_binomial");
          },
      .variants =
          [](const Spec& s, const Machine& m) {
            return bcast::earliest_variants(s, m, [&](const Params& p) { return kit::cost_of<build>(s, m, p); });
          },
      .cost = kit::cost_of<build>,
      .build = build};
}

}  // namespace quadrille::algorithm::reduce_earliest
