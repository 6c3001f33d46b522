#include "incumbents/incumbents.hpp"

#include <fmt/format.h>

#include "base/integer.hpp"
#include "collective/traits.hpp"
#include "quadrille/price.hpp"

namespace quadrille::incumbents {

namespace {

constexpr Bytes kib = 1024;

/// The choice with its segment as packets of a message.
Choice choice_of(const Incumbent& incumbent, const Spec& spec) {
  Choice choice = parse_choice(incumbent.choice);
  if (incumbent.segment > 0)
    choice.params.set("packets", {std::max<std::int64_t>(1, base::ceil_div(spec.bytes, incumbent.segment))});
  return choice;
}

Rules rules_for(Mpi mpi, Collective collective, const TopologyPtr& topology, const Machine& machine, Bytes most) {
  Rules rules{collective, topology->ranks(), {}};
  Spec spec{.collective = collective, .topology = topology, .bytes = 8};
  for (; spec.bytes <= most; spec.bytes *= 2) {
    const Incumbent* best = nullptr;
    Seconds least = 0;
    for (const Incumbent& one : incumbents()) {
      if (one.mpi != mpi || one.collective != collective) continue;
      const std::optional<Seconds> time = price_of(one, checked(spec), machine);
      if (time && (best == nullptr || *time < least)) best = &one, least = *time;
    }
    if (best == nullptr) return rules;
    if (rules.rules.empty() || rules.rules.back().use != best)
      rules.rules.push_back({rules.rules.empty() ? 0 : spec.bytes, best, least});
  }
  return rules;
}

}  // namespace

const std::vector<Incumbent>& incumbents() {
  using C = Collective;
  constexpr Mpi o = Mpi::openmpi, m = Mpi::mpich;
  static const std::vector<Incumbent> all{
      {o, C::bcast, 6, "binomial", "bcast_binomial"},
      {o, C::bcast, 3, "pipeline", "bcast_chain", 8 * kib},
      {o, C::bcast, 3, "pipeline", "bcast_chain", 32 * kib},
      {o, C::bcast, 3, "pipeline", "bcast_chain", 128 * kib},
      {o, C::bcast, 8, "scatter_allgather", "bcast_scatter_allgather", 0, true},
      {o, C::allgather, 2, "bruck", "allgather_doubling"},
      {o, C::allgather, 4, "ring", "allgather_daisy"},
      {o, C::alltoall, 3, "modified_bruck", "alltoall_bruck:radix=2"},
      {o, C::alltoall, 2, "pairwise", "alltoall_pairwise"},
      {o, C::allreduce, 3, "recursive_doubling", "allreduce_doubling", 0, true},
      {o, C::allreduce, 4, "ring", "allreduce_ring"},
      {o, C::allreduce, 6, "rabenseifner", "allreduce_halving:far=0", 0, true},
      {o, C::reduce_scatter, 2, "recursive_halving", "reduce_scatter_halving:far=1", 0, true},
      {o, C::reduce_scatter, 3, "ring", "reduce_scatter_ring"},
      {m, C::bcast, 0, "binomial", "bcast_binomial"},
      {m, C::bcast, 0, "scatter_recursive_doubling_allgather", "bcast_scatter_allgather", 0, true},
      {m, C::allgather, 0, "brucks", "allgather_doubling"},
      {m, C::allgather, 0, "ring", "allgather_daisy"},
      {m, C::alltoall, 0, "brucks", "alltoall_bruck:radix=2"},
      {m, C::alltoall, 0, "pairwise", "alltoall_pairwise"},
      {m, C::allreduce, 0, "recursive_doubling", "allreduce_doubling", 0, true},
      {m, C::allreduce, 0, "reduce_scatter_allgather", "allreduce_halving:far=0", 0, true},
      {m, C::reduce_scatter, 0, "recursive_halving", "reduce_scatter_halving:far=1", 0, true},
      {m, C::reduce_scatter, 0, "pairwise", "reduce_scatter_pairwise"}};
  return all;
}

std::optional<Seconds> price_of(const Incumbent& incumbent, const Spec& spec, const Machine& machine) {
  const Rank p = spec.ranks();
  if (incumbent.power_of_two && !base::is_power_of_two(p)) return std::nullopt;
  // A switch allows every schedule; who uses which link is counted on the network itself.
  Spec anywhere = spec;
  anywhere.topology = parse_topology(fmt::format("crossbar:{}", p));
  Machine allowing = machine;
  allowing.switching = Switching::wormhole;
  allowing.ports = Ports::one;
  allowing.duplex = Duplex::full;
  allowing.multicast = false;
  const Choice choice = choice_of(incumbent, spec);
  if (!choice.algorithm->illegal(anywhere, allowing, choice.params).empty()) return std::nullopt;
  const Built built = build(anywhere, allowing, choice);
  return seconds(count(spec, machine, *built.schedule).cost, machine, *spec.topology);
}

std::vector<Rules> best_rules(Mpi mpi, const TopologyPtr& topology, const Machine& machine, Bytes most) {
  if (topology->nodes() != topology->ranks())
    throw Error(
        Error::Kind::illegal,
        fmt::format("on {} messages go through a memory, and an MPI's algorithms send from rank to rank; expected a "
                    "network of ranks",
                    topology->text()));
  std::vector<Rules> all;
  for (const Collective c : collectives()) {
    Rules rules = rules_for(mpi, c, topology, machine, most);
    if (!rules.rules.empty()) all.push_back(std::move(rules));
  }
  return all;
}

}  // namespace quadrille::incumbents
