// The sources broadcast one after the other, as bcast_circulant: ranks pass packets on while they receive others, and
// all but the source receive in all rounds but a few.
#include "algorithm/bcast/shared/circulant.hpp"

#include <algorithm>
#include <map>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_circulant {

namespace {

/// Of messages that are not empty; 0: all are.
Bytes shortest(const Sources& sources) {
  Bytes least = 0;
  for (Slot i = 0; i < sources.count(); ++i)
    if (const Bytes bytes = sources.bytes(i); bytes > 0) least = least == 0 ? bytes : std::min(least, bytes);
  return least;
}

class OneAfterTheOther final : public Schedule {
 public:
  OneAfterTheOther(const Spec& spec, std::int64_t packets) : sources_(spec.sources), rounds_(spec.ranks(), packets) {
    Bytes longest = 0;
    for (Slot i = 0; i < sources_->count(); ++i) longest = std::max(longest, sources_->bytes(i));
    shape_ = {.ranks = spec.ranks(),
              .rounds = sources_->count() * rounds_.rounds(),
              .out = sources_->count(),
              .cut = kit::packet_cut(longest, packets),
              .offsets = {sources_, &sources_->offset}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Slot source = t / rounds_.rounds();
    const Round since = t % rounds_.rounds();
    const Rank p = shape_.ranks, root = sources_->ranks[static_cast<std::size_t>(source)],
               place = base::wrap(r - root, p), skip = rounds_.skip(since), from = base::wrap(place - skip, p),
               to = (place + skip) % p;
    const auto message = [&](Rank receiver, Kind kind, Rank peer) {
      if (!out.wants(kind, peer)) return;
      if (const Slot packet = rounds_.packet(since, receiver); packet >= 0)
        out.add({kind, Buffer::out, peer, contiguous(packet * sources_->count() + source, 1)});
    };
    if (to != 0) message(to, Kind::send, (to + root) % p);
    if (place != 0) message(place, Kind::recv, (from + root) % p);
  }

 private:
  SourcesPtr sources_;
  bcast::PacketRounds rounds_;
  Shape shape_;
};

Cost formula(const Spec& spec, std::int64_t packets) {
  std::map<Bytes, Slot> of_length;
  for (Slot i = 0; i < spec.sources->count(); ++i) ++of_length[spec.sources->bytes(i)];
  Bytes bytes = 0;
  for (const auto& [length, count] : of_length)
    bytes += base::checked_multiply(count, bcast::bytes_in_rounds(spec.ranks(), length, packets), "bytes");
  return kit::over_network(
      spec, kit::neighbour_cost(spec.sources->count() * (packets - 1 + base::log2_ceil(spec.ranks())), bytes));
}

bool is_exact(const Spec& spec, std::int64_t packets) {
  bool exact = true;
  for (Slot i = 0; i < spec.sources->count(); ++i)
    exact = exact && bcast::are_bytes_exact(spec.ranks(), spec.sources->bytes(i), packets);
  return exact;
}

/// That of a broadcast of a message as long as they are in the mean; of short ones every number is tried.
std::int64_t best(const Spec& spec, const Machine& machine) {
  constexpr Bytes most_tried = 1024;
  const Bytes most = shortest(*spec.sources), all = spec.sources->offset.back();
  if (most == 0) return 1;
  const kit::Pipe pipe{base::log2_ceil(spec.ranks()), all / spec.sources->count(), 1};
  std::int64_t best = std::clamp<std::int64_t>(kit::best_packets(pipe, spec, machine), 1, most);
  if (all > most_tried) return best;
  const auto time = [&](std::int64_t packets) { return seconds(formula(spec, packets), machine, *spec.topology); };
  Seconds least = time(best);
  for (std::int64_t packets = 1; packets <= most; ++packets)
    if (const Seconds now = time(packets); now < least * (1 - 1e-12)) least = now, best = packets;
  return best;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (!kit::is_switch(spec))
    return fmt::format("needs a switch, and {} is not one; nearest: crossbar:{}", spec.topology->text(), spec.ranks());
  const bool swaps = kit::half_duplex(machine) && kit::has_own_wires(spec) && spec.ranks() % 2 == 0;
  if (spec.ranks() > 2 && (pattern::one_way(machine) || swaps))
    return "ranks receive one packet while they send another, and those of this machine do one or the other; try "
           "multibcast_lin or --set duplex=full";
  return kit::packets_illegal(params, shortest(*spec.sources));
}

}  // namespace

Algorithm describe() {
  return {.name = "multibcast_circulant",
          .collective = Collective::multibcast,
          .summary = "the sources, one after the other, send packets over a circulant graph, a new one in every round",
          .source =
              "Traeff 2023, Round-optimal n-Block Broadcast Schedules in Logarithmic Time; from several sources: "
              "extra",
          .closed_form = {.where = "switch: s (nu - 1 + ceil(log2(P))) start-ups, and (1 + (ceil(log2(P)) - 1)/nu) of "
                                   "all bytes"},
          .literature = {{.families = {"omega", "fly"},
                          .says = "one source after the other meets the bound's volume: Traeff & Ripke"}},
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
            return std::make_shared<OneAfterTheOther>(s, kit::packets_of(p));
          }};
}

}  // namespace quadrille::algorithm::multibcast_circulant
