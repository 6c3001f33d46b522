#include "algorithm/pattern/halved_lines.hpp"

#include <algorithm>

#include "algorithm/kit/support.hpp"
#include "topology/grid.hpp"

namespace quadrille::algorithm::pattern {

Rank Stretch::middle() const {
  const Rank larger = base::ceil_div(size, 2);
  return holder < low + larger ? low + larger : low + size - larger;
}

Stretch Stretch::half_of(Rank position) const {
  const Rank cut = middle();
  const bool lower = position < cut;
  const bool holds = (holder < cut) == lower;
  return {lower ? low : cut, lower ? cut - low : low + size - cut, holds ? holder : receiver()};
}

HalvedLines::HalvedLines(const Spec& spec) : axes_(axes_of(spec)), root_(spec.root) {
  for (const Rank side : axes_.sides) rounds_ += base::log2_ceil(side);
}

HalvedLines::Place HalvedLines::place(Round t, Rank r) const {
  Place place;
  while (t >= base::log2_ceil(axes_.side(place.axis))) t -= base::log2_ceil(axes_.side(place.axis++));
  place.served = true;
  for (int later = place.axis + 1; later < axes_.count(); ++later)
    place.served = place.served && axes_.coordinate(r, later) == axes_.coordinate(root_, later);
  place.stretch = {0, axes_.side(place.axis), axes_.coordinate(root_, place.axis)};
  for (; t > 0 && place.stretch.size > 1; --t) place.stretch = place.stretch.half_of(axes_.coordinate(r, place.axis));
  return place;
}

HalvedLines::Hops HalvedLines::hops() const {
  Hops hops;
  for (int axis = 0; axis < axes_.count(); ++axis) {
    const Rank side = axes_.side(axis);
    const auto links = [&](Rank apart) { return axes_.wraps ? std::min(apart, side - apart) : apart; };
    Stretch roots{0, side, axes_.coordinate(root_, axis)};
    Rank others = 0;  // the largest stretch that the root is not in: its holder is at one of its ends
    for (int round = 0; round < base::log2_ceil(side); ++round) {
      Rank longest = others > 1 ? links(base::ceil_div(others, 2)) : 0;
      if (roots.size > 1) longest = std::max(longest, links(std::abs(roots.receiver() - roots.holder)));
      others = std::max(base::ceil_div(others, 2), roots.size / 2);
      roots = roots.half_of(roots.holder);
      hops.all += longest;
      hops.most = std::max<std::int64_t>(hops.most, longest);
    }
  }
  return hops;
}

std::string halving_illegal(const Spec& spec, const Machine& machine) {
  if (!kit::is_ring(spec) && !kit::grid(spec))
    return fmt::format("needs a ring, mesh or torus, and {} is none; nearest: ring:{}", spec.topology->text(),
                       spec.ranks());
  if (machine.switching != Switching::store_and_forward) return {};
  if (const std::int64_t most = HalvedLines(spec).hops().most; most > 1)
    return fmt::format(
        "a message goes past ranks over {} links, and this machine stores and forwards; try {}_{} or --set "
        "switching=circuit",
        most, to_string(spec.collective),
        axes_of(spec).count() > 1 && spec.collective != Collective::bcast ? "axes" : "chain");
  return {};
}

}  // namespace quadrille::algorithm::pattern
