// Every rank that holds the blocks of its stretch of the line hands over those of the other half, to the nearest rank
// there: along the first axis of a ring, mesh or torus in bundles for all that lie behind, then along the others.
// Messages go past ranks, and every one is a run of memory. Handed-on blocks wait in tmp by rank; the own one goes to
// its place in the last round, or at once when it comes alone.
#include <algorithm>

#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/halved_lines.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"

namespace quadrille::algorithm::scatter_halving {

namespace {

/// Whether some rank but the root gets blocks to hand on.
bool waits(const Spec& spec) { return spec.ranks() > 3; }

class ScatterHalving final : public Schedule {
 public:
  explicit ScatterHalving(const Spec& spec) : lines_(spec) {
    shape_ = {.ranks = spec.ranks(),
              .rounds = lines_.rounds(),
              .in = spec.ranks(),
              .out = 1,
              .tmp = waits(spec) ? lines_.axes().side(0) / 2 * lines_.axes().step(0) : 0,
              .cut = {.bytes = spec.bytes}};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const auto [axis, served, stretch] = lines_.place(t, r);
    if (served && stretch.size > 1) {
      const Rank from = lines_.at(r, axis, stretch.holder), to = lines_.at(r, axis, stretch.receiver());
      if (r == from) {
        const Slots blocks = handed_over(r, axis, stretch);
        const Rank first = r == lines_.root() ? 0 : handed_first(t, r);
        out.send(to, r == lines_.root() ? Buffer::in : Buffer::tmp, contiguous(blocks.first - first, blocks.size));
      }
      if (r == to) {
        const Slots blocks = handed_over(r, axis, stretch);
        out.recv(from, blocks.size > 1 ? Buffer::tmp : Buffer::out, contiguous(0, blocks.size));
      }
    }
    if (t + 1 < shape_.rounds || r == lines_.root()) return;
    if (const Rank first = handed_first(shape_.rounds, r); first >= 0)
      out.move(r, Buffer::tmp, contiguous(r - first, 1), Buffer::out, contiguous(0, 1));
  }

 private:
  /// The ranks whose blocks go to the other half of r's stretch.
  Slots handed_over(Rank r, int axis, const pattern::Stretch& stretch) const {
    const pattern::Stretch other = stretch.half_of(stretch.receiver());
    const Rank step = lines_.axes().step(axis), line = r - r % (step * lines_.axes().side(axis));
    return contiguous(line + other.low * step, other.size * step);
  }
  /// The first rank whose block r was handed before round t together with others; -1: r was handed none, or one.
  Rank handed_first(Round t, Rank r) const {
    for (Round i = 0; i < t; ++i) {
      const auto [axis, served, stretch] = lines_.place(i, r);
      if (!served || stretch.size == 1 || r != lines_.at(r, axis, stretch.receiver())) continue;
      const Slots blocks = handed_over(r, axis, stretch);
      return blocks.size > 1 ? blocks.first : -1;
    }
    return -1;
  }

  pattern::HalvedLines lines_;
  Shape shape_;
};

}  // namespace

Algorithm describe() {
  return {
      .name = "scatter_halving",
      .collective = Collective::scatter,
      .summary = "every rank hands over the half of its blocks that lies beyond it, one axis after the other",
      .source = "extra: Saad & Schultz 1985, eq. (5.1), past ranks; Barnett et al. 1994 (InterCom)",
      .closed_form = {.startups = "ceil(log2(R)) + ceil(log2(C))", .bytes = "(P - 1) m", .where = "torus, circuits"},
      .parameters = {},
      .claims = kit::all_claims,
      .illegal = [](const Spec& s, const Machine& m, const Params&) { return pattern::halving_illegal(s, m); },
      .variants = kit::one_variant,
      // Along an axis the largest messages are the halves, rounded down, of the larger halves: all but one block.
      .cost = [](const Spec& s, const Machine&, const Params&) -> Cost {
        const pattern::HalvedLines lines(s);
        return {.startups = lines.rounds(),
                .hops = lines.hops().all,
                .bytes = (s.ranks() - 1) * s.bytes,
                .permuted = waits(s) ? s.bytes : 0};
      },
      .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr {
        return std::make_shared<ScatterHalving>(s);
      }};
}

}  // namespace quadrille::algorithm::scatter_halving
