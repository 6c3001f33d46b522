// Every block in as many parts as the torus has axes, each part exchanged along the axes in another order, the shorter
// way round: in every phase all axes work, and no link carries two parts. Where both directions work at once, the rank
// half way round an even side is reached by half a part either way.
#include "algorithm/alltoall/shared/port_turns.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_bidir_rotated {

namespace {

/// Whether some rank is half way round and both directions are used at once.
bool halves_help(const Spec& spec, const Machine& machine) {
  const Rank n = pattern::axes_of(spec).sides.front();
  return alltoall::turns_together(machine) && n > 2 && n % 2 == 0;
}

alltoall::Turning turning(const Spec& spec, const Machine& machine, const Params& params) {
  const pattern::Axes axes = pattern::axes_of(spec);
  std::vector<std::vector<int>> orders;
  for (int part = 0; part < axes.count(); ++part) orders.push_back(pattern::order_from(axes, part, 1));
  alltoall::Turning all = alltoall::turning_of(axes, orders, alltoall::shorter_way, alltoall::turns_together(machine));
  const bool halves = params.get("ways", halves_help(spec, machine) ? 2 : 1) == 2;
  return halves ? alltoall::both_ways(std::move(all)) : all;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = pattern::all_axes_illegal(spec, machine); !reason.empty()) return reason;
  if (params.get("ways", 1) == 1 || halves_help(spec, machine)) return {};
  return "ways=2 halves the parts for ranks half way round an even side longer than 2, where both directions work at "
         "once; try ways=1";
}

/// Halves save bytes, unless blocks are too short to halve, and cost messages and packing.
std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  if (!halves_help(spec, machine)) return {{{"ways", {1}}}};
  return {{{"ways", {1}}}, {{"ways", {2}}}};
}

}  // namespace

Algorithm describe() {
  return {.name = "alltoall_bidir_rotated",
          .collective = Collective::alltoall,
          .summary = "parts of every block along all axes of a torus at once, each the shorter way round",
          .source = "extra: Saad & Schultz 1986, sec. 3.5(D), on all ports; meets the bound",
          .closed_form = {.startups = "2 (s - 1)",
                          .bytes = "2 s floor(s^2/4) ceil(m/2)",
                          .further = "2 (s - 1)",
                          .where = "square torus, half duplex"},
          .parameters = {pattern::ways_parameter()},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = [](const Spec& s, const Machine& m,
                     const Params& p) { return alltoall::turning_cost(s, m, turning(s, m, p)); },
          .build = [](const Spec& s, const Machine& m,
                      const Params& p) { return alltoall::turning_build(s, m, turning(s, m, p)); }};
}

}  // namespace quadrille::algorithm::alltoall_bidir_rotated
