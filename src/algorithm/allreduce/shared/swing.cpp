#include "algorithm/allreduce/shared/swing.hpp"

#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/axes.hpp"
#include "algorithm/pattern/shift.hpp"

namespace quadrille::algorithm::allreduce {

Rank swing_distance(int step) {
  const Rank power = base::bit(step + 1);
  return (1 - (step % 2 == 0 ? -power : power)) / 3;
}

SwingPeers::SwingPeers(const Spec& spec, int first, int sign) : sign_(sign) {
  const pattern::Axes axes = pattern::axes_of(spec);
  bool more = true;
  for (int number = 0; more; ++number) {
    more = false;
    for (const int axis : pattern::order_from(axes, first, 1)) {
      if (base::bit(number) >= axes.side(axis)) continue;
      order_.push_back({axes.side(axis), axes.step(axis), number});
      more = true;
    }
  }
}

Rank SwingPeers::peer(int step, Rank r) const {
  const Step& s = order_[static_cast<std::size_t>(step)];
  const Rank coordinate = r / s.stride % s.side, by = sign_ * swing_distance(s.number);
  return r + (base::wrap(coordinate + (coordinate % 2 == 0 ? by : -by), s.side) - coordinate) * s.stride;
}

int swing_axes(const Spec& spec) { return pattern::axes_of(spec).count(); }

std::string swing_illegal(const Spec& spec, const Machine& machine, Rank most) {
  if (std::string reason = pattern::needs_wrapping_axes(spec); !reason.empty()) return reason;
  const Rank p = spec.ranks();
  const pattern::Axes axes = pattern::axes_of(spec);
  for (const Rank side : axes.sides)
    if (!base::is_power_of_two(side))
      return fmt::format("needs sides that are powers of two, and {} has one of {}; nearest: ring:{}",
                         spec.topology->text(), side, base::bit(base::log2_floor(p)));
  if (p > most) return fmt::format("is priced message by message, on no more than {0} ranks; nearest: ring:{0}", most);
  if (machine.switching == Switching::store_and_forward)
    return "sends to ranks that are not neighbours, which needs wormhole or circuit switching; try --set "
           "switching=wormhole";
  if (kit::half_duplex(machine))
    return "both ranks of a pair send at once over the same wires, and here are half duplex; try --set duplex=full";
  return {};
}

}  // namespace quadrille::algorithm::allreduce
