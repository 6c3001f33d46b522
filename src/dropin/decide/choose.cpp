#include "dropin/decide/choose.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "planner/clock.hpp"
#include "program/program.hpp"
#include "quadrille/simulate.hpp"

namespace quadrille::dropin {

namespace {

/// What MPIs choose from, in our names.
constexpr std::array textbook{
    "bcast_binomial",         "bcast_scatter_allgather", "allgather_doubling",  "allgather_daisy",
    "scatter_tree",           "scatter_direct",          "gather_tree",         "gather_direct",
    "alltoall_bruck:radix=2", "alltoall_pairwise",       "reduce_binomial",     "reduce_scatter_gather",
    "allreduce_doubling",     "allreduce_fold",          "allreduce_ring",      "allreduce_halving",
    "reduce_scatter_halving", "reduce_scatter_pairwise", "reduce_scatter_ring", "scan_doubling",
    "exscan_butterfly"};
/// Beyond it a simulation would take seconds.
constexpr Rank most_ranks = 64;

/// The same ranks on a network where all are neighbours.
Placement crossbar(const Placement& placement) {
  return {.topology = parse_topology(fmt::format("crossbar:{}", placement.topology->ranks()))};
}

/// An exchange of blocks of one byte: lengths are no matter of an algorithm that goes straight.
Spec single_bytes(const Placement& where) {
  return checked({.collective = Collective::alltoall, .topology = where.topology, .bytes = 1});
}

/// Null where it is not legal.
SchedulePtr single_schedule(const std::string& name, const Placement& where, const Machine& machine) {
  const Choice choice = parse_choice(name);
  const Spec spec = single_bytes(where), on = on_nodes(spec, where);
  if (choice.algorithm->collective != spec.collective || !choice.algorithm->illegal(on, machine, choice.params).empty())
    return nullptr;
  return for_ranks(build(on, machine, choice).schedule, spec, where);
}

/// Of all ranks; as many as can be when there are too many to count.
std::int64_t messages(const Plan& plan, const Candidate& c) {
  constexpr std::int64_t most = std::int64_t{1} << 14;
  const planner::Outline known = planner::outline(
      plan.spec, plan.machine, *build(plan.spec, plan.machine, {c.algorithm, c.params}).schedule, most);
  return known.whole ? known.messages : std::numeric_limits<std::int64_t>::max();
}

constexpr std::int64_t visits = std::int64_t{1} << 18;  ///< of a proof: some milliseconds

/// Every plan that may be tried is proven; the plan's best is already.
bool stands(const Plan& plan, const Candidate& c) {
  if (c.assurance.how != Assurance::How::none) return !c.assurance.fails();
  return !assure(plan.spec, plan.machine, {c.algorithm, c.params}, visits, plan.order, plan.network).fails();
}

}  // namespace

bool disproved(const Spec& spec, const Placement& placement, const Machine& machine, const std::string& choice) {
  const Choice known = parse_choice(choice);
  const Spec on = on_nodes(spec, placement);
  if (known.algorithm->collective != on.collective || !known.algorithm->illegal(on, machine, known.params).empty())
    return false;  // is not used there
  return assure(on, machine, known, visits).fails();
}

std::vector<Prospect> prospects(const Spec& spec, const Placement& placement, const Machine& machine,
                                std::size_t most) {
  const Plan p = plan(on_nodes(spec, placement), machine, to_perform(machine));
  std::vector<Prospect> best;
  std::vector<const Algorithm*> seen;
  for (const Candidate& c : p.candidates) {
    if (best.size() == most) break;
    if (std::find(seen.begin(), seen.end(), c.algorithm) != seen.end()) continue;
    seen.push_back(c.algorithm);
    if (!stands(p, c)) continue;
    best.push_back({to_text(*c.algorithm, c.params), c.known(), p.bound.binding == "latency" ? 0 : p.bound.time});
  }
  return best;
}

std::vector<Prospect> prospects_in_doubt(const Spec& spec, const Placement& placement, const Machine& machine,
                                         std::size_t most, double doubt) {
  const Plan p = plan(on_nodes(spec, placement), machine, to_perform(machine));
  struct Few {
    std::int64_t messages;
    Prospect prospect;
  };
  std::vector<Few> all;
  for (const Candidate& c : p.candidates)
    if (c.known() <= doubt * p.best().known() && stands(p, c))
      all.push_back({messages(p, c), {to_text(*c.algorithm, c.params), c.known()}});
  if (all.size() > most)  // the first is the best
    std::stable_sort(all.begin() + 1, all.end(), [](const Few& a, const Few& b) { return a.messages < b.messages; });
  std::vector<Prospect> chosen;
  for (std::size_t i = 0; i < std::min(all.size(), most); ++i) chosen.push_back(std::move(all[i].prospect));
  return chosen;
}

Prospect alltoallv_prospect(const Request& request, const Placement& placement, const Machine& machine) {
  constexpr Bytes room = Bytes{1} << 30;
  for (const Placement& where : {placement, crossbar(placement)}) {
    const Spec spec = *spec_of(request, where.topology), single = single_bytes(where);
    for (Prospect& p : prospects(spec, where, machine, std::numeric_limits<std::size_t>::max())) {
      const SchedulePtr schedule = single_schedule(p.algorithm, where, machine);
      if (!schedule || !program::Compiler(single, *schedule).compile(0, false, room).goes_straight()) continue;
      if (where.topology != placement.topology) p.predicted = 0;
      return p;
    }
  }
  return {};
}

SchedulePtr alltoallv_schedule(const std::string& choice, const Placement& placement, const Machine& machine) {
  SchedulePtr schedule = single_schedule(choice, placement, machine);
  return schedule ? schedule : build(single_bytes(crossbar(placement)), machine, parse_choice(choice)).schedule;
}

Seconds native_estimate(const Spec& spec, const Placement& placement, const Machine& machine, bool with_bursts) {
  if (spec.ranks() > most_ranks || spec.topology->nodes() != spec.ranks()) return 0;
  Spec blind = spec;
  blind.topology = parse_topology(fmt::format("crossbar:{}", spec.ranks()));
  Machine any = machine;  // its messages go anywhere, link by link or not
  // As plans are simulated, where links that were idle let something through at once.
  const Network network = with_bursts && machine.burst > 0 ? usual_network(machine, *spec.topology) : Network::fluid;
  Seconds best = std::numeric_limits<Seconds>::infinity();
  for (const char* const name : textbook) {
    const Choice choice = parse_choice(name);
    if (choice.algorithm->collective != spec.collective ||
        !choice.algorithm->illegal(blind, any, choice.params).empty())
      continue;
    const Built built = build(blind, any, choice);
    const SimulateOptions options{.network = network, .deadline = best, .tolerance = 0.001};
    const Timeline t = simulate(spec, any, *between_nodes(built.schedule, placement), options);
    if (t.complete) best = std::min(best, t.makespan);
  }
  return best < std::numeric_limits<Seconds>::infinity() ? best : 0;
}

}  // namespace quadrille::dropin
