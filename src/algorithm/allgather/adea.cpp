// Alternate direction exchange: along one dimension after the other, neighbours swap all they hold, which doubles.
// Invariant: after dimensions 0..j-1 rank x holds the blocks of all ranks that agree with x in bits j and above.
#include "algorithm/allgather/shared/adea.hpp"

#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allgather_adea {

namespace {

class Adea final : public Schedule {
 public:
  Adea(int dimension, Bytes bytes)
      : shape_{
            .ranks = base::bit(dimension), .rounds = dimension, .out = base::bit(dimension), .cut = {.bytes = bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Slot held = base::bit(static_cast<int>(t));
    const Rank peer = r ^ held;
    out.send(peer, Buffer::out, contiguous(r & -held, held));
    out.recv(peer, Buffer::out, contiguous(peer & -held, held));
  }
  Symmetry symmetry() const override { return {Group::xor_all, false}; }

 private:
  Shape shape_;
};

}  // namespace

SchedulePtr adea_schedule(int dimension, Bytes bytes) { return std::make_shared<Adea>(dimension, bytes); }

Algorithm describe() {
  return {.name = "allgather_adea",
          .collective = Collective::allgather,
          .summary = "alternate direction exchange: dimension by dimension, swapping all that is held",
          .source = "Saad & Schultz 1985, eq. (4.3)",
          .closed_form = {.startups = "n", .bytes = "(P - 1) m", .where = "hypercube, full duplex"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_hypercube(s); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const int n = kit::dimension(s), halves = kit::half_duplex(m) ? 2 : 1;
                return kit::neighbour_cost(halves * n, halves * (s.ranks() - 1) * s.bytes);
              },
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                return kit::split_if_half(allgather_adea::adea_schedule(kit::dimension(s), s.bytes), s, m);
              }};
}

}  // namespace quadrille::algorithm::allgather_adea
