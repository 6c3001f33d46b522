// Daisy chain: on a ring every rank passes on, round after round, the block it received last.
// Invariant: before round t position i of the ring holds the blocks of positions i, i-1, ..., i-t.
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

/// Two ranks share one wire, and some machines let a rank only send or only receive: then every round takes two.
bool splits(const Spec& spec, const Machine& machine) {
  return pattern::one_way(machine) || (kit::half_duplex(machine) && spec.ranks() == 2 && spec.topology->direct());
}

std::string refusal(const Spec& spec, const Machine& machine, const Params&) {
  if (std::string reason = pattern::needs_ring(spec); !reason.empty()) return reason;
  if (splits(spec, machine) && spec.ranks() % 2 != 0)
    return fmt::format(
        "a rank of this machine cannot send while it receives, and {} ranks in a ring do not divide in two kinds that "
        "take turns; try --set duplex=full",
        spec.ranks());
  return {};
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
      .illegal = refusal,
      .variants = kit::one_variant,
      .cost =
          [](const Spec& s, const Machine& m, const Params&) {
            const std::int64_t rounds = (splits(s, m) ? 2 : 1) * (s.ranks() - 1);
            return kit::over_network(s, kit::neighbour_cost(rounds, base::checked_multiply(rounds, s.bytes, "bytes")));
          },
      .build =
          [](const Spec& s, const Machine& m, const Params&) {
            SchedulePtr chain = std::make_shared<Daisy>(s.ranks(), s.bytes);
            if (splits(s, m)) chain = schedule::half_split(chain, parse_topology(fmt::format("ring:{}", s.ranks())));
            return kit::is_ring(s) || kit::has_own_wires(s) ? chain : schedule::relabel(chain, pattern::ring_order(s));
          }};
}

}  // namespace quadrille::algorithm::allgather_daisy
