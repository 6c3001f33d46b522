// Both ways round a ring through all ranks: every rank passes on, in both directions, the block it received last, so
// that each goes no more than half way. Of an even number of ranks the last round brings everyone the block of the rank
// half way round, from one side or half of it from either.
// Invariant: before round t position i of the ring holds the blocks of positions i-t, ..., i+t. It meets the bound of
// full-duplex wires.
#include "algorithm/pattern/axes.hpp"
#include "algorithm/pattern/shift.hpp"
#include "algorithm/pattern/walk.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_twoway {

namespace {

class Twoway final : public Schedule {
 public:
  Twoway(Rank ranks, Bytes bytes, Slot ways)
      : shape_{.ranks = ranks, .rounds = ranks / 2, .out = ranks, .cut = {.bytes = bytes, .parts = ways}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks;
    const Slot ways = shape_.cut.parts;
    const bool halfway = 2 * (t + 1) == p;  // what arrives from both sides is the same block
    for (const Rank direction : {1, -1}) {
      const Rank next = base::wrap(r + direction, p), before = base::wrap(r - direction, p);
      for (Slot piece = 0; piece < ways; ++piece) {
        if (halfway && (direction > 0 ? piece != 0 : piece == 0)) continue;
        out.send(next, Buffer::out, contiguous(piece * p + base::wrap(r - direction * t, p), 1));
        out.recv(before, Buffer::out, contiguous(piece * p + base::wrap(before - direction * t, p), 1));
      }
    }
  }
  Symmetry symmetry() const override { return {Group::rotate, false}; }

 private:
  Shape shape_;
};

std::string illegal(const Spec& spec, const Machine& machine, const Params& params) {
  if (std::string reason = pattern::needs_ring(spec); !reason.empty()) return reason;
  if (spec.ranks() < 3 || spec.topology->degree() < 2)
    return "a rank uses two links at once, and has one here; try allgather_daisy";
  if (std::string reason = kit::needs_all_ports(machine); !reason.empty()) return reason;
  if (kit::half_duplex(machine))
    return "wires are used both ways at once, and here are half duplex; try --set duplex=full";
  if (params.get("ways", 1) == 2 && spec.ranks() % 2 != 0)
    return "ways=2 halves the block of the rank half way round, and of an odd number of ranks there is none; try "
           "ways=1";
  return {};
}

std::vector<Params> variants(const Spec& spec, const Machine&) {
  if (spec.ranks() % 2 != 0) return {Params{}};
  return {Params{{"ways", {1}}}, Params{{"ways", {2}}}};
}

/// floor(P/2) messages of a block; with ways = 2 the last is half a block, and whole blocks are two runs of memory, two
/// sent and two received in each of the rounds before.
Cost twoway_cost(const Spec& spec, const Machine&, const Params& params) {
  const Rank half = spec.ranks() / 2;
  const bool halved = params.get("ways", 1) == 2;
  const Bytes last = halved ? base::ceil_div(spec.bytes, 2) : spec.bytes;
  Cost cost = kit::neighbour_cost(half, base::checked_multiply(half - 1, spec.bytes, "bytes") + last, 0,
                                  halved ? base::checked_multiply(4 * (half - 1), spec.bytes, "bytes packed") : 0);
  cost.further = halved ? half : (spec.ranks() - 1) / 2;
  return kit::over_network(spec, cost);
}

}  // namespace

Algorithm describe() {
  return {.name = "allgather_twoway",
          .collective = Collective::allgather,
          .summary = "daisy chains both ways round the ring at once: every block goes no more than half way",
          .source = "extra: Saad & Schultz 1986, eq. (3.28), with both directions of full-duplex wires",
          .closed_form = {.startups = "floor(P/2)",
                          .bytes = "floor(P/2) m",
                          .further = "floor((P - 1)/2)",
                          .where = "ring, full duplex, whole blocks"},
          .parameters = {pattern::ways_parameter()},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = variants,
          .cost = twoway_cost,
          .build = [](const Spec& s, const Machine&, const Params& p) {
            const SchedulePtr chains = std::make_shared<Twoway>(s.ranks(), s.bytes, p.get("ways", 1));
            return kit::is_ring(s) || kit::has_own_wires(s) ? chains
                                                            : schedule::relabel(chains, pattern::ring_order(s));
          }};
}

}  // namespace quadrille::algorithm::allgather_twoway
