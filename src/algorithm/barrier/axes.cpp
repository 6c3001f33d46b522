// Round every cycle of one axis after the other: a rank tells the next one who has come, until each knows of its cycle.
#include "algorithm/barrier/shared/tokens.hpp"
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::barrier_axes {

namespace {

std::int64_t rounds(const Spec& spec) {
  const topology::Grid* grid = kit::grid(spec);
  if (grid == nullptr) return spec.ranks() - 1;
  std::int64_t all = 0;
  for (const Rank side : grid->sides()) all += side - 1;
  return all;
}

/// On a ring, and on a torus along the axis whose turn it is.
barrier::Talk talk(const topology::Grid* grid, Rank ranks, Round t, Rank r) {
  if (grid == nullptr) return {{(r + 1) % ranks}, {base::wrap(r - 1, ranks)}};
  int axis = 0;
  for (; t >= grid->sides()[static_cast<std::size_t>(axis)] - 1; ++axis)
    t -= grid->sides()[static_cast<std::size_t>(axis)] - 1;
  return {{grid->neighbour(r, axis, 1)}, {grid->neighbour(r, axis, -1)}};
}

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  const topology::Grid* grid = kit::grid(spec);
  if (!kit::is_ring(spec) && (grid == nullptr || !grid->wraps()))
    return fmt::format("needs cycles of neighbours, as a ring or a torus has, and {} has none; nearest: ring:{}",
                       spec.topology->text(), spec.ranks());
  const bool pairs =
      grid != nullptr ? std::count(grid->sides().begin(), grid->sides().end(), 2) > 0 : spec.ranks() == 2;
  if (pairs && kit::half_duplex(machine))
    return "pairs of ranks tell each other at once, and wires of this machine carry one message at a time; try "
           "barrier_chain";
  return kit::needs_both_ways(spec, machine, "barrier_chain");
}

}  // namespace

Algorithm describe() {
  return {
      .name = "barrier_axes",
      .collective = Collective::barrier,
      .summary = "round the cycles of one axis after the other, a rank tells the next one who has come",
      .source = "extra",
      .closed_form = {.startups = "P - 1", .bytes = "(P - 1) m", .where = "ring"},
      .parameters = {},
      .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.identical = Identical::no}; },
      .illegal = illegal,
      .variants = kit::one_variant,
      .cost = [](const Spec& s, const Machine& m, const Params&) { return barrier::talks_cost(s, m, rounds(s), 1); },
      .build =
          [](const Spec& s, const Machine&, const Params&) {
            return barrier::talks_schedule(s, rounds(s), [t = s.topology](Round round, Rank r) {
              return talk(t->structure().grid, t->ranks(), round, r);
            });
          }};
}

}  // namespace quadrille::algorithm::barrier_axes
