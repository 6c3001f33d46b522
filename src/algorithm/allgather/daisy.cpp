// Daisy chain: on a ring every rank passes on, round after round, the block it received last.
// Invariant: before round t position i of the ring holds the blocks of positions i, i-1, ..., i-t.
// Where a rank only sends or only receives, every second wire of the ring has a message, first those of even and then
// those of odd positions. An odd ring has a rank left over: the next one in every round.
#include "algorithm/pattern/shift.hpp"
#include "algorithm/pattern/walk.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_daisy {

namespace {

class Daisy final : public Schedule {
 public:
  Daisy(Rank ranks, Bytes bytes) : shape_{.ranks = ranks, .rounds = ranks - 1, .out = ranks, .cut = {.bytes = bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks;
    out.send((r + 1) % p, Buffer::out, contiguous(base::wrap(r - t, p), 1));
    out.recv(base::wrap(r - 1, p), Buffer::out, contiguous(base::wrap(r - 1 - t, p), 1));
  }
  Symmetry symmetry() const override { return {Group::rotate, false}; }

 private:
  Shape shape_;
};

/// In round t positions t+1, t+3, ..., t+P-2 send, so that in 2 P rounds each of them sends P-1 times: no schedule has
/// fewer, as (P-1)/2 messages are as many as a round has. Between two messages of a position it receives one.
class OddDaisy final : public Schedule {
 public:
  OddDaisy(Rank ranks, Bytes bytes)
      : shape_{.ranks = ranks, .rounds = 2 * ranks, .out = ranks, .cut = {.bytes = bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank p = shape_.ranks, before = base::wrap(r - 1, p);
    if (sends(t, r)) out.send((r + 1) % p, Buffer::out, contiguous(base::wrap(r - sent(t, r), p), 1));
    if (sends(t, before)) out.recv(before, Buffer::out, contiguous(base::wrap(before - sent(t, before), p), 1));
  }

 private:
  bool sends(Round t, Rank r) const { return base::wrap(r - t, shape_.ranks) % 2 == 1; }
  /// How often position r has sent before round t: its distance from t, modulo P, has been each of r, r-1, ... once in
  /// every P rounds, and it sends where that is odd.
  Round sent(Round t, Rank r) const {
    const Rank p = shape_.ranks, rest = t % p;
    const auto odd = [](Rank most) { return (most + 1) / 2; };  // numbers from 0 to `most`
    const Rank now = rest <= r ? odd(r) - odd(r - rest) : odd(r) + odd(p - 1) - odd(p - 1 - (rest - r - 1));
    return t / p * ((p - 1) / 2) + now;
  }
  Shape shape_;
};

/// Two ranks share one wire, and some machines let a rank only send or only receive: then every round takes two.
bool splits(const Spec& spec, const Machine& machine) {
  return pattern::one_way(machine) || (kit::half_duplex(machine) && spec.ranks() == 2 && spec.topology->direct());
}

}  // namespace

Algorithm describe() {
  return {
      .name = "allgather_daisy",
      .collective = Collective::allgather,
      .summary = "daisy chain: every rank passes on what it received last, P-1 times round the ring",
      .source = "Saad & Schultz 1986, eq. (3.28), (3.34); 1985, eq. (4.2)",
      .closed_form = {.startups = "P - 1", .bytes = "(P - 1) m", .where = "ring"},
      .parameters = {},
      .claims = kit::all_claims,
      .illegal = [](const Spec& s, const Machine&, const Params&) { return pattern::needs_ring(s); },
      .variants = kit::one_variant,
      .cost =
          [](const Spec& s, const Machine& m, const Params&) {
            const std::int64_t p = s.ranks(), rounds = splits(s, m) ? 2 * (p % 2 == 0 ? p - 1 : p) : p - 1;
            return kit::over_network(s, kit::neighbour_cost(rounds, base::checked_multiply(rounds, s.bytes, "bytes")));
          },
      .build =
          [](const Spec& s, const Machine& m, const Params&) {
            const bool odd = splits(s, m) && s.ranks() % 2 != 0;
            SchedulePtr chain = odd ? SchedulePtr(std::make_shared<OddDaisy>(s.ranks(), s.bytes))
                                    : std::make_shared<Daisy>(s.ranks(), s.bytes);
            if (splits(s, m) && !odd)
              chain = schedule::half_split(chain, parse_topology(fmt::format("ring:{}", s.ranks())));
            return kit::is_ring(s) || kit::has_own_wires(s) ? chain : schedule::relabel(chain, pattern::ring_order(s));
          }};
}

}  // namespace quadrille::algorithm::allgather_daisy
