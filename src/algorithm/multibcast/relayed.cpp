// As bcast_relayed, from all sources at once: a part of every message to every other rank, which passes it on to those
// that lack it. Each wire of a crossbar carries a part of every message, and no schedule gets by with less.
#include <algorithm>
#include <set>

#include "algorithm/kit/counted.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_relayed {

namespace {

constexpr std::int64_t most_segments = std::int64_t{1} << 22;  ///< that are counted: some hundredths of a second

class Relayed final : public Schedule {
 public:
  Relayed(const Spec& spec, std::int64_t packets) : sources_(spec.sources), packets_(packets) {
    const Bytes longest = longest_of(*sources_);
    shape_ = {.ranks = spec.ranks(),
              .rounds = longest == 0 ? 0 : packets + 1,
              .out = sources_->count(),
              .cut = kit::packet_cut(longest, packets, spec.ranks() - 1),
              .offsets = {sources_, &sources_->offset}};
  }
  static Bytes longest_of(const Sources& sources) {
    Bytes longest = 0;
    for (Slot i = 0; i < sources.count(); ++i) longest = std::max(longest, sources.bytes(i));
    return longest;
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    for (Rank peer = 0; peer < shape_.ranks; ++peer) {
      if (peer == r) continue;
      if (out.wants(Kind::send, peer)) message(t, r, peer, Kind::send, out);
      if (out.wants(Kind::recv, peer)) message(t, peer, r, Kind::recv, out);
    }
  }

 private:
  /// A source sends a packet of the receiver's part; of other sources' messages its own part's packet before.
  void message(Round t, Rank from, Rank to, Kind kind, Steps& out) const {
    for (Slot i = 0; i < sources_->count(); ++i) {
      const Rank source = sources_->ranks[static_cast<std::size_t>(i)];
      if (source == to) continue;
      const Rank part = base::wrap((source == from ? to : from) - source, shape_.ranks) - 1;
      const Round packet = source == from ? t : t - 1;
      if (packet >= 0 && packet < packets_)
        out.add({kind, Buffer::out, kind == Kind::send ? to : from,
                 contiguous((part * packets_ + packet) * sources_->count() + i, 1)});
    }
  }

  SourcesPtr sources_;
  std::int64_t packets_;
  Shape shape_;
};

SchedulePtr build_relayed(const Spec& spec, const Machine&, const Params& params) {
  return std::make_shared<Relayed>(spec, kit::packets_of(params));
}

/// Parts of all messages down two wires.
kit::Pipe pipe(const Spec& spec) {
  const Rank p = spec.ranks();
  return {2, base::ceil_div(spec.sources->offset.back(), std::max<Rank>(1, p - 1)), 1, p - 2, p - 3};
}

std::int64_t most_packets(const Spec& spec) {
  const std::int64_t p = spec.ranks(), in_a_round = std::max<std::int64_t>(1, 2 * p * p * spec.sources->count());
  return std::min(most_segments / in_a_round - 1, kit::most_packets(Relayed::longest_of(*spec.sources), p - 1));
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (!kit::has_own_wires(spec))
    return fmt::format("needs a crossbar, and {} is not one; nearest: crossbar:{}", spec.topology->text(),
                       std::max<Rank>(3, spec.ranks()));
  if (spec.ranks() < 3) return "two ranks have nobody to relay; try multibcast_sequential";
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  if (kit::half_duplex(machine))
    return "ranks swap parts, and a wire of this machine carries one direction at a time; try --set duplex=full";
  const std::int64_t most = most_packets(spec);
  if (most < 1)
    return fmt::format("{} ranks and {} sources have more parts than are counted; nearest: crossbar:64", spec.ranks(),
                       spec.sources->count());
  if (kit::packets_of(params) > most)
    return fmt::format("{} packets are more than have a byte each or are counted; nearest: packets={}",
                       kit::packets_of(params), most);
  return {};
}

/// Around the best of a pipeline with the same bytes, which knows nothing of lengths that differ and of copies.
std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  const std::int64_t most = most_packets(spec);
  const std::int64_t best = std::clamp<std::int64_t>(kit::best_packets(pipe(spec), spec, machine), 1, most);
  std::vector<Params> all;
  for (const std::int64_t packets : std::set{best, base::ceil_div(best, 2)})
    all.push_back(Params{{"packets", {packets}}});
  return all;
}

}  // namespace

Algorithm describe() {
  return {.name = "multibcast_relayed",
          .collective = Collective::multibcast,
          .summary = "of every message a part in packets to every other rank, which relays it to those that lack it",
          .source = "extra: Johnsson & Ho 1989, edge-disjoint trees, on a complete graph, from several sources",
          .closed_form = {.where = "crossbar: nu + 1 start-ups, and about (1 + 1/nu)/(P - 1) of all bytes"},
          .parameters = {{.name = "packets", .meaning = "packets of nearly equal size that each part is cut in"}},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = [](const Spec& s, const Machine& m,
                     const Params& p) { return kit::counted_cost(s, m, *build_relayed(s, m, p)); },
          .build = build_relayed};
}

}  // namespace quadrille::algorithm::multibcast_relayed
