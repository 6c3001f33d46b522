#include "algorithm/scan/shared/chain.hpp"

namespace quadrille::algorithm::scan {

namespace {

/// Packet p comes to rank r in round interval * p + r - 1.
struct Chain {
  Rank ranks;
  Round interval;
  std::int64_t packets;
  bool with_own;  ///< the result has the rank's own contribution, and is what is sent on

  /// The packet that comes to this rank in the round; -1: none.
  Slot packet(Round t, Rank receiver) const {
    const Round since = t - (receiver - 1);
    return since < 0 || since % interval != 0 || since / interval >= packets ? -1 : since / interval;
  }
  void operator()(Round t, Rank r, Steps& out) const {
    const Buffer sum = with_own ? Buffer::out : Buffer::tmp;
    if (r + 1 < ranks)
      if (const Slot p = packet(t, r + 1); p >= 0) out.send(r + 1, r == 0 ? Buffer::in : sum, kit::at(p));
    const Slot p = r == 0 ? -1 : packet(t, r);
    if (p < 0) return;
    if (with_own) return out.combine(r - 1, sum, kit::at(p), kit::onto(r, r - 1, Buffer::in, p));
    out.recv(r - 1, Buffer::out, kit::at(p));
    if (r + 1 < ranks) out.combine(r - 1, sum, kit::at(p), kit::onto_again(r, r - 1, Buffer::in, p));
  }
  Round rounds() const { return interval * (packets - 1) + ranks - 1; }
  Schedule::Rounds active(Rank r) const {
    return {std::max<Round>(r - 1, 0), interval * (packets - 1) + std::min(r + 1, ranks - 1)};
  }
};

SchedulePtr make(const Spec& spec, const Machine& machine, const Params& params) {
  const Chain chain{spec.ranks(), kit::relay_interval(machine, spec.ranks() - 1), kit::packets_of(params),
                    spec.collective == Collective::scan};
  return kit::vector_schedule(spec, chain.rounds(), chain.with_own ? 0 : 1,
                              {chain, [=](Rank r) { return chain.active(r); }}, chain.packets);
}

std::string illegal(const Spec& spec, const Machine&, const Params& params) {
  if (std::string reason = kit::needs_line_of_ranks(spec); !reason.empty()) return reason;
  return kit::vector_packets_illegal(spec, params);
}

}  // namespace

Cost chain_cost(const Spec& spec, const Machine& machine, const Params& params) {
  return kit::vector_pipe_cost(spec, machine, spec.ranks() - 1, kit::packets_of(params));
}

Algorithm along_a_chain(Collective collective, const kit::Description& d, decltype(Algorithm::cost) cost) {
  return {.name = d.name,
          .collective = collective,
          .summary = d.summary,
          .source = d.source,
          .closed_form = d.closed_form,
          .parameters = {kit::packets_parameter()},
          .claims = kit::in_rank_order,
          .illegal = illegal,
          .variants = [](const Spec& s, const Machine& m) { return kit::vector_pipe_variants(s, m, s.ranks() - 1); },
          .cost = cost,
          .build = make};
}

}  // namespace quadrille::algorithm::scan
