#include "incumbents/incumbents.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "quadrille/simulate.hpp"
#include "traffic/round_cost.hpp"

namespace quadrille::incumbents {

namespace {

constexpr Seconds never = std::numeric_limits<Seconds>::infinity();

std::vector<Bytes> sizes_to(Bytes most) {
  std::vector<Bytes> all;
  for (Bytes bytes = 8; bytes <= most; bytes *= 2) all.push_back(bytes);
  return all;
}

Spec of_size(const Asked& asked, Collective collective, Bytes bytes) {
  return checked({.collective = collective, .topology = asked.topology, .bytes = bytes});
}

/// Where a line that leads from one ratio of two times to the next says that they are equal.
Bytes crossing(Bytes below, Bytes above, Seconds lead, Seconds behind) {
  if (!(lead > 0) || !std::isfinite(lead + behind)) return above;
  const double part = lead / (lead + std::max(behind, 0.0));
  const Bytes at = below + static_cast<Bytes>(std::ceil(part * static_cast<double>(above - below)));
  return std::min(above, std::max(below + 1, at));
}

Rules rules_for(const Asked& asked, Collective collective) {
  Rules rules{collective, asked.topology->ranks(), {}};
  const std::vector<Candidate> all = candidates(asked.mpi, collective);
  Bytes before = 0;
  for (const Bytes bytes : sizes_to(asked.most)) {
    const Spec spec = of_size(asked, collective, bytes);
    const Candidate* best = nullptr;
    Seconds least = never;
    for (const Candidate& one : all)
      if (const Seconds time = time_of(one, spec, asked.machine, asked.by, least); time < least)
        best = &one, least = time;
    if (best == nullptr) return rules;
    if (rules.rules.empty()) {
      rules.rules.push_back({0, *best, least});
    } else if (const Candidate last = rules.rules.back().use; !(last == *best)) {
      const Spec smaller = of_size(asked, collective, before);
      const auto time = [&](const Candidate& one, const Spec& of) {
        return time_of(one, of, asked.machine, asked.by, never);
      };
      const Bytes from = crossing(before, bytes, time(*best, smaller) - time(last, smaller), time(last, spec) - least);
      rules.rules.push_back({from, *best, least});
    }
    before = bytes;
  }
  return rules;
}

Rules one_for(const Asked& asked, Collective collective) {
  const std::vector<Candidate> all = candidates(asked.mpi, collective);
  std::vector<double> regret(all.size(), 0);
  std::vector<Seconds> first(all.size(), never);
  for (const Bytes bytes : sizes_to(asked.most)) {
    const Spec spec = of_size(asked, collective, bytes);
    std::vector<Seconds> times;
    for (const Candidate& one : all) times.push_back(time_of(one, spec, asked.machine, asked.by, never));
    const Seconds least = *std::min_element(times.begin(), times.end());
    for (std::size_t i = 0; i < all.size(); ++i) {
      regret[i] += times[i] == least ? 0 : std::log(times[i] / least);
      first[i] = std::min(first[i], times[i]);
    }
  }
  Rules rules{collective, asked.topology->ranks(), {}};
  if (all.empty()) return rules;
  const auto best = static_cast<std::size_t>(std::min_element(regret.begin(), regret.end()) - regret.begin());
  if (std::isfinite(first[best])) rules.rules.push_back({0, all[best], first[best]});
  return rules;
}

std::vector<Rules> for_collectives(const Asked& asked, Rules (*choose)(const Asked&, Collective)) {
  const Topology& topology = *asked.topology;
  if (topology.nodes() != topology.ranks())
    throw Error(
        Error::Kind::illegal,
        fmt::format("on {} messages go through a memory, and an MPI's algorithms send from rank to rank; expected a "
                    "network of ranks",
                    topology.text()));
  std::vector<Rules> all;
  for (const Collective c : collectives()) {
    if (candidates(asked.mpi, c).empty()) continue;
    Rules rules = choose(asked, c);
    if (!rules.rules.empty()) all.push_back(std::move(rules));
  }
  return all;
}

Seconds simulated(const Spec& spec, const Machine& machine, const Schedule& schedule, SimulateOptions how,
                  Seconds enough) {
  how.deadline = enough;
  const Timeline line = simulate(spec, machine, schedule, how);
  return line.complete ? line.makespan : never;
}

/// Links are shared. Where they save up what they let through at once, short messages do not wait for the wire: links
/// that serve messages in order show it, and fluid ones do not.
Seconds simulated(const Spec& spec, const Machine& machine, const Schedule& schedule, Seconds enough) {
  const Seconds shared =
      simulated(spec, machine, schedule, {.order = Order::dataflow, .network = Network::fluid}, enough);
  if (machine.burst <= 0 || spec.topology->shared_medium()) return shared;
  const SimulateOptions in_order{.order = Order::eager, .network = Network::cut_through};
  return std::min(shared, simulated(spec, machine, schedule, in_order, std::min(shared, enough)));
}

}  // namespace

std::vector<Candidate> candidates(Mpi mpi, Collective collective) {
  std::vector<Candidate> all;
  for (const Own& own : algorithm::mpis::all()) {
    if (own.mpi != mpi || own.algorithm.collective != collective || own.here_only) continue;
    const std::vector<std::int64_t> none{0};
    for (const std::int64_t fanout : own.fanouts.empty() ? none : own.fanouts)
      for (const std::int64_t segment : own.segments.empty() ? none : own.segments) {
        Candidate one{&own, {}};
        if (segment > 0) one.params.set("segment", {segment});
        if (fanout > 0) one.params.set("fanout", {fanout});
        all.push_back(std::move(one));
      }
  }
  return all;
}

Seconds time_of(const Candidate& candidate, const Spec& spec, const Machine& machine, By by, Seconds enough) {
  const Algorithm& a = candidate.own->algorithm;
  if (spec.ranks() < 2 || !a.illegal(spec, machine, candidate.params).empty()) return never;
  const SchedulePtr schedule = a.build(spec, machine, candidate.params);
  if (by == By::simulation) return simulated(spec, machine, *schedule, enough);
  const std::optional<Cost> cost = traffic::counted(spec, machine, *schedule, {.price = enough});
  return cost ? seconds(*cost, machine, *spec.topology) : never;
}

std::vector<Rules> best_rules(const Asked& asked) { return for_collectives(asked, rules_for); }
std::vector<Rules> best_for_all_sizes(const Asked& asked) { return for_collectives(asked, one_for); }

}  // namespace quadrille::incumbents
