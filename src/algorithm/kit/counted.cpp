#include "algorithm/kit/counted.hpp"

#include "algorithm/kit/round_pricer.hpp"

namespace quadrille::algorithm::kit {

Cost counted_cost(const Spec& spec, const Machine& machine, const Schedule& schedule) {
  RoundPricer pricer(spec, machine);
  Summary summary;
  for (Round t = 0; t < schedule.shape().rounds; ++t) {
    for (Rank r = 0; r < spec.ranks(); ++r) {
      if (!schedule.active(r).contains(t)) continue;
      for (const Summary::Message& m : summary.of(schedule, t, r)) {
        const Bytes packed = m.runs > 1 ? m.bytes : 0;
        if (m.kind == Kind::send)
          pricer.message(r, m.peer, m.bytes, packed);
        else
          pricer.received(r, packed, m.combined);
      }
    }
    pricer.end_round();
  }
  return pricer.cost();
}

}  // namespace quadrille::algorithm::kit
