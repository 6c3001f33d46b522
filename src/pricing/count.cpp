// The counted price: a round lasts as long as its busiest link, wire or port.
#include <fmt/format.h>

#include <algorithm>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "quadrille/price.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille {

Traffic count(const Spec& asked, const Machine& machine, const Schedule& schedule, std::vector<RoundTraffic>* per_round,
              const CountBudget& budget) {
  const Spec spec = on_ways_of(asked, schedule);
  const Shape& shape = schedule.shape();
  schedule::Meter meter(
      budget.visits,
      fmt::format("counting {} rounds on {} takes more than the {} visits allowed; the closed form (price "
                  "--formula) needs none, and --budget allows more",
                  base::format_count(shape.rounds), spec.topology->text(), base::format_count(budget.visits)));
  const schedule::Metered metered(schedule, meter);
  const Rank counted = traffic::counted_ranks(*spec.topology, schedule.symmetry().group);
  if (shape.rounds > budget.visits / (schedule::visits_per_step * counted))
    meter.spend(budget.visits + 1);  // before memory is taken for every rank
  traffic::TrafficCounter counter(spec, machine, metered, true, &meter);
  Traffic total;
  total.by_symmetry = counter.group() != Group::none;
  for (Round t = 0; t < shape.rounds; ++t) {
    const traffic::RoundLoads loads = counter.round(t);
    if (budget.progress) budget.progress(static_cast<double>(t + 1) / static_cast<double>(shape.rounds));
    const Bytes charged = traffic::add_round(total.cost, loads, machine, spec);
    if (schedule.barrier(t)) ++total.cost.barriers;
    total.combined = base::checked_add(total.combined, loads.all_combined, "bytes combined");
    total.messages += loads.messages;
    total.critical_bytes += loads.largest;
    total.message_hops += loads.message_hops;
    total.byte_hops = base::checked_add(total.byte_hops, loads.byte_hops, "byte-hops");
    total.contention = std::max(total.contention, loads.link_messages);
    if (per_round && (loads.messages > 0 || loads.permuted > 0 || loads.combined > 0))
      per_round->push_back({t, loads.messages, loads.largest, charged, loads.link_messages, loads.link, loads.hops,
                            loads.permuted, loads.packed, loads.combined});
  }
  total.visits = budget.visits - meter.left();
  total.listed = total.visits - counter.link_visits();
  total.busiest_link = counter.busiest_link();
  total.busiest_wire = counter.busiest_wire();
  total.busiest_out_port = counter.busiest_out();
  total.busiest_in_port = counter.busiest_in();
  return total;
}

}  // namespace quadrille
