// A block by way of all other ranks at once: a part to each, which passes it on to the rank across the diagonal. Where
// all ranks are joined, each link carries as much of one rank's block away as of another's on to its end. Ranks on the
// diagonal have no block to send or get, so two parts go by way of each.
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::transpose_relayed {

namespace {

/// A part for each rank and one more for each on the diagonal, less the sender's own, and one more straight to the end.
Rank parts(const Spec& spec) { return spec.ranks() + base::nearest_root(spec.ranks()); }

class Relayed final : public Schedule {
 public:
  Relayed(const Spec& spec, std::int64_t packets) : spec_(spec), parts_(parts(spec)), packets_(packets) {
    shape_ = {.ranks = spec.ranks(),
              .rounds = spec.bytes == 0 || spec.ranks() == 1 ? 0 : 2 * packets + 1,
              .in = 1,
              .out = 1,
              .tmp = 2,
              .cut = kit::packet_cut(spec.bytes, packets, parts_)};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    if (const std::optional<Rank> peer = out.only_peer()) return with(t, r, *peer, out);
    for (Rank peer = 0; peer < shape_.ranks; ++peer) with(t, r, peer, out);
  }

 private:
  void with(Round t, Rank r, Rank peer, Steps& out) const {
    if (peer == r) return;
    if (out.wants(Kind::send, peer)) message(t, r, peer, Kind::send, out);
    if (out.wants(Kind::recv, peer)) message(t, peer, r, Kind::recv, out);
  }
  /// Packet n goes to relays in round 2 n and on from them in the next. What goes by way of a rank on the diagonal a
  /// second time is a round behind. So no link has two messages in a round.
  void message(Round t, Rank from, Rank to, Kind kind, Steps& out) const {
    const Rank peer = kind == Kind::send ? to : from;
    const Rank end = transposed(spec_, from), source = transposed(spec_, to);
    const auto add = [&](Rank part, Round n, Buffer before, Buffer after, Rank copy) {
      if (n < 0 || n >= packets_) return;
      const Slot slot = part * packets_ + n;
      const Buffer here = kind == Kind::send ? before : after;
      out.add({kind, here, peer, contiguous(here == Buffer::tmp ? 2 * slot + copy : slot, 1)});
    };
    if (end == to) {
      add(t % 2 == 0 ? part_by(from, to, 0) : parts_ - 1, t / 2, Buffer::in, Buffer::out, 0);
    } else if (end != from) {
      const Rank copy = static_cast<Rank>(t % 2);
      if (copy < ways_by(to)) add(part_by(from, to, copy), t / 2, Buffer::in, Buffer::tmp, copy);
    }
    if (source == to || source == from || t == 0) return;
    const Rank copy = static_cast<Rank>((t - 1) % 2);
    if (copy < ways_by(from)) add(part_by(source, from, copy), (t - 1) / 2, Buffer::tmp, Buffer::out, copy);
  }
  Rank ways_by(Rank relay) const { return transposed(spec_, relay) == relay ? 2 : 1; }
  /// No two senders have the same part go by way of the same rank and copy, so that it has a place for each. Copies of
  /// ranks on the diagonal, which are every side + 1, count as further ranks.
  Rank part_by(Rank sender, Rank relay, Rank copy) const {
    const Rank counted = copy == 0 ? relay : shape_.ranks + relay / (parts_ - shape_.ranks + 1);
    return base::wrap(counted - sender, parts_) - 1;
  }

  Spec spec_;
  Rank parts_;
  std::int64_t packets_;
  Shape shape_;
};

SchedulePtr build_relayed(const Spec& spec, const Machine&, const Params& params) {
  return std::make_shared<Relayed>(spec, kit::packets_of(params));
}

/// A packet of each of two parts over every link, and once more of what comes last from ranks on the diagonal.
kit::Pipe pipe(const Spec& spec) {
  const Rank p = spec.ranks(), side = base::nearest_root(p);
  return {3, base::ceil_div(spec.bytes, parts(spec)), 2, 2 * (p - 2), p - side - 1};
}

Cost cost_of(const Spec& spec, const Params& params) {
  Cost cost = kit::pipe_cost(pipe(spec), kit::packets_of(params));
  if (spec.bytes % parts(spec) == 1) --cost.bytes;  // the first part alone is longer, and is not the last of any rank
  return cost;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (!kit::has_own_wires(spec))
    return fmt::format("needs a crossbar, and {} is not one; nearest: crossbar:{}", spec.topology->text(),
                       spec.ranks());
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  if (kit::half_duplex(machine))
    return "ranks swap parts, and a wire of this machine carries one direction at a time; try --set duplex=full";
  return kit::packets_illegal(params, spec.bytes, parts(spec));
}

std::vector<Params> variants(const Spec& spec, const Machine& machine) {
  return {Params{{"packets", {kit::best_packets(pipe(spec), spec, machine)}}}};
}

}  // namespace

Algorithm describe() {
  return {.name = "transpose_relayed",
          .collective = Collective::transpose,
          .summary = "a part of the block in packets to every other rank, which passes it on across the diagonal",
          .source = "extra: Valiant 1982, by way of every other rank instead of one by chance",
          .closed_form = {.startups = "2 nu + 1",
                          .bytes = "(2 nu + 1) m/((P + s) nu)",
                          .further = "2 nu (P - 2) + P - s - 1",
                          .where = "crossbar, P = s^2, (P + s) nu divides m"},
          .parameters = {{.name = "packets", .meaning = "packets of nearly equal size that each part is cut in"}},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = [](const Spec& s, const Machine&, const Params& p) { return cost_of(s, p); },
          .build = build_relayed};
}

}  // namespace quadrille::algorithm::transpose_relayed
