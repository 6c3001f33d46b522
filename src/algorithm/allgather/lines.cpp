// Axis after axis, the last first: all ranks of a line exchange what they hold at once, straight to each.
#include "algorithm/allgather/shared/duals.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/on_routes.hpp"
#include "algorithm/pattern/straight.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "algorithm/registry.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::allgather_lines {

namespace {

constexpr Rank most = 1 << 12;

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  const topology::Grid* grid = kit::grid(spec);
  const auto long_sides =
      grid == nullptr ? 0 : std::count_if(grid->sides().begin(), grid->sides().end(), [](Rank s) { return s > 1; });
  if (long_sides < 2)
    return fmt::format("needs a torus or mesh of several axes, and {} is none; nearest: {}", spec.topology->text(),
                       kit::nearest_torus(spec));
  if (spec.ranks() > most)
    return fmt::format("is counted message by message, for at most {} ranks; try allgather_axes", most);
  std::string reason = pattern::linear_illegal(spec, machine, params);
  const bool relays = machine.ports == Ports::all && machine.switching == Switching::store_and_forward;
  if (relays && machine.duplex == Duplex::node_half) reason += " --set duplex=full";  // the next reason
  return reason;
}

SchedulePtr build(const Spec& spec, const Machine&, const Params&) {
  std::vector<Rank> sides = kit::grid(spec)->sides();
  std::reverse(sides.begin(), sides.end());
  std::erase(sides, 1);
  return reduce_scatter::digits_schedule(std::move(sides), spec.bytes);
}

}  // namespace

Algorithm describe() {
  return {
      .name = "allgather_lines",
      .collective = Collective::allgather,
      .summary = "axis after axis: all ranks of a line exchange what they hold at once, straight to each; counted",
      .source = "classical; SimGrid's 2dmesh and 3dmesh",
      .closed_form = {.where = "torus or mesh: a round for each axis; counted"},
      .parameters = {},
      .claims = [](const Spec&, const Machine&,
                   const Params&) { return Claims{.contention_free = false, .port_free = false}; },
      .illegal = illegal,
      .variants = kit::one_variant,
      .cost = [](const Spec& s, const Machine& m, const Params& p) { return cost_on_routes(s, m, *build(s, m, p)); },
      .build = build};
}

}  // namespace quadrille::algorithm::allgather_lines
