// Every block in n parts, one down each of n binomial trees turned against each other, so that all links of the root
// work.
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"

namespace quadrille::algorithm::scatter_rotated {

namespace {

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  return kit::needs_all_links(spec, machine);
}

/// n messages, (P - 1)*ceil(m/n) bytes. Where a node either sends or receives, a round splits in two by the colour of
/// the senders, except the first, in which only the root sends. The root's parts lie apart, in all messages but the
/// last of each tree; a rank moves its parts but the one that comes last, at most all but the smallest. The root sends
/// n messages a round; in the other half of round t, counted from 0, its neighbours send t, and in the last one the
/// rank opposite gets n, if n is even.
Cost rotated_cost(const Spec& spec, const Machine& machine, const Params&) {
  const int n = kit::dimension(spec);
  const Bytes part = base::ceil_div(spec.bytes, n);
  const Bytes moved = spec.bytes - spec.bytes / n, packed = (spec.ranks() - 2) * spec.bytes;
  if (machine.duplex == Duplex::node_half) {
    Cost cost = kit::neighbour_cost(2 * n - 1, (3 * spec.ranks() / 2 - 2) * part, moved, packed);
    cost.further = n * (n - 1) + (n > 1 ? (n - 2) * (n - 3) / 2 + n - n % 2 - 1 : 0);
    return cost;
  }
  return kit::with_messages(n, kit::neighbour_cost(n, (spec.ranks() - 1) * part, moved, packed));
}

SchedulePtr build_rotated(const Spec& spec, const Machine& machine, const Params&) {
  SchedulePtr all =
      schedule::relabel_xor(schedule::rotated(scatter::tree_schedule(spec.ranks(), spec.bytes), spec.bytes), spec.root);
  return machine.duplex == Duplex::node_half ? schedule::half_split(std::move(all), spec.topology) : all;
}

}  // namespace

Algorithm describe() {
  return {.name = "scatter_rotated",
          .collective = Collective::scatter,
          .summary = "n parts of every block down n binomial trees, each part over another dimension at a time",
          .source = "extra: Saad & Schultz 1985, eq. (5.1), on all ports",
          .closed_form = {.startups = "n", .bytes = "(P - 1) ceil(m/n)", .further = "n (n - 1)", .where = "hypercube"},
          .literature = {{.families = {"hypercube"},
                          .says = "blocks that must not be cut: the spanning balanced n-tree (SBnT) of Johnsson & Ho"}},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost = rotated_cost,
          .build = build_rotated};
}

}  // namespace quadrille::algorithm::scatter_rotated
