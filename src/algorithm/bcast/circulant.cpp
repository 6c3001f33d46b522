// The message in packets over a circulant graph: every rank passes packets on while it receives others, a new one
// leaves the root in every round, and nu packets arrive in nu - 1 + ceil(log2 P) rounds, which no schedule with one
// port beats.
#include "algorithm/bcast/shared/circulant.hpp"

#include <algorithm>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_circulant {

namespace {

/// Rounds are numbered so that the last one is of the last kind. Packets from the last one on are all the last one.
class Packets final : public Schedule {
 public:
  Packets(const Spec& spec, std::int64_t packets)
      : graph_(spec.ranks()), root_(spec.root), packets_(spec.bytes == 0 ? 0 : packets) {
    const int q = graph_.kinds();
    shape_ = {.ranks = spec.ranks(),
              .rounds = packets_ == 0 ? 0 : packets_ - 1 + q,
              .out = 1,
              .cut = kit::packet_cut(spec.bytes, packets)};
    skipped_ = base::ceil_div(shape_.rounds, q) * q - shape_.rounds;
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, place = base::wrap(r - root_, p);
    const Rank skip = graph_.skip(kind(t)), from = base::wrap(place - skip, p), to = (place + skip) % p;
    if (to != 0) message(t, to, Kind::send, (to + root_) % p, out);
    if (place != 0) message(t, place, Kind::recv, (from + root_) % p, out);
  }

 private:
  int kind(Round t) const { return static_cast<int>((t + skipped_) % graph_.kinds()); }
  void message(Round t, Rank receiver, Kind direction, Rank peer, Steps& out) const {
    if (!out.wants(direction, peer)) return;
    const int k = kind(t);
    const Slot packet = t - k + graph_.received(receiver)[static_cast<std::size_t>(k)];
    if (packet >= 0) out.add({direction, Buffer::out, peer, contiguous(std::min(packet, packets_ - 1), 1)});
  }

  bcast::Circulant graph_;
  Rank root_;
  std::int64_t packets_;
  Round skipped_ = 0;
  Shape shape_;
};

constexpr Rank most_visited = Rank{1} << 20;

bool is_exact(const Spec& spec, std::int64_t packets) {
  return spec.bytes % packets == 0 || spec.ranks() <= most_visited;
}

/// Rounds with one of the first `longer` packets, which are a byte longer than the others. On more ranks than are
/// visited the most there can be.
Round rounds_with_longer(const Spec& spec, std::int64_t packets, std::int64_t longer) {
  const bcast::Circulant graph(spec.ranks());
  const int q = graph.kinds();
  const Round rounds = packets - 1 + q, skipped = base::ceil_div(rounds, q) * q - rounds;
  if (longer == 0) return 0;
  if (spec.ranks() > most_visited) return std::min(rounds, longer + 2 * q);
  const std::vector<std::uint64_t> any = bcast::received_by_any(graph, spec.ranks());
  const auto carries = [&](Round t) {
    const Round k = (t + skipped) % q, base = t - k;
    // Packets base + recv with 0 <= base + recv < longer, recv from -q on.
    const auto low = std::clamp<Round>(q - base, 0, 63), high = std::clamp<Round>(q - base + longer, 0, 63);
    return (any[static_cast<std::size_t>(k)] &
            (std::uint64_t(base::bit(static_cast<int>(high))) - std::uint64_t(base::bit(static_cast<int>(low))))) != 0;
  };
  // Rounds 2q .. longer - 1 all carry one, those from longer + 2q on do not.
  Round count = 0;
  const Round early = std::min<Round>(rounds, 2 * q), late = std::max(early, std::min(rounds, longer));
  for (Round t = 0; t < early; ++t) count += carries(t);
  for (Round t = late; t < std::min(rounds, longer + 2 * q); ++t) count += carries(t);
  return count + late - early;
}

Cost formula(const Spec& spec, std::int64_t packets) {
  if (spec.bytes == 0) return {};
  const Round rounds = packets - 1 + base::log2_ceil(spec.ranks());
  const Bytes bytes = base::checked_multiply(rounds, spec.bytes / packets, "bytes");
  return kit::over_network(
      spec, kit::neighbour_cost(rounds, bytes + rounds_with_longer(spec, packets, spec.bytes % packets)));
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
  if (std::string reason = bcast::needs_shifts(spec, machine, "bcast_bintree"); !reason.empty()) return reason;
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
      .claims = [](const Spec& s, const Machine&,
                   const Params& p) { return Claims{.exact = is_exact(s, kit::packets_of(p))}; },
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
