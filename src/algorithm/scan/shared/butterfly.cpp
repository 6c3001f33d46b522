#include "algorithm/scan/shared/butterfly.hpp"

#include "algorithm/kit/vectors.hpp"
#include "algorithm/pattern/doubling.hpp"

namespace quadrille::algorithm::scan {

namespace {

class Butterfly {
 public:
  Butterfly(const Spec& spec, bool halves)
      : ranks_(spec.ranks()),
        exclusive_(spec.collective == Collective::exscan),
        halves_(halves),
        last_(base::log2_ceil(spec.ranks()) - 1) {}

  /// In the last round only the higher ranks need to know more.
  Round rounds() const { return last_ < 0 ? 0 : (halves_ ? 2 * last_ : last_) + 1; }
  void operator()(Round t, Rank r, Steps& out) const {
    const int bit = static_cast<int>(halves_ ? t / 2 : t);
    const bool up = !halves_ || t % 2 == 0, down = bit < last_ && (!halves_ || t % 2 == 1);
    const Rank peer = r ^ base::bit(bit);
    if (peer >= ranks_) return;
    const bool sends = peer > r ? up : down, receives = peer > r ? down : up;
    const Total now = total(r, bit), next{Buffer::tmp, now.made % 2, now.made + 1};
    if (sends) out.send(peer, now.buffer, kit::at(now.slot));
    if (!receives) return;
    const bool prefix = peer < r, empty = exclusive_ && r % base::bit(bit) == 0;
    if (prefix && empty) out.recv(peer, Buffer::out, kit::at(0));
    if (prefix && !empty) out.combine(peer, Buffer::out, kit::at(0), kit::onto(r, peer, before(r, bit)));
    if (bit == last_) return;
    const auto how = prefix ? kit::onto_again : kit::onto;
    out.combine(peer, next.buffer, kit::at(next.slot), how(r, peer, now.buffer, now.slot));
  }

 private:
  /// The total of the ranks around a rank, in one of two places by turns.
  struct Total {
    Buffer buffer;
    Slot slot;
    int made;  ///< how often it was combined
  };
  Total total(Rank r, int bit) const {
    int made = 0;
    for (int lower = 0; lower < bit; ++lower) made += (r ^ base::bit(lower)) < ranks_ ? 1 : 0;
    return made == 0 ? Total{Buffer::in, 0, 0} : Total{Buffer::tmp, (made - 1) % 2, made};
  }
  /// Where the prefix is that goes on with what comes.
  Buffer before(Rank r, int bit) const { return r % base::bit(bit) == 0 ? Buffer::in : Buffer::out; }

  Rank ranks_;
  bool exclusive_, halves_;
  int last_;
};

SchedulePtr build(const Spec& spec, const Machine& machine, const Params&) {
  const Butterfly steps(spec, kit::half_duplex(machine));
  return kit::vector_schedule(spec, steps.rounds(), 2, {steps});
}

/// Per round the highest ranks of pairs combine a total, but in the last one, and a prefix where they have one.
Cost cost(const Spec& spec, const Machine& machine, const Params&) {
  const bool halves = kit::half_duplex(machine);
  const Rank p = spec.ranks();
  const int q = base::log2_ceil(p);
  if (q == 0) return {};
  const std::int64_t totals = (halves ? 2 : 1) * (q - 1);
  std::int64_t prefixes = q;
  if (spec.collective == Collective::exscan) prefixes = q == 1 ? 0 : q - 2 + (p > base::bit(q - 1) + 1 ? 1 : 0);
  return kit::whole_vectors(spec, Butterfly(spec, halves).rounds(), totals + prefixes);
}

}  // namespace

Algorithm by_butterfly(Collective collective, std::string_view name) {
  return {
      .name = name,
      .collective = collective,
      .summary = "ranks that differ in a bit exchange totals; the higher one puts the lower one's before its prefix",
      .source = "extra: as in all MPIs",
      .closed_form = {.startups = "ceil(log2(P))", .bytes = "ceil(log2(P)) m", .where = "switch"},
      .parameters = {},
      .claims = kit::in_rank_order,
      .illegal = [](const Spec& s, const Machine&, const Params&) { return pattern::needs_doubling(s); },
      .variants = kit::one_variant,
      .cost = cost,
      .build = build};
}

}  // namespace quadrille::algorithm::scan
