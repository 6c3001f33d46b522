// Sequential multi-gather: the ranks, one after the other, are roots of a binomial gather. The tree of root i is that
// of root 0 with every rank renamed by xor i.
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_gathers {

namespace {

/// Round t belongs to root t / n. Seen from the root, in step s the ranks y that are odd multiples of half = 2^s send
/// the blocks of the ranks that agree with y from bit s on; blocks on the way wait in tmp, labelled by source, the own
/// block of a rank that passes others on among them: so every message is one run of memory.
class Gathers final : public Schedule {
 public:
  Gathers(int dimension, Bytes bytes) : n_(dimension) {
    const Rank p = base::bit(n_);
    shape_ = {.ranks = p,
              .rounds = base::checked_multiply(p, n_, "rounds"),
              .in = p,
              .out = p,
              .tmp = p,
              .cut = {.bytes = bytes}};
  }
  const Shape& shape() const override { return shape_; }

  void step(Round t, Rank r, Steps& out) const override {
    const Rank root = t / n_, y = r ^ root, half = base::bit(static_cast<int>(t % n_));
    const Rank peer = r ^ half;
    if (half == 1 && y != 0 && y % 2 == 0) out.move(r, Buffer::in, contiguous(root, 1), Buffer::tmp, contiguous(r, 1));
    if (y % half != 0) return;
    if ((y & half) == 0)
      out.recv(peer, y == 0 ? Buffer::out : Buffer::tmp, contiguous(peer & -half, half));
    else if (half == 1)
      out.send(peer, Buffer::in, contiguous(root, 1));
    else
      out.send(peer, Buffer::tmp, contiguous(r & -half, half));
  }

 private:
  int n_;
  Shape shape_;
};

}  // namespace

Algorithm describe() {
  return {.name = "alltoall_gathers",
          .collective = Collective::alltoall,
          .summary = "P binomial gathers, one root after the other",
          .source = "Saad & Schultz 1985, sec. 6, t_SMG",
          .closed_form = {.startups = "n P", .bytes = "P (P - 1) m", .where = "hypercube"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_hypercube(s); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine&, const Params&) {
                const Rank p = s.ranks();
                const Slot moved = p > 2 ? p : 0;  // one block for every root
                return kit::neighbour_cost(p * kit::dimension(s), base::checked_multiply(p * (p - 1), s.bytes, "bytes"),
                                           moved * s.bytes, 0);
              },
          .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr {
            return std::make_shared<Gathers>(kit::dimension(s), s.bytes);
          }};
}

}  // namespace quadrille::algorithm::alltoall_gathers
