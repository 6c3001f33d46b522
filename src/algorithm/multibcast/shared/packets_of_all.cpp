#include "algorithm/multibcast/shared/packets_of_all.hpp"

#include <algorithm>
#include <utility>

#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "quadrille/sources.hpp"

namespace quadrille::algorithm::multibcast {

namespace {

Round rounds_of(std::int64_t packets, int depth) { return packets - 1 + depth; }

/// To packets, while all rounds are counted.
double visits(const Spec& spec, std::int64_t packets, int depth) {
  return static_cast<double>(rounds_of(packets, depth)) * static_cast<double>(spec.ranks()) *
         static_cast<double>(spec.sources->count());
}

class PacketsOfAll final : public Schedule {
 public:
  PacketsOfAll(const Spec& spec, std::int64_t packets, int depth, std::vector<Rank> places,
               std::unique_ptr<const PacketRounds> rounds)
      : places_(std::move(places)),
        packets_(packets),
        rounds_(std::move(rounds)),
        shape_{.ranks = spec.ranks(),
               .rounds = rounds_of(packets, depth),
               .out = std::ssize(places_),
               .cut = kit::packet_cut(longest(*spec.sources), packets),
               .offsets = {spec.sources, &spec.sources->offset}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    message(t, r, rounds_->to(t, r), Kind::send, out);
    message(t, r, rounds_->from(t, r), Kind::recv, out);
  }

 private:
  void message(Round t, Rank r, Rank peer, Kind kind, Steps& out) const {
    if (!out.wants(kind, peer)) return;
    const Rank receiver = kind == Kind::send ? peer : r;
    for (std::size_t source = 0; source < places_.size(); ++source) {
      if (places_[source] == receiver) continue;
      const Slot packet = std::min(rounds_->packet(t, receiver, places_[source]), packets_ - 1);
      if (packet < 0) continue;
      out.add({kind, Buffer::out, peer, contiguous(packet * shape_.out + static_cast<Slot>(source), 1)});
    }
  }

  std::vector<Rank> places_;
  std::int64_t packets_;
  std::unique_ptr<const PacketRounds> rounds_;
  Shape shape_;
};

}  // namespace

Bytes longest(const Sources& sources) {
  Bytes most = 0;
  for (Slot i = 0; i < sources.count(); ++i) most = std::max(most, sources.bytes(i));
  return most;
}

std::vector<Params> packets_variants(const Spec& spec, const Machine& machine, int depth,
                                     Cost (*price)(const Spec&, const Machine&, const Params&)) {
  constexpr Bytes most_tried = 64;
  constexpr double most_visits = 1 << 18;
  const auto with = [](std::int64_t packets) { return Params{{"packets", {packets}}}; };
  const Bytes most = std::max<Bytes>(1, longest(*spec.sources));
  std::int64_t best =
      std::clamp<std::int64_t>(kit::best_packets({depth, spec.sources->offset.back(), 1}, spec, machine), 1, most);
  if (most > most_tried || visits(spec, most, depth) * static_cast<double>(most) > most_visits) return {with(best)};
  const auto time = [&](std::int64_t packets) {
    return seconds(price(spec, machine, with(packets)), machine, *spec.topology);
  };
  Seconds least = time(best);
  for (std::int64_t packets = 1; packets <= most; ++packets)
    if (const Seconds now = time(packets); now < least * (1 - 1e-12)) least = now, best = packets;
  return {with(best)};
}

SchedulePtr packets_of_all(const Spec& spec, std::int64_t packets, int depth, std::vector<Rank> places,
                           std::unique_ptr<const PacketRounds> rounds) {
  return std::make_shared<PacketsOfAll>(spec, packets, depth, std::move(places), std::move(rounds));
}

bool packets_are_counted(const Spec& spec, std::int64_t packets, int depth) {
  return visits(spec, packets, depth) <= 1 << 20;
}

Cost estimated_packets(const Spec& spec, std::int64_t packets, int depth) {
  Bytes bytes = 0;
  for (Slot i = 0; i < spec.sources->count(); ++i) bytes += base::ceil_div(spec.sources->bytes(i), packets);
  const Round rounds = rounds_of(packets, depth);
  bytes = base::checked_multiply(bytes, rounds, "bytes");
  Cost cost = kit::neighbour_cost(rounds, bytes);
  if (spec.sources->count() > 1) cost.packed = base::checked_multiply(bytes, std::int64_t{2}, "bytes packed");
  return cost;
}

}  // namespace quadrille::algorithm::multibcast
