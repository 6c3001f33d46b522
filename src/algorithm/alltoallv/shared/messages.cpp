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

}  // namespace quadrille::algorithm::alltoallv
