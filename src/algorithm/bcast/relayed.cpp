// A part of the message to every other rank, which passes it on to all the others: P-1 trees of two levels that share
// no wire of a crossbar. A round carries one packet of every part from the root and the one before it between the
// others.
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_relayed {

namespace {

class Relayed final : public Schedule {
 public:
  Relayed(const Spec& spec, std::int64_t packets) : root_(spec.root), packets_(packets) {
    const Rank p = spec.ranks();
    shape_ = {.ranks = p,
              .rounds = spec.bytes == 0 ? 0 : packets + 1,
              .out = 1,
              .cut = kit::packet_cut(spec.bytes, packets, p - 1)};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, part = base::wrap(r - root_, p) - 1;  // -1: the root
    for (Rank other = 0; other + 1 < p; ++other) {
      const Rank peer = (root_ + 1 + other) % p;
      if (part < 0 && t < packets_) out.send(peer, Buffer::out, packet(other, t));
      if (part < 0 || other == part || t == 0) continue;
      out.send(peer, Buffer::out, packet(part, t - 1));
      out.recv(peer, Buffer::out, packet(other, t - 1));
    }
    if (part >= 0 && t < packets_) out.recv(root_, Buffer::out, packet(part, t));
  }

 private:
  Slots packet(Slot part, std::int64_t index) const { return contiguous(part * packets_ + index, 1); }

  Rank root_;
  std::int64_t packets_;
  Shape shape_;
};

/// The largest part down two links, whole packets of it behind each other. A rank sends to all others or hears from
/// them; in the last round the root has done its work.
kit::Pipe pipe(const Spec& spec) {
  const Rank p = spec.ranks();
  return {2, base::ceil_div(spec.bytes, std::max<Rank>(1, p - 1)), 1, p - 2, p - 3};
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (!kit::has_own_wires(spec))
    return fmt::format("needs a crossbar, and {} is not one; nearest: crossbar:{}", spec.topology->text(),
                       std::max<Rank>(3, spec.ranks()));
  if (spec.ranks() < 3) return "two ranks have nobody to relay; try bcast_pipelined";
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  if (kit::half_duplex(machine))
    return "every two ranks but the root swap parts, and a wire of this machine carries one direction at a time; try "
           "--set duplex=full";
  return kit::packets_illegal(params, pipe(spec).bytes);
}

}  // namespace

Algorithm describe() {
  return {
      .name = "bcast_relayed",
      .collective = Collective::bcast,
      .summary = "a part in packets to every other rank, which relays it to all the others",
      .source = "extra: Johnsson & Ho 1989, edge-disjoint trees, on a complete graph; Barnett et al. 1994 (InterCom)",
      .closed_form = {.startups = "nu + 1",
                      .bytes = "(nu + 1) m/((P - 1) nu)",
                      .further = "nu (P - 2) + P - 3",
                      .where = "crossbar, (P - 1) nu divides m"},
      .parameters = {{.name = "packets", .meaning = "packets of nearly equal size that each part is cut in"}},
      .claims = kit::all_claims,
      .illegal = illegal,
      .variants =
          [](const Spec& s, const Machine& m) {
            return std::vector{Params{{"packets", {kit::best_packets(pipe(s), s, m)}}}};
          },
      .cost = [](const Spec& s, const Machine&,
                 const Params& p) { return kit::pipe_cost(pipe(s), kit::packets_of(p)); },
      .build = [](const Spec& s, const Machine&, const Params& p) -> SchedulePtr {
        return std::make_shared<Relayed>(s, kit::packets_of(p));
      }};
}

}  // namespace quadrille::algorithm::bcast_relayed
