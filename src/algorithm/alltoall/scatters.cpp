// The ranks, one after the other, scatter their blocks at once: on a bus P broadcasts, of which every rank keeps what
// is for it.
#include "algorithm/registry.hpp"
#include "algorithm/kit/support.hpp"

namespace quadrille {

namespace {

class Scatters final : public Schedule {
 public:
  Scatters(Rank ranks, Bytes bytes)
      : shape_{.ranks = ranks, .rounds = ranks, .in = ranks, .out = ranks, .cut = {.bytes = bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    if (r != t) return out.recv(t, Buffer::out, contiguous(t, 1));
    for (Rank to = 0; to < shape_.ranks; ++to)
      if (to != r) out.send(to, Buffer::in, contiguous(to, 1));
  }

 private:
  Shape shape_;
};

}  // namespace

Algorithm alltoall_scatters() {
  return {.name = "alltoall_scatters",
          .collective = Collective::alltoall,
          .summary = "P scatters of all blocks at once, one root after the other: on a bus P broadcasts",
          .source = "Saad & Schultz 1986, T_5B without own blocks",
          .parameters = {},
          .claims = all_claims,
          .illegal = [](const Spec& s, const Machine& m, const Params&) { return needs_star(s, m); },
          .variants = one_variant,
          .cost =
              [](const Spec& s, const Machine&, const Params&) {
                return with_messages(as<Bus>(s) ? 1 : s.ranks() - 1,
                                     neighbour_cost(s.ranks(), checked_multiply(s.ranks(), star_bytes(s), "bytes")));
              },
          .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr {
            return std::make_shared<Scatters>(s.ranks(), s.bytes);
          }};
}

}  // namespace quadrille
