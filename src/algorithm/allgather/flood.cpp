// Along every line of a mesh what came from one side is passed on to the other: single blocks along the last axis, then
// bundles of all blocks collected so far along the axis before it, and so on. Needs no ring, so that it runs on lines
// and on meshes of odd sides.
// Invariant: before a phase a rank has the blocks of all ranks that differ from it in the later axes alone; after q of
// its rounds also the bundles of the ranks up to q places away along the phase's axis.
#include <memory>

#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/axes.hpp"
#include "algorithm/registry.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::allgather_flood {

namespace {

class Flood final : public Schedule {
 public:
  explicit Flood(const Spec& spec) : axes_(pattern::axes_of(spec)) {
    for (const Rank side : axes_.sides) shape_.rounds += side - 1;
    shape_.ranks = shape_.out = spec.ranks();
    shape_.cut = {.bytes = spec.bytes};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    int axis = axes_.count() - 1;
    while (t >= axes_.side(axis) - 1) t -= axes_.side(axis--) - 1;
    const Rank x = axes_.coordinate(r, axis);
    for (const Rank way : {1, -1}) {
      pass(r, axis, x, x + way, x - way * t, true, out);
      pass(r, axis, x, x - way, x - way * (t + 1), false, out);
    }
  }

 private:
  /// The bundle of the ranks at `origin` goes to, or comes from, the neighbour at `peer`, where both are on the line.
  void pass(Rank r, int axis, Rank x, Rank peer, Rank origin, bool away, Steps& out) const {
    const Rank side = axes_.side(axis), step = axes_.step(axis);
    if (peer < 0 || peer >= side || origin < 0 || origin >= side) return;
    const Rank other = axes_.with(r, axis, peer);
    const Slots bundle = contiguous(r - r % step + (origin - x) * step, step);
    if (away)
      out.send(other, Buffer::out, bundle);
    else
      out.recv(other, Buffer::out, bundle);
  }

  pattern::Axes axes_;
  Shape shape_;
};

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  const auto* grid = kit::grid(spec);
  if (!grid || grid->wraps())
    return fmt::format("needs a mesh, and {} is none; nearest: mesh:{}", spec.topology->text(), spec.ranks());
  return kit::needs_all_ports(machine);
}

/// Rounds of a line in which some rank sends both ways: one that is as far from both ends as what it passes on comes.
Round both_ways(Rank side) { return side < 3 ? 0 : (side + 1) / 2; }

/// Every round in two on half-duplex wires; but at the end of an odd line only ranks of one colour have something left.
/// There, in a line by itself, nobody but the middle rank passes on what came from both ends; and a rank that begins
/// with its own block both ways sends one message where copies count as one.
Cost flood_cost(const Spec& spec, const Machine& machine, const Params&) {
  const pattern::Axes axes = pattern::axes_of(spec);
  Round rounds = 0, further = 0;
  for (const Rank side : axes.sides) rounds += side - 1, further += both_ways(side);
  Cost cost = kit::neighbour_cost(rounds, (spec.ranks() - 1) * spec.bytes);
  cost.further = further;
  if (!kit::half_duplex(machine)) return cost;
  const bool odd_line = axes.count() == 1 && axes.side(0) % 2 != 0;
  cost = kit::neighbour_cost(2 * rounds - odd_line, (2 * (spec.ranks() - 1) - odd_line) * spec.bytes);
  cost.further = 2 * further - odd_line - (odd_line && axes.side(0) == 3 && machine.multicast);
  return cost;
}

}  // namespace

Algorithm describe() {
  return {.name = "allgather_flood",
          .collective = Collective::allgather,
          .summary = "along one axis after the other: what came from one side is passed on to the other",
          .source = "extra: Saad & Schultz 1986, eq. (3.31), on lines instead of rings",
          .closed_form = {.startups = "R + C - 2",
                          .bytes = "(P - 1) m",
                          .further = "min(1, R - 2) floor((R + 1)/2) + min(1, C - 2) floor((C + 1)/2)",
                          .where = "mesh, full duplex"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost = flood_cost,
          .build = [](const Spec& s, const Machine& m, const Params&) -> SchedulePtr {
            return kit::split_if_half(std::make_shared<Flood>(s), s, m);
          }};
}

}  // namespace quadrille::algorithm::allgather_flood
