// Transposition on a ring, every block the shorter way: half way round goes clockwise, or half of it either way. On a
// torus along one axis after the other. Both directions at once where wires are full duplex and ranks use all their
// ports. One direction alone would take twice the bytes.
#include <algorithm>

#include "algorithm/alltoall/shared/port_turns.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_bidir {

namespace {

alltoall::Turning turning(const Spec& spec, const Machine& machine, const Params& params) {
  const pattern::Axes axes = pattern::axes_of(spec);
  alltoall::Turning one =
      alltoall::turning_of(axes, {pattern::order_from(axes, static_cast<int>(params.get("first", 0)), 1)},
                           alltoall::shorter_way, alltoall::turns_together(machine));
  return params.get("ways", 1) == 2 ? alltoall::both_ways(std::move(one)) : one;
}

/// Whether some rank is half way round and both directions are used at once.
bool halves_help(const pattern::Axes& axes, const Machine& machine) {
  return alltoall::turns_together(machine) &&
         std::any_of(axes.sides.begin(), axes.sides.end(), [](Rank n) { return n > 2 && n % 2 == 0; });
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = alltoall::turning_illegal(spec, machine, params); !reason.empty()) return reason;
  if (params.get("ways", 1) == 1 || halves_help(pattern::axes_of(spec), machine)) return {};
  return "ways=2 halves the blocks for ranks half way round an even side longer than 2, where both directions work at "
         "once; try ways=1";
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  std::vector<Params> all = pattern::first_variants(spec, machine);
  if (!halves_help(pattern::axes_of(spec), machine)) return all;
  for (std::size_t i = 0, n = all.size(); i < n; ++i) {
    all.push_back(all[i]);
    all[i].set("ways", {1});
    all.back().set("ways", {2});
  }
  return all;
}

}  // namespace

Algorithm describe() {
  return {.name = "alltoall_bidir",
          .collective = Collective::alltoall,
          .summary =
              "exchange along the axes of a ring or torus, every block the shorter way round; bundles lose a share "
              "at every rank",
          .source = "Saad & Schultz 1986, sec. 3.5(C), with both directions; on a torus in place of eq. (3.44)",
          .closed_form = {.startups = "P - 1", .bytes = "floor(P^2/4) m", .where = "ring, half duplex"},
          .parameters = {pattern::first_parameter(), pattern::ways_parameter()},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = [](const Spec& s, const Machine& m,
                     const Params& p) { return alltoall::turning_cost(s, m, turning(s, m, p)); },
          .build = [](const Spec& s, const Machine& m,
                      const Params& p) { return alltoall::turning_build(s, m, turning(s, m, p)); }};
}

}  // namespace quadrille::algorithm::alltoall_bidir
