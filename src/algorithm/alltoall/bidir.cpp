// Transposition on a ring, every block the shorter way: half way round goes clockwise, or half of it either way. On a
// torus along one axis after the other. Both directions at once where wires are full duplex and ranks use all their
// ports. [extra: half the bytes of turning one way]
#include <algorithm>

#include "algorithm/registry.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/alltoall/shared/port_turns.hpp"

namespace quadrille {

namespace {

Turning turning(const Spec& spec, const Machine& machine, const Params& params) {
  const Axes axes = axes_of(spec);
  Turning one = turning_of(axes, {order_from(axes, static_cast<int>(params.get("first", 0)), 1)}, shorter_way,
                           turns_together(machine));
  return params.get("ways", 1) == 2 ? both_ways(std::move(one)) : one;
}

/// Whether some rank is half way round and both directions are used at once.
bool halves_help(const Axes& axes, const Machine& machine) {
  return turns_together(machine) &&
         std::any_of(axes.sides.begin(), axes.sides.end(), [](Rank n) { return n > 2 && n % 2 == 0; });
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = turning_illegal(spec, machine, params); !reason.empty()) return reason;
  if (params.get("ways", 1) == 1 || halves_help(axes_of(spec), machine)) return {};
  return "ways=2 halves the blocks for ranks half way round an even side longer than 2, where both directions work at "
         "once; try ways=1";
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  std::vector<Params> all = first_variants(spec, machine);
  if (!halves_help(axes_of(spec), machine)) return all;
  for (std::size_t i = 0, n = all.size(); i < n; ++i) {
    all.push_back(all[i]);
    all[i].set("ways", {1});
    all.back().set("ways", {2});
  }
  return all;
}

}  // namespace

Algorithm alltoall_bidir() {
  return {
      .name = "alltoall_bidir",
      .collective = Collective::alltoall,
      .summary =
          "exchange along the axes of a ring or torus, every block the shorter way round; bundles lose a share "
          "at every rank",
      .source = "Saad & Schultz 1986, sec. 3.5(C), with both directions; on a torus in place of eq. (3.44)",
      .parameters = {first_parameter(), ways_parameter()},
      .claims = all_claims,
      .illegal = illegal,
      .variants = variants,
      .cost = [](const Spec& s, const Machine& m, const Params& p) { return turning_cost(s, m, turning(s, m, p)); },
      .build = [](const Spec& s, const Machine& m, const Params& p) { return turning_build(s, m, turning(s, m, p)); }};
}

}  // namespace quadrille
