// The message in packets over a circulant graph: every rank passes packets on while it receives others, a new one
// leaves the root in every round, and nu packets arrive in nu - 1 + ceil(log2 P) rounds, which no schedule with one
// port beats.
#include "algorithm/bcast/shared/circulant.hpp"

#include <algorithm>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_circulant {

namespace {

class Packets final : public Schedule {
 public:
  Packets(const Spec& spec, std::int64_t packets)
      : rounds_(spec.ranks(), packets),
        root_(spec.root),
        shape_{.ranks = spec.ranks(),
               .rounds = spec.bytes == 0 ? 0 : rounds_.rounds(),
               .out = 1,
               .cut = kit::packet_cut(spec.bytes, packets)} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, place = base::wrap(r - root_, p);
    const Rank skip = rounds_.skip(t), from = base::wrap(place - skip, p), to = (place + skip) % p;
    if (to != 0) message(t, to, Kind::send, (to + root_) % p, out);
    if (place != 0) message(t, place, Kind::recv, (from + root_) % p, out);
  }

 private:
  void message(Round t, Rank receiver, Kind direction, Rank peer, Steps& out) const {
    if (!out.wants(direction, peer)) return;
    if (const Slot packet = rounds_.packet(t, receiver); packet >= 0)
      out.add({direction, Buffer::out, peer, contiguous(packet, 1)});
  }

  bcast::PacketRounds rounds_;
  Rank root_;
  Shape shape_;
};

Cost formula(const Spec& spec, std::int64_t packets) {
  if (spec.bytes == 0) return {};
  return kit::over_network(spec, kit::neighbour_cost(packets - 1 + base::log2_ceil(spec.ranks()),
                                                     bcast::bytes_in_rounds(spec.ranks(), spec.bytes, packets)));
}

/// That of a chain of ceil(log2 P) links, but for rounds in which no larger packet is on its way. Of a short message,
/// where a byte a round counts, every number is tried that can be better.
std::int64_t best(const Spec& spec, const Machine& machine) {
  constexpr Bytes most_tried = 1024;
  const auto time = [&](std::int64_t packets) { return seconds(formula(spec, packets), machine, *spec.topology); };
  const kit::Pipe pipe{base::log2_ceil(spec.ranks()), spec.bytes, 1};
  std::int64_t best = kit::best_packets(pipe, spec, machine);
  if (spec.bytes > most_tried) return best;
  Seconds least = time(best);
  const Seconds startup = kit::neighbour_startup(spec, machine), all = static_cast<double>(spec.bytes) * machine.beta;
  for (std::int64_t packets = 1; packets <= spec.bytes; ++packets) {
    if (static_cast<double>(packets - 1 + pipe.depth) * startup + all > least) break;
    if (const Seconds now = time(packets); now < least * (1 - 1e-12)) least = now, best = packets;
  }
  return best;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (!kit::is_switch(spec))
    return fmt::format("needs a switch, and {} is not one; nearest: crossbar:{}", spec.topology->text(), spec.ranks());
  const bool swaps = kit::half_duplex(machine) && kit::has_own_wires(spec) && spec.ranks() % 2 == 0;
  if (spec.ranks() > 2 && (pattern::one_way(machine) || swaps))
    return "ranks receive one packet while they send another, and those of this machine do one or the other; try "
           "bcast_bintree or --set duplex=full";
  return kit::packets_illegal(params, spec.bytes);
}

}  // namespace

Algorithm describe() {
  return {
      .name = "bcast_circulant",
      .collective = Collective::bcast,
      .summary = "packets over a circulant graph, a new one in every round: as few rounds as can be, for any P",
      .source = "Traeff 2023, Round-optimal n-Block Broadcast Schedules in Logarithmic Time; extra",
      .closed_form = {.startups = "nu - 1 + ceil(log2(P))",
                      .bytes = "(nu - 1 + ceil(log2(P))) m/nu",
                      .where = "switch, nu divides m"},
      .literature = {{.families = {"omega", "fly"},
                      .says =
                          "as few rounds as can be with so many packets: Bar-Noy, Kipnis & Schieber; Traeff & Ripke"}},
      .parameters = {kit::packets_parameter()},
      .claims =
          [](const Spec& s, const Machine&, const Params& p) {
            return Claims{.exact = bcast::are_bytes_exact(s.ranks(), s.bytes, kit::packets_of(p))};
          },
      .illegal = illegal,
      .variants =
          [](const Spec& s, const Machine& m) {
            return std::vector{Params{{"packets", {best(s, m)}}}};
          },
      .cost = [](const Spec& s, const Machine&, const Params& p) { return formula(s, kit::packets_of(p)); },
      .build = [](const Spec& s, const Machine&, const Params& p) -> SchedulePtr {
        return std::make_shared<Packets>(s, kit::packets_of(p));
      }};
}

}  // namespace quadrille::algorithm::bcast_circulant
