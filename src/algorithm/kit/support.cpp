#include "algorithm/kit/support.hpp"

#include <algorithm>

namespace quadrille::algorithm::kit {

std::string question_text(const Spec& spec, const Machine& machine) {
  return fmt::format("{} {} {} {} {} {}\n{}", algorithms().size(), to_text(spec), spec.element,
                     spec.operands == Operands::ordered, spec.identical, spec.canonical, to_text(machine));
}

std::string needs_hypercube(const Spec& spec, int least) {
  if (is_cube(spec)) return {};
  return fmt::format("needs a hypercube, and {} is not one; nearest: hypercube:{}", spec.topology->text(),
                     std::max(least, base::log2_floor(spec.ranks())));
}

std::string needs_all_links(const Spec& spec, const Machine& machine) {
  std::string reason = needs_hypercube(spec);
  return reason.empty() ? needs_all_ports(machine) : reason;
}

std::string nearest_torus(const Spec& spec) {
  Rank side = 4;
  while ((side + 1) * (side + 1) < spec.ranks()) side += 2;
  return fmt::format("torus:{0}x{0}", side);
}

std::string needs_all_ports(const Machine& machine) {
  if (machine.ports == Ports::all) return {};
  return "sends over several links at once, and this machine has one port; try --set ports=all";
}

std::string needs_star(const Spec& spec, const Machine& machine) {
  if (is_bus(spec)) return {};
  if (!has_own_wires(spec))
    return fmt::format(
        "needs a bus or a crossbar, where a rank reaches all others at once, and {} is neither; nearest: bus:{}",
        spec.topology->text(), spec.ranks());
  return needs_all_ports(machine);
}

Bytes star_bytes(const Spec& spec) {
  return is_bus(spec) ? base::checked_multiply(spec.ranks() - 1, spec.bytes, "bytes") : spec.bytes;
}

std::string needs_memory(const Spec& spec) {
  if (is_memory(spec)) return {};
  return fmt::format("needs a shared memory, and {} has none; nearest: memory:{}", spec.topology->text(), spec.ranks());
}

SchedulePtr split_if_half(SchedulePtr schedule, const Spec& spec, const Machine& machine) {
  return half_duplex(machine) ? schedule::half_split(std::move(schedule), spec.topology) : schedule;
}

Seconds neighbour_startup(const Spec& spec, const Machine& machine) {
  const Cost one{.startups = 1, .hops = links_between(spec)};
  return seconds(one, machine, *spec.topology);
}

Shape shape_of_words(const Spec& spec) {
  return {.ranks = spec.ranks(),
          .in = spec.demands->most_sent(),
          .out = spec.demands->most_received(),
          .cut = {.bytes = spec.demands->word}};
}

}  // namespace quadrille::algorithm::kit
