// The ranks, one after the other, scatter their blocks at once: on a bus P broadcasts, of which every rank keeps what
// is for it.
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_scatters {

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

Algorithm describe() {
  return {.name = "alltoall_scatters",
          .collective = Collective::alltoall,
          .summary = "P scatters of all blocks at once, one root after the other: on a bus P broadcasts",
          .source = "Saad & Schultz 1986, T_5B without own blocks",
          .closed_form = {.startups = "P", .bytes = "P (P - 1) m", .where = "bus"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine& m, const Params&) { return kit::needs_star(s, m); },
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine&, const Params&) {
                return kit::with_messages(
                    kit::is_bus(s) ? 1 : s.ranks() - 1,
                    kit::neighbour_cost(s.ranks(), base::checked_multiply(s.ranks(), kit::star_bytes(s), "bytes")));
              },
          .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr {
            return std::make_shared<Scatters>(s.ranks(), s.bytes);
          }};
}

}  // namespace quadrille::algorithm::alltoall_scatters
