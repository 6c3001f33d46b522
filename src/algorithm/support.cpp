#include "algorithm/support.hpp"

#include <cmath>

namespace quadrille {

std::string needs_hypercube(const Spec& spec) {
  if (as<Hypercube>(spec)) return {};
  const int below = log2_floor(spec.ranks());
  return fmt::format("needs a hypercube, and {} is not one; nearest: hypercube:{}", spec.topology->text(), below < 1 ? 1 : below);
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

std::int64_t best_packets(Bytes bytes, std::int64_t depth, Seconds startup, double per_byte) {
  if (bytes == 0) return 0;
  if (depth <= 1) return 1;
  const auto size = static_cast<double>(bytes);
  const auto exact = [&](std::int64_t nu) {
    return static_cast<double>(nu + depth - 1) * startup + per_byte * static_cast<double>(bytes + (depth - 1) * ceil_div(bytes, nu));
  };
  const auto smooth = [&](std::int64_t nu) {  // convex, and never above exact()
    return static_cast<double>(nu + depth - 1) * (startup + size * per_byte / static_cast<double>(nu));
  };
  const double ideal = startup > 0 ? std::sqrt(static_cast<double>(depth - 1) * size * per_byte / startup) : size;
  const std::int64_t middle = ideal >= size ? bytes : std::max<std::int64_t>(1, static_cast<std::int64_t>(ideal));
  std::int64_t best = middle;
  Seconds least = exact(middle);
  const auto take = [&](std::int64_t nu) {
    const Seconds time = exact(nu);
    if (time < least || (time == least && nu < best)) least = time, best = nu;
  };
  // Walk over packet sizes, not counts: only nu = ceil(bytes / w) can be optimal.
  for (std::int64_t nu = middle; nu >= 1 && smooth(nu) <= least;) {
    const std::int64_t w = ceil_div(bytes, nu);
    nu = ceil_div(bytes, w);
    take(nu);
    if (nu == 1) break;
    nu = ceil_div(bytes, w + 1) < nu ? ceil_div(bytes, w + 1) : nu - 1;
  }
  for (std::int64_t nu = middle + 1; nu <= bytes && smooth(nu) <= least;) {
    const std::int64_t w = ceil_div(bytes, nu);
    take(nu);
    if (w == 1) { take(ceil_div(bytes, 1)); break; }
    nu = std::max(nu + 1, ceil_div(bytes, w - 1));
  }
  return best;
}

}  // namespace quadrille
