// Xor: a complete exchange in which only the sources send: in round x every source i sends its own
// block to i xor x. No messages are combined.
#include "algorithm/kit/round_pricer.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/multibcast/shared/multibcast.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_xor {

namespace {

/// With halves every round is two: of a pair the lower rank sends first.
class Xor final : public Schedule {
 public:
  Xor(const Spec& spec, bool halves) : sources_(spec.sources), halves_(halves) {
    const Round rounds = base::bit(base::log2_ceil(spec.ranks())) - 1;
    shape_.ranks = spec.ranks();
    shape_.rounds = halves ? 2 * rounds : rounds;
    shape_.out = sources_->count();
    shape_.cut.bytes = spec.bytes;
    shape_.offsets = {sources_, &sources_->offset};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank peer = r ^ distance(t);
    if (peer >= shape_.ranks) return;
    if (sends(t, r, peer))
      if (const Slot k = sources_->find(r); k >= 0) out.send(peer, Buffer::out, contiguous(k, 1));
    if (sends(t, peer, r))
      if (const Slot k = sources_->find(peer); k >= 0) out.recv(peer, Buffer::out, contiguous(k, 1));
  }
  Rank distance(Round t) const { return (halves_ ? t / 2 : t) + 1; }
  bool sends(Round t, Rank from, Rank to) const { return !halves_ || (from < to) == (t % 2 == 0); }

 private:
  SourcesPtr sources_;
  bool halves_;
  Shape shape_;
};

/// Link crossings that are counted one by one; beyond, messages are taken to get in nobody's way.
constexpr std::int64_t most_crossings = std::int64_t{1} << 26;

bool countable(const Spec& spec) {
  return spec.ranks() * spec.topology->diameter() <= most_crossings / spec.sources->count();
}

Cost cost(const Spec& spec, const Machine& machine, const Params&) {
  const Xor schedule(spec, kit::half_duplex(machine));
  const Round rounds = schedule.shape().rounds;
  if (!countable(spec))
    return {.startups = rounds, .hops = rounds, .bytes = base::checked_multiply(rounds, spec.bytes, "bytes")};
  kit::RoundPricer pricer(spec, machine);
  for (Round t = 0; t < rounds; ++t) {
    for (Slot k = 0; k < spec.sources->count(); ++k) {
      const Rank from = spec.sources->ranks[static_cast<std::size_t>(k)], to = from ^ schedule.distance(t);
      if (to < spec.ranks() && schedule.sends(t, from, to)) pricer.send(from, {&to, 1}, spec.sources->bytes(k), true);
    }
    pricer.end_round();
  }
  return pricer.cost();
}

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (std::string why = multibcast::needs_fewer_ranks(spec); !why.empty()) return why;
  if (std::string why = multibcast::needs_ways(spec); !why.empty()) return why;
  if (machine.switching != Switching::store_and_forward) return {};
  for (const Rank r : spec.sources->ranks)
    if (const Rank far = spec.topology->farthest(r); far != r && !spec.topology->adjacent(r, far))
      return fmt::format("rank {} sends to rank {}, {} links away, and this machine stores and forwards; try {}", r,
                         far, spec.topology->distance(r, far), "--set switching=wormhole");
  return {};
}

}  // namespace

Algorithm describe() {
  return {
      .name = "multibcast_xor",
      .collective = Collective::multibcast,
      .summary = "every source sends its own block to every rank, at distance 1, 2, 3, ... by exclusive or; counted",
      .source = "Hambrusch, Khokhar & Liu 1995, sections 2 and 5, Xor",
      .closed_form = {.where = "at most 2^ceil(log2(P)) - 1 start-ups; counted"},
      .parameters = {},
      .claims =
          [](const Spec& s, const Machine&, const Params&) {
            return Claims{.contention_free = s.topology->diameter() <= 1 && !s.topology->shared_medium(),
                          .exact = countable(s)};
          },
      .illegal = illegal,
      .variants = kit::one_variant,
      .cost = cost,
      .build = [](const Spec& s, const Machine& m, const Params&) -> SchedulePtr {
        return std::make_shared<Xor>(s, kit::half_duplex(m));
      }};
}

}  // namespace quadrille::algorithm::multibcast_xor
