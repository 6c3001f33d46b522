// Sequential multi-gather: the ranks, one after the other, are roots of a binomial gather. The tree of root i is that
// of root 0 with every rank renamed by xor i.
#include "algorithm/registry.hpp"
#include "algorithm/support.hpp"

namespace quadrille {

namespace {

/// Round t belongs to root t / n. Seen from the root, in step s the ranks y from half = 2^(n-1-s) to 2*half - 1 send
/// the blocks of all ranks that agree with y in the lowest n-s bits; blocks on the way wait in tmp, labelled by source.
class Gathers final : public Schedule {
 public:
  Gathers(int dimension, Bytes bytes) : n_(dimension) {
    const Rank p = bit(n_);
    shape_ = {
        .ranks = p, .rounds = checked_multiply(p, n_, "rounds"), .in = p, .out = p, .tmp = p, .cut = {.bytes = bytes}};
  }
  const Shape& shape() const override { return shape_; }

  void step(Round t, Rank r, Steps& out) const override {
    const Rank root = t / n_, y = r ^ root, half = bit(n_ - 1 - static_cast<int>(t % n_));
    const Rank peer = r ^ half;
    const Slot stride = 2 * half, sources = shape_.ranks / stride;
    if (y >= stride) return;
    if (y < half) {
      out.recv(peer, y == 0 ? Buffer::out : Buffer::tmp, {peer & (stride - 1), 1, stride, sources});
      return;
    }
    const Slot below = r / stride;  // own block in its place among the collected ones
    out.send(peer, Buffer::tmp, {r & (stride - 1), 1, stride, below});
    out.send(peer, Buffer::in, contiguous(root, 1));
    out.send(peer, Buffer::tmp, {r + stride, 1, stride, sources - below - 1});
  }

 private:
  int n_;
  Shape shape_;
};

}  // namespace

Algorithm alltoall_gathers() {
  return {.name = "alltoall_gathers",
          .collective = Collective::alltoall,
          .summary = "P binomial gathers, one root after the other",
          .source = "Saad & Schultz 1985, sec. 6, t_SMG",
          .parameters = {},
          .claims = all_claims,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return needs_hypercube(s); },
          .variants = one_variant,
          .cost =
              [](const Spec& s, const Machine&, const Params&) {
                const Rank p = s.ranks();
                return neighbour_cost(p * dimension(s), checked_multiply(p * (p - 1), s.bytes, "bytes"));
              },
          .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr {
            return std::make_shared<Gathers>(dimension(s), s.bytes);
          },
          .scattered = Scattered::one};
}

}  // namespace quadrille
