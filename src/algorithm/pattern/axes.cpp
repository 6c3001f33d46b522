#include "algorithm/pattern/axes.hpp"

#include <algorithm>

#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/shift.hpp"
#include "base/text.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::pattern {

Rank Axes::along(Rank r, int axis, Rank by) const {
  return with(r, axis, base::wrap(coordinate(r, axis) + by, side(axis)));
}

Rank Axes::plus(Rank a, Rank b) const {
  Rank sum = 0;
  for (int i = 0; i < count(); ++i) sum += (coordinate(a, i) + coordinate(b, i)) % side(i) * step(i);
  return sum;
}

Rank Axes::minus(Rank a, Rank b) const {
  Rank difference = 0;
  for (int i = 0; i < count(); ++i) difference += base::wrap(coordinate(a, i) - coordinate(b, i), side(i)) * step(i);
  return difference;
}

bool Axes::equal_sides() const {
  return std::all_of(sides.begin(), sides.end(), [&](Rank n) { return n == sides.front(); });
}

Axes axes_of(const std::vector<Rank>& sides, bool wraps) {
  Axes axes{.sides = {}, .steps = {}, .wraps = wraps};
  for (const Rank n : sides)
    if (n > 1) axes.sides.push_back(n);
  axes.steps.resize(axes.sides.size());
  Rank step = 1;
  for (std::size_t i = axes.sides.size(); i-- > 0; step *= axes.sides[i]) axes.steps[i] = step;
  return axes;
}

Axes axes_of(const Spec& spec) {
  const auto* grid = kit::grid(spec);
  return grid ? axes_of(grid->sides(), grid->wraps()) : axes_of({spec.ranks()}, true);
}

std::string needs_wrapping_axes(const Spec& spec) {
  const auto* grid = kit::grid(spec);
  if (kit::is_ring(spec) || (grid && grid->wraps())) return {};
  std::string nearest = fmt::format("ring:{}", spec.ranks());
  if (grid) nearest = "torus:" + base::join(grid->sides(), "x");
  return fmt::format("needs a torus or a ring, and {} is neither; nearest: {}", spec.topology->text(), nearest);
}

std::string axis_illegal(const Axes& axes, std::int64_t axis) {
  if (axis >= 0 && axis < axes.count()) return {};
  return fmt::format("first={} is no axis; sides longer than 1 are counted from 0 to {}", axis, axes.count() - 1);
}

Parameter first_parameter() {
  return {.name = "first",
          .meaning = "axis to begin with, counted from 0 among the sides longer than 1",
          .low = 0,
          .high = 15};
}

Parameter ways_parameter() {
  return {.name = "ways",
          .meaning = "1: what is for the rank half way round goes one way; 2: half of it either way",
          .high = 2};
}

std::vector<Params> first_variants(const Spec& spec, const Machine&) {
  const int axes = axes_of(spec).count();
  if (axes == 1) return {Params{}};
  std::vector<Params> all;
  for (int i = 0; i < axes; ++i) all.push_back({{"first", {i}}});
  return all;
}

std::vector<int> order_from(const Axes& axes, int first, int direction) {
  std::vector<int> order;
  for (int i = 0; i < axes.count(); ++i)
    order.push_back(static_cast<int>(base::wrap(first + direction * i, axes.count())));
  return order;
}

schedule::Renaming from_root(const Axes& axes, Rank root) {
  return {[=](Rank r) { return axes.plus(r, root); }, [=](Rank r) { return axes.minus(r, root); }};
}

bool axis_splits(const Machine& machine, Rank side) {
  return one_way(machine) || (kit::half_duplex(machine) && side == 2);
}

namespace {

/// The same sides, odd ones one longer.
std::string with_even_sides(const Spec& spec) {
  const auto* grid = kit::grid(spec);
  if (!grid) return fmt::format("ring:{}", spec.ranks() + 1);
  std::string text = "torus:";
  for (const Rank n : grid->sides()) text += fmt::format("{}{}", text.back() == ':' ? "" : "x", n > 1 ? n + n % 2 : 1);
  return text;
}

}  // namespace

std::string axes_split_illegal(const Spec& spec, const Axes& axes, const Machine& machine) {
  const bool odd =
      std::any_of(axes.sides.begin(), axes.sides.end(), [&](Rank n) { return n % 2 != 0 && axis_splits(machine, n); });
  if (!odd) return {};
  return fmt::format(
      "a rank of this machine cannot send while it receives, and {} does not divide in two kinds of ranks that "
      "take turns; nearest: {}, or --set duplex=full",
      spec.topology->text(), with_even_sides(spec));
}

std::string all_axes_illegal(const Spec& spec, const Machine& machine) {
  if (std::string reason = needs_wrapping_axes(spec); !reason.empty()) return reason;
  const Axes axes = axes_of(spec);
  if (axes.count() < 2 || !axes.equal_sides())
    return fmt::format(
        "cuts every block in parts that go along different axes at once, so it needs a torus of equal "
        "sides, and {} is none; nearest: {}",
        spec.topology->text(), kit::nearest_torus(spec));
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  return axes_split_illegal(spec, axes, machine);
}

Moment moment_of(const std::vector<AxisPhase>& phases, Round t) {
  int phase = 0;
  for (; t >= phases[static_cast<std::size_t>(phase)].rounds * phases[static_cast<std::size_t>(phase)].halves; ++phase)
    t -= phases[static_cast<std::size_t>(phase)].rounds * phases[static_cast<std::size_t>(phase)].halves;
  const int halves = phases[static_cast<std::size_t>(phase)].halves;
  return {phase, t / halves, halves == 2 ? static_cast<int>(t % 2) : -1};
}

Round total_rounds(const std::vector<AxisPhase>& phases) {
  Round rounds = 0;
  for (const AxisPhase& phase : phases) rounds += phase.rounds * phase.halves;
  return rounds;
}

}  // namespace quadrille::algorithm::pattern
