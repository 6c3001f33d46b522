// Every block in as many parts as the torus has axes, each part exchanged along the axes in another order, the shorter
// way round: in every phase all axes work, and no link carries two parts.
#include "algorithm/registry.hpp"
#include "algorithm/support.hpp"
#include "algorithm/turning.hpp"

namespace quadrille {

namespace {

Turning turning(const Spec& spec, const Machine& machine) {
  const Axes axes = axes_of(spec);
  std::vector<std::vector<int>> orders;
  for (int part = 0; part < axes.count(); ++part) orders.push_back(order_from(axes, part, 1));
  const bool together = turns_together(machine);
  Turning all = turning_of(axes, orders, shorter_way, together);
  const Rank n = axes.sides.front();
  return together && n > 2 && n % 2 == 0 ? both_ways(std::move(all)) : all;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params&) { return all_axes_illegal(spec, machine); }

}  // namespace

Algorithm alltoall_bidir_rotated() {
  return {.name = "alltoall_bidir_rotated",
          .collective = Collective::alltoall,
          .summary = "parts of every block along all axes of a torus at once, each the shorter way round",
          .source = "extra: Saad & Schultz 1986, sec. 3.5(D), on all ports; meets the bound",
          .parameters = {},
          .claims = all_claims,
          .illegal = illegal,
          .variants = one_variant,
          .cost = [](const Spec& s, const Machine& m, const Params&) { return turning_cost(s, m, turning(s, m)); },
          .build = [](const Spec& s, const Machine& m, const Params&) { return turning_build(s, m, turning(s, m)); }};
}

}  // namespace quadrille
