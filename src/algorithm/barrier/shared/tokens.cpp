#include "algorithm/barrier/shared/tokens.hpp"

#include "algorithm/allreduce/shared/vectors.hpp"
#include "algorithm/kit/vectors.hpp"

namespace quadrille::algorithm::barrier {

namespace {

void step(const allreduce::Places& places, const Talk& talk, Round t, Rank r, Steps& out) {
  for (const Rank peer : talk.to) out.send(peer, places.before(t), kit::at(0));
  Buffer own = places.before(t);
  for (const Rank peer : talk.from) {
    out.combine(peer, places.after(t), kit::at(0), kit::onto(r, peer, own));
    own = places.after(t);
  }
}

}  // namespace

SchedulePtr talks_schedule(const Spec& spec, Round rounds, std::function<Talk(Round, Rank)> talk) {
  return kit::vector_schedule(spec, rounds, rounds > 1 ? 1 : 0,
                              {[places = allreduce::Places{rounds}, talk = std::move(talk)](
                                   Round t, Rank r, Steps& out) { step(places, talk(t, r), t, r, out); }});
}

Cost talks_cost(const Spec& spec, const Machine&, std::int64_t rounds, std::int64_t peers) {
  return kit::with_messages(peers, kit::whole_vectors(spec, rounds, rounds * peers));
}

Spec as_allreduce(const Spec& spec) {
  Spec all = spec;
  all.collective = Collective::allreduce;
  return all;
}

Params one_packet(const Algorithm& algorithm) {
  for (const Parameter& p : algorithm.parameters)
    if (p.name == "packets") return {{"packets", {1}}};
  return {};
}

}  // namespace quadrille::algorithm::barrier
