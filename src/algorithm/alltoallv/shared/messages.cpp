#include "algorithm/alltoallv/shared/messages.hpp"

#include "algorithm/kit/support.hpp"
#include "schedule/rounds.hpp"

namespace quadrille::algorithm::alltoallv {

SchedulePtr in_rounds(const Spec& spec, const std::vector<std::int32_t>& round_of_pair) {
  const Demands& demands = *spec.demands;
  std::vector<schedule::Handover> messages;
  for (std::size_t i = 0; i < demands.pairs.size(); ++i)
    messages.push_back({.round = round_of_pair[i],
                        .from = static_cast<std::int32_t>(demands.pairs[i].from),
                        .to = static_cast<std::int32_t>(demands.pairs[i].to),
                        .slot = static_cast<std::int32_t>(demands.leaves(i)),
                        .target = static_cast<std::int32_t>(demands.arrives[i]),
                        .source = Buffer::in,
                        .arrival = Buffer::out,
                        .slots = static_cast<std::int32_t>(demands.words(i))});
  return schedule::of_handovers(kit::shape_of_words(spec), messages);
}

std::string between_any_illegal(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  if (t.shared_medium())
    return fmt::format("ranks send at once, and on {} they share one medium; nearest: crossbar:{}", t.text(),
                       spec.ranks());
  if (machine.switching == Switching::store_and_forward && t.direct() && t.diameter() > 1)
    return "sends to ranks that are not neighbours, which needs circuit or wormhole switching; try --set "
           "switching=circuit";
  if (kit::half_duplex(machine))
    return "every rank sends and receives in the same round, and a rank or wire of this machine does one or the other; "
           "try --set duplex=full";
  return {};
}

}  // namespace quadrille::algorithm::alltoallv
