// The message in packets on a hypercube with one port, or on a butterfly with ranks on both sides: in every round all
// ranks exchange along one dimension, one after the other in turn, the root sends a new packet, and nu packets arrive
// in nu - 1 + D rounds, the fewest with one port.
//
// Packet p leaves the root in round p along dimension p mod D and then crosses the others in turn, and its first one
// again at last. Rank x, seen from the root, so passes on along dimension j the packet that left as many rounds ago, 1
// to D, as it is dimensions back from j, cyclically, to the farthest one in which x differs from the root.
#include <cmath>

#include "algorithm/kit/exchanges.hpp"
#include "algorithm/kit/pipeline.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::bcast_exchange {

namespace {

/// Ranks are corners of the cube.
class Exchange final : public Schedule {
 public:
  Exchange(const Spec& spec, std::int64_t packets)
      : n_(kit::exchange_dimensions(spec)),
        root_(kit::exchange_corners(spec).from(spec.root)),
        packets_(spec.bytes == 0 ? 0 : packets) {
    shape_ = {.ranks = spec.ranks(),
              .rounds = packets_ == 0 ? 0 : packets_ - 1 + n_,
              .out = 1,
              .cut = kit::packet_cut(spec.bytes, packets)};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const int j = static_cast<int>(t % n_);
    const Rank x = r ^ root_, peer = x ^ base::bit(j);
    if (const Slot p = packet(t, j, x); p >= 0 && peer != 0) out.send(r ^ base::bit(j), Buffer::out, contiguous(p, 1));
    if (const Slot p = packet(t, j, peer); p >= 0 && x != 0) out.recv(r ^ base::bit(j), Buffer::out, contiguous(p, 1));
  }

 private:
  /// What x sends; packets from the last one on are all the last one.
  Slot packet(Round t, int j, Rank x) const {
    int back = 0;
    if (x != 0)
      for (back = n_; (x >> ((j - back + n_) % n_) & 1) == 0;) --back;
    return t < back ? -1 : std::min<Slot>(t - back, packets_ - 1);
  }

  int n_;
  Rank root_;
  std::int64_t packets_;
  Shape shape_;
};

/// Every round carries the packet that left the root D rounds before, or the first one; larger packets come first.
Cost formula(const Spec& spec, std::int64_t packets) {
  if (spec.bytes == 0) return {};
  const int n = kit::exchange_dimensions(spec);
  const Bytes first = base::ceil_div(spec.bytes, packets), last = spec.bytes / packets;
  Cost cost = kit::neighbour_cost(packets - 1 + n, spec.bytes + (n > 1 ? n * first - last : 0));
  cost.hops *= spec.topology->distance(0, kit::exchange_corners(spec).to(1));
  return cost;
}

/// As of a chain of n links, whose largest packets are on all of them at last; here the last one may be shorter.
std::int64_t best(const Spec& spec, const Machine& machine) {
  if (spec.bytes == 0) return 1;
  const auto further = static_cast<double>(kit::exchange_dimensions(spec) - 1), size = static_cast<double>(spec.bytes);
  const Seconds startup = kit::neighbour_startup(spec, machine);
  return kit::cheapest_cut(
      {.total = spec.bytes,
       .high = spec.bytes,
       .ideal = startup > 0 ? std::sqrt(further * size * machine.beta / startup) : size,
       .cost = [&](std::int64_t nu) { return seconds(formula(spec, nu), machine, *spec.topology); },
       .bound =
           [&](std::int64_t nu) {
             const auto packets = static_cast<double>(nu);
             return (packets + further) * (startup + size * machine.beta / packets);
           }});
}

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (kit::exchange_dimensions(spec) == 0) return kit::needs_hypercube(spec);
  if (kit::half_duplex(machine) && spec.ranks() > 2)
    return "neighbours send to each other at once, and wires of this machine carry one message at a time; try "
           "bcast_binomial or --set duplex=full";
  return kit::packets_illegal(params, spec.bytes);
}

}  // namespace

Algorithm describe() {
  return {.name = "bcast_exchange",
          .collective = Collective::bcast,
          .summary = "packets along one dimension after the other, a new one in every round: one port is enough",
          .source = "extra: Traeff & Ripke 2008, for P = 2^D",
          .closed_form = {.startups = "nu + n - 1",
                          .bytes = "(nu + n - 1) m/nu",
                          .where = "hypercube or bifly, full duplex, nu divides m"},
          .literature = {{.families = {"bifly"},
                          .says = "as few rounds as can be with so many packets: Bar-Noy, Kipnis & Schieber"}},
          .parameters = {kit::packets_parameter()},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants =
              [](const Spec& s, const Machine& m) {
                return std::vector{Params{{"packets", {best(s, m)}}}};
              },
          .cost = [](const Spec& s, const Machine&, const Params& p) { return formula(s, kit::packets_of(p)); },
          .build = [](const Spec& s, const Machine&, const Params& p) -> SchedulePtr {
            auto corners = std::make_shared<Exchange>(s, kit::packets_of(p));
            return kit::is_cube(s) ? corners : schedule::relabel(std::move(corners), kit::exchange_corners(s));
          }};
}

}  // namespace quadrille::algorithm::bcast_exchange
