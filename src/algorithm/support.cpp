#include "algorithm/support.hpp"

#include <algorithm>

namespace quadrille {

std::string needs_hypercube(const Spec& spec, int least) {
  if (as<Hypercube>(spec)) return {};
  return fmt::format("needs a hypercube, and {} is not one; nearest: hypercube:{}", spec.topology->text(),
                     std::max(least, log2_floor(spec.ranks())));
}

std::string needs_all_ports(const Machine& machine) {
  if (machine.ports == Ports::all) return {};
  return "sends over several links at once, and this machine has one port; try --set ports=all";
}

SchedulePtr split_if_half(SchedulePtr schedule, const Spec& spec, const Machine& machine) {
  return half_duplex(machine) ? half_split(std::move(schedule), spec.topology) : schedule;
}

Seconds neighbour_startup(const Spec& spec, const Machine& machine) {
  const Cost one{.startups = 1, .hops = 1};
  return seconds(one, machine, *spec.topology);
}

}  // namespace quadrille
