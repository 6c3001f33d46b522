#include "algorithm/allreduce/shared/packets.hpp"

#include <cmath>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::allreduce {

std::string packets_on_switch_illegal(const Spec& spec, const Machine& machine) {
  constexpr Rank most = 4096;
  if (!kit::has_own_wires(spec))
    return fmt::format("needs wires between all ranks, and {} has not; nearest: crossbar:{}", spec.topology->text(),
                       std::min(most, spec.ranks()));
  if (spec.ranks() > most)
    return fmt::format("is priced message by message, on no more than {0} ranks; nearest: crossbar:{0}", most);
  if (kit::half_duplex(machine))
    return "every rank sends and receives in the same round, and wires or ranks here work one way at a time; try --set "
           "duplex=full";
  return {};
}

std::vector<Params> best_of_packets(const Spec& spec, const Machine& machine, const PacketRounds& rounds,
                                    const std::function<Cost(const Params&)>& cost) {
  const std::int64_t elements = spec.bytes / spec.element, most = kit::most_packets(elements, rounds.parts);
  const double per_part =
      (machine.beta + machine.gamma / 2) * static_cast<double>(spec.bytes) / static_cast<double>(rounds.parts);
  const double startup = std::max(kit::neighbour_startup(spec, machine), 1e-30);
  const double ideal = std::sqrt(static_cast<double>(std::max<std::int64_t>(rounds.more, 0)) * per_part /
                                 (static_cast<double>(rounds.each) * startup));
  const auto near = static_cast<std::int64_t>(std::clamp(ideal, 1.0, static_cast<double>(std::min<Bytes>(most, 4096))));
  Params best;
  Seconds least = 0;
  for (std::int64_t packets = std::max<std::int64_t>(1, near - 1); packets <= std::min(near + 1, most); ++packets) {
    const Params params{{"packets", {packets}}};
    const Seconds time = seconds(cost(params), machine, *spec.topology);
    if (best.values().empty() || time < least) best = params, least = time;
  }
  return {best};
}

}  // namespace quadrille::algorithm::allreduce
