// Messages of an alltoallv by doubling distances: those that have as far to go go together, so that few rounds do for
// many small ones.
#include "algorithm/alltoallv/shared/messages.hpp"
#include "algorithm/kit/counted.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"
#include "schedule/rounds.hpp"

namespace quadrille::algorithm::alltoallv_bruck {

namespace {

/// In round k every rank sends on what it has for ranks whose distance from where it began has bit k. On its way each
/// message has places of its own in scratch.
SchedulePtr build(const Spec& spec, const Machine&, const Params&) {
  const Demands& demands = *spec.demands;
  const Rank ranks = spec.ranks();
  std::vector<Slot> waiting(static_cast<std::size_t>(ranks), 0);
  std::vector<schedule::Handover> hops;
  for (std::size_t i = 0; i < demands.pairs.size(); ++i) {
    const Demand& pair = demands.pairs[i];
    const Rank distance = base::wrap(pair.to - pair.from, ranks);
    schedule::Handover hop{.to = static_cast<std::int32_t>(pair.from),
                           .target = static_cast<std::int32_t>(demands.leaves(i)),
                           .arrival = Buffer::in,
                           .slots = static_cast<std::int32_t>(demands.words(i))};
    for (std::int32_t bit = 0; distance >> bit > 0; ++bit) {
      if ((distance >> bit & 1) == 0) continue;
      hop.round = bit, hop.from = hop.to, hop.slot = hop.target, hop.source = hop.arrival;
      hop.to = static_cast<std::int32_t>((hop.from + (Rank{1} << bit)) % ranks);
      const bool ends = distance >> bit == 1;
      Slot& place = waiting[static_cast<std::size_t>(hop.to)];
      hop.target = static_cast<std::int32_t>(ends ? demands.arrives[i] : place);
      hop.arrival = ends ? Buffer::out : Buffer::tmp;
      if (!ends) place += demands.words(i);
      hops.push_back(hop);
    }
  }
  Shape shape = kit::shape_of_words(spec);
  shape.tmp = *std::max_element(waiting.begin(), waiting.end());
  return schedule::of_handovers(shape, hops);
}

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  const Topology& t = *spec.topology;
  if (t.shared_medium())
    return fmt::format("ranks send at once, and on {} they share one medium; nearest: crossbar:{}", t.text(),
                       spec.ranks());
  if (machine.switching == Switching::store_and_forward && t.direct() && t.diameter() > 1)
    return "sends to ranks that are not neighbours, which needs circuit or wormhole switching; try --set "
           "switching=circuit";
  if (kit::half_duplex(machine))
    return "every rank sends and receives in the same round, and a rank or wire of this machine does one or the other; "
           "try --set duplex=full";
  return {};
}

}  // namespace

Algorithm describe() {
  return {.name = "alltoallv_bruck",
          .collective = Collective::alltoallv,
          .summary = "over distances 1, 2, 4 ..: what has as far to go goes together, and waits where it turns",
          .source = "Bruck, Ho, Kipnis, Upfal & Weathersby 1997, with messages of any lengths",
          .closed_form = {.where = "any network on which messages go straight: counted"},
          .parameters = {},
          .claims = alltoallv::straight_claims,
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost = kit::cost_of<build>,
          .build = build};
}

}  // namespace quadrille::algorithm::alltoallv_bruck
