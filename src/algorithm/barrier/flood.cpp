// In every round each rank tells all its neighbours who has come, as far as it knows: after as many rounds as the
// longest way has links, all know of all, and no schedule takes fewer.
#include "algorithm/barrier/shared/tokens.hpp"
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::barrier_flood {

namespace {

std::vector<Rank> neighbours(const Topology& topology, Rank r) {
  const Topology::Structure structure = topology.structure();
  std::vector<Rank> all;
  const Rank p = topology.ranks();
  for (int axis = 0; structure.grid != nullptr && axis < static_cast<int>(structure.grid->sides().size()); ++axis)
    for (const int sign : {-1, 1}) {
      const Rank next = structure.grid->neighbour(r, axis, sign);
      const bool one_wire = structure.grid->sides()[static_cast<std::size_t>(axis)] == 2 && structure.grid->wraps();
      if (next >= 0 && next != r && !(one_wire && sign > 0)) all.push_back(next);
    }
  for (int b = 0; b < structure.cube; ++b) all.push_back(r ^ base::bit(b));
  if (structure.ring && p == 2) all = {1 - r};
  if (structure.ring && p > 2) all = {(r + 1) % p, base::wrap(r - 1, p)};
  for (Rank other = 0; !topology.contended() && other < p; ++other)
    if (other != r) all.push_back(other);
  return all;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  const Topology::Structure structure = spec.topology->structure();
  if (structure.grid == nullptr && structure.cube == 0 && !structure.ring && spec.topology->contended())
    return fmt::format("needs wires between ranks, and {} has none; nearest: crossbar:{}", spec.topology->text(),
                       spec.ranks());
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  if (kit::half_duplex(machine))
    return "neighbours tell each other at once, and wires of this machine carry one message at a time; try "
           "barrier_tree or --set duplex=full";
  return {};
}

}  // namespace

Algorithm describe() {
  return {.name = "barrier_flood",
          .collective = Collective::barrier,
          .summary = "in every round each rank tells all its neighbours who has come, as far as it knows",
          .source = "extra: meets the bound of the longest way",
          .closed_form = {.startups = "n", .bytes = "n m", .further = "n (n - 1)", .where = "hypercube, full duplex"},
          .parameters = {},
          .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.identical = Identical::no}; },
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost = [](const Spec& s, const Machine& m,
                     const Params&) { return barrier::talks_cost(s, m, s.topology->diameter(), s.topology->degree()); },
          .build =
              [](const Spec& s, const Machine&, const Params&) {
                return barrier::talks_schedule(s, s.topology->diameter(), [t = s.topology](Round, Rank r) {
                  const std::vector<Rank> all = neighbours(*t, r);
                  return barrier::Talk{all, all};
                });
              }};
}

}  // namespace quadrille::algorithm::barrier_flood
