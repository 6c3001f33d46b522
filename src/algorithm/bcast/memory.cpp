// Broadcast through a shared memory: the root writes, the others read; in packets, so that one is written while others
// are read. In one packet it is the papers': one wave that writes, ceil((P-1)/k*) that read.
#include "algorithm/kit/memory_waves.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_memory {

namespace {

kit::AccessStream stream(const Spec& spec, std::int64_t packets) {
  const auto packet = [](Slot item, const kit::Copied& copied) {
    copied(Buffer::out, contiguous(item, 1), contiguous(item, 1));
  };
  return {.items = spec.bytes == 0 ? 0 : packets,
          .readers = spec.ranks() - 1,
          .last_readers = spec.ranks() - 1,
          .reader = [](Slot, Rank i) { return i + 1; },
          .place = [](Slot, Rank reader) { return reader - 1; },
          .write = packet,
          .read = [=](Slot item, Rank, const kit::Copied& copied) { packet(item, copied); }};
}

/// A wave lasts as long as its largest packet, which is its first: packet i*k*/P rounded down in wave i after the
/// first; the first N mod nu packets are a byte longer. One at a time, everything is added up.
Cost formula(const Spec& spec, const Machine& machine, std::int64_t packets) {
  const Rank p = spec.ranks();
  const kit::AccessStream all = stream(spec, packets);
  if (all.items == 0) return {};
  const Round rounds = all.rounds(machine);
  const std::int64_t k = all.at_once(machine);
  if (k == 1) return kit::neighbour_cost(rounds, base::checked_multiply(p, spec.bytes, "bytes"));
  const Bytes longer = spec.bytes % packets;
  const Round first = longer > 0 ? 1 : 0, more = std::min(rounds - 1, base::ceil_div(longer * p, k));
  return kit::neighbour_cost(rounds, base::checked_multiply(rounds, spec.bytes / packets, "bytes") + first + more);
}

/// To within one wave: the last one may be less than full.
std::int64_t best(const Spec& spec, const Machine& machine) {
  const std::int64_t k = stream(spec, 1).at_once(machine);
  if (spec.bytes == 0 || k == 1) return 1;
  const auto p = static_cast<double>(spec.ranks()), at_once = static_cast<double>(k);
  const auto size = static_cast<double>(spec.bytes);
  const Seconds startup = kit::neighbour_startup(spec, machine);
  const double every = p / at_once, further = 1 - 1 / at_once;
  return kit::cheapest_cut(
      {.total = spec.bytes,
       .high = spec.bytes,
       .ideal = startup > 0 ? std::sqrt(further * size * machine.beta / (every * startup)) : size,
       .cost = [&](std::int64_t nu) { return seconds(formula(spec, machine, nu), machine, *spec.topology); },
       .bound =
           [&](std::int64_t nu) {
             const auto packets = static_cast<double>(nu);
             return (every * packets + further) * (startup + size * machine.beta / packets);
           }});
}

std::string illegal(const Spec& spec, const Machine&, const Params& params) {
  if (std::string reason = kit::needs_memory(spec); !reason.empty()) return reason;
  return kit::packets_illegal(params, spec.bytes);
}

}  // namespace

Algorithm describe() {
  return {.name = "bcast_memory",
          .collective = Collective::bcast,
          .summary = "through the shared memory: packets are read while the next is written",
          .source = "Saad & Schultz 1986, eq. (3.15) corrected, with packets=1; more packets: extra",
          .closed_form = {.startups = "1 + ceil((P - 1)/k)",
                          .bytes = "(1 + ceil((P - 1)/k)) m",
                          .where = "memory, one packet"},
          .parameters = {kit::packets_parameter()},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                const std::int64_t packets = best(s, m);
                std::vector<Params> all{Params{{"packets", {1}}}};
                if (packets > 1) all.push_back(Params{{"packets", {packets}}});
                return all;
              },
          .cost = [](const Spec& s, const Machine& m, const Params& p) { return formula(s, m, kit::packets_of(p)); },
          .build =
              [](const Spec& s, const Machine& m, const Params& p) {
                const kit::AccessStream all = stream(s, kit::packets_of(p));
                return kit::stream_schedule(s, m, all,
                                            {.ranks = s.ranks(),
                                             .rounds = all.rounds(m),
                                             .out = 1,
                                             .tmp = 1,
                                             .cut = kit::packet_cut(s.bytes, kit::packets_of(p))});
              }};
}

}  // namespace quadrille::algorithm::bcast_memory
