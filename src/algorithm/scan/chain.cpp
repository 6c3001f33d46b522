// Packets go from rank to rank in order; each puts its contribution behind what comes, which is its prefix, and sends
// that on.
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan_chain {

namespace {

/// Packet p comes to rank r in round interval * p + r - 1.
void step(Rank ranks, Round interval, std::int64_t packets, Round t, Rank r, Steps& out) {
  const auto packet_of = [&](Rank receiver) -> Slot {
    const Round since = t - (receiver - 1);
    return since < 0 || since % interval != 0 || since / interval >= packets ? -1 : since / interval;
  };
  if (r + 1 < ranks)
    if (const Slot p = packet_of(r + 1); p >= 0) out.send(r + 1, r == 0 ? Buffer::in : Buffer::out, kit::at(p));
  if (r > 0)
    if (const Slot p = packet_of(r); p >= 0)
      out.combine(r - 1, Buffer::out, kit::at(p), kit::onto(r, r - 1, Buffer::in, p));
}

SchedulePtr make(const Spec& spec, const Machine& machine, const Params& params) {
  const Rank p = spec.ranks();
  const std::int64_t packets = kit::packets_of(params);
  const Round interval = kit::relay_interval(machine, p - 1);
  return kit::vector_schedule(
      spec, interval * (packets - 1) + p - 1, 0,
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

}  // namespace

Algorithm describe() {
  return {.name = "scan_chain",
          .collective = Collective::scan,
          .summary = "packets go from rank to rank, each of which adds its contribution",
          .source = "extra",
          .closed_form = {.startups = "nu + P - 2", .bytes = "m + (P - 2) ceil(m/nu)", .where = "ring"},
          .parameters = {kit::packets_parameter()},
          .claims = kit::in_rank_order,
          .illegal = illegal,
          .variants = [](const Spec& s, const Machine& m) { return kit::vector_pipe_variants(s, m, s.ranks() - 1); },
          .cost =
              [](const Spec& s, const Machine& m, const Params& p) {
                Cost cost = kit::vector_pipe_cost(s, m, s.ranks() - 1, kit::packets_of(p));
                cost.combined = cost.bytes;
                return cost;
              },
          .build = make};
}

}  // namespace quadrille::algorithm::scan_chain
