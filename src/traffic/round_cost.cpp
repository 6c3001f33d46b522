#include "traffic/round_cost.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "cost/turns.hpp"

namespace quadrille::traffic {

namespace {

Bytes busiest(const RoundLoads& loads, const Machine& machine, const Topology& topology) {
  Bytes bytes = machine.duplex == Duplex::full ? loads.link_bytes : loads.wire_bytes;
  if (topology.shared_medium())
    bytes = loads.heard_by_many ? loads.medium_bytes
                                : std::max(loads.largest, base::ceil_div(loads.medium_bytes, machine.shared));
  if (machine.ports == Ports::one)
    bytes = std::max(bytes, machine.duplex == Duplex::full ? std::max(loads.port_out, loads.port_in) : loads.port_both);
  return bytes;
}

}  // namespace

std::int64_t start_ups(std::int64_t messages, std::int64_t transactions, const Spec& spec, const Machine& machine) {
  if (spec.topology->shared_medium()) return cost::turns_at_medium(transactions, machine);
  if (spec.collective == Collective::multibcast && machine.ports == Ports::one) return 1;
  return cost::turns_at_ports(messages, machine, *spec.topology);
}

Bytes add_round(Cost& cost, const RoundLoads& loads, const Machine& machine, const Spec& spec, Round times) {
  const Bytes charged = busiest(loads, machine, *spec.topology);
  const auto add = [times](Bytes& sum, Bytes bytes, const char* what) {
    sum = base::checked_add(sum, base::checked_multiply(bytes, Bytes{times}, what), what);
  };
  add(cost.permuted, loads.permuted, "bytes permuted");
  add(cost.packed, loads.packed, "bytes packed");
  add(cost.combined, loads.combined, "bytes combined");
  if (loads.messages == 0) return charged;
  const std::int64_t most = std::max(loads.sends, loads.receives);
  cost.startups += times * start_ups(most, loads.transactions, spec, machine);
  cost.further += times * (most - 1);
  cost.hops += times * loads.hops;
  cost.delay += times * cost::picoseconds(loads.delay);
  add(cost.bytes, charged, "bytes on the critical path");
  return charged;
}

std::optional<Cost> counted(const Spec& asked, const Machine& machine, const Schedule& schedule,
                            const CountUntil& until) {
  const Spec spec = on_ways_of(asked, schedule);
  const std::int64_t visits = until.visits;
  const Round rounds = schedule.shape().rounds;
  schedule::Meter meter(
      visits, fmt::format("counting {} rounds on {} takes more than the {} visits allowed", base::format_count(rounds),
                          spec.topology->text(), base::format_count(visits)));
  const schedule::Metered metered(schedule, meter);
  const bool all_count = schedule.stands_for(0, spec.ranks() - 1) > 0;  // else few ranks stand for all others
  if (all_count && rounds > visits / (schedule::visits_per_step * spec.topology->nodes()))
    meter.spend(visits + 1);  // before memory is taken for every rank
  TrafficCounter counter(spec, machine, metered, true, &meter, false);
  Cost cost;
  Round t = 0;
  const auto tell = [&] {
    if (until.came != nullptr)
      *until.came = {visits - meter.left(), static_cast<double>(t) / static_cast<double>(std::max<Round>(1, rounds))};
  };
  try {
    for (Round next = 0; t < rounds; t = next) {
      next = schedule.alike(t).end;
      add_round(cost, counter.round(t), machine, spec, next - t);
      for (Round each = t; each < next; ++each) cost.barriers += schedule.barrier(each) ? 1 : 0;
      if (next < rounds && seconds(cost, machine, *spec.topology) > until.price) return tell(), std::nullopt;
    }
  } catch (const Error&) {
    tell();
    throw;
  }
  tell();
  return cost;
}

}  // namespace quadrille::traffic
