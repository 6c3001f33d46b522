// Packets go from rank to rank in order: what comes is the prefix of the ranks before, and with the own contribution
// behind it what is sent on.
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::exscan_chain {

namespace {

/// Packet p comes to rank r in round interval * p + r - 1.
void step(Rank ranks, Round interval, std::int64_t packets, Round t, Rank r, Steps& out) {
  const auto packet_of = [&](Rank receiver) -> Slot {
    const Round since = t - (receiver - 1);
    return since < 0 || since % interval != 0 || since / interval >= packets ? -1 : since / interval;
  };
  if (r + 1 < ranks)
    if (const Slot p = packet_of(r + 1); p >= 0) out.send(r + 1, r == 0 ? Buffer::in : Buffer::tmp, kit::at(p));
  if (r == 0) return;
  if (const Slot p = packet_of(r); p >= 0) {
    out.recv(r - 1, Buffer::out, kit::at(p));
    if (r + 1 < ranks) out.combine(r - 1, Buffer::tmp, kit::at(p), kit::onto_again(r, r - 1, Buffer::in, p));
  }
}

SchedulePtr make(const Spec& spec, const Machine& machine, const Params& params) {
  const Rank p = spec.ranks();
  const std::int64_t packets = kit::packets_of(params);
  const Round interval = kit::relay_interval(machine, p - 1);
  return kit::vector_schedule(
      spec, interval * (packets - 1) + p - 1, 1,
      {[=](Round t, Rank r, Steps& out) { step(p, interval, packets, t, r, out); },
       [=](Rank r) {
         return Schedule::Rounds{std::max<Round>(r - 1, 0), interval * (packets - 1) + std::min(r + 1, p - 1)};
       }},
      packets);
}

std::string illegal(const Spec& spec, const Machine&, const Params& params) {
  if (std::string reason = kit::needs_line_of_ranks(spec); !reason.empty()) return reason;
  return kit::vector_packets_illegal(spec, params);
}

/// The last rank combines nothing: in the rounds that are left, the packets of a chain that is a rank shorter. Where
/// ranks send and receive by turns, the packets that come to two ranks in turn are those of the longer chain.
std::int64_t combined(const Spec& spec, const Machine& machine, std::int64_t packets) {
  const Rank p = spec.ranks();
  const Round interval = kit::relay_interval(machine, p - 1);
  if (p < 3 || spec.bytes == 0) return 0;
  const kit::Pipe shorter{p - 2, kit::elements(spec), std::min<Round>(interval, p - 2)};
  return base::checked_multiply(kit::pipe_cost(shorter, packets).bytes, spec.element, "bytes combined");
}

}  // namespace

Algorithm describe() {
  return {.name = "exscan_chain",
          .collective = Collective::exscan,
          .summary = "packets go from rank to rank, each of which keeps what comes and adds its contribution",
          .source = "extra",
          .closed_form = {.startups = "nu + P - 2", .bytes = "m + (P - 2) ceil(m/nu)", .where = "ring"},
          .parameters = {kit::packets_parameter()},
          .claims = kit::in_rank_order,
          .illegal = illegal,
          .variants = [](const Spec& s, const Machine& m) { return kit::vector_pipe_variants(s, m, s.ranks() - 1); },
          .cost =
              [](const Spec& s, const Machine& m, const Params& p) {
                Cost cost = kit::vector_pipe_cost(s, m, s.ranks() - 1, kit::packets_of(p));
                cost.combined = combined(s, m, kit::packets_of(p));
                return cost;
              },
          .build = make};
}

}  // namespace quadrille::algorithm::exscan_chain
