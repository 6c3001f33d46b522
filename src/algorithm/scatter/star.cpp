// The root sends all blocks at once, each straight to its rank. On a bus that is one broadcast, from which every rank
// keeps its own block.
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/straight.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scatter_star {

namespace {

class Star final : public Schedule {
 public:
  explicit Star(const Spec& spec)
      : root_(spec.root),
        shape_{.ranks = spec.ranks(), .rounds = 1, .in = spec.ranks(), .out = 1, .cut = {.bytes = spec.bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round, Rank r, Steps& out) const override {
    if (r != root_) return out.recv(root_, Buffer::out, contiguous(0, 1));
    for (Rank turn = 1; turn < shape_.ranks; ++turn) {
      const Rank to = (root_ + turn) % shape_.ranks;
      out.send(to, Buffer::in, contiguous(to, 1));
    }
  }

 private:
  Rank root_;
  Shape shape_;
};

}  // namespace

Algorithm describe() {
  return {
      .name = "scatter_star",
      .collective = Collective::scatter,
      .summary = "all blocks at once, straight to each; on a bus one broadcast, of which every rank keeps its block",
      .source = "extra: Saad & Schultz 1986, T_5B for one rank",
      .closed_form = {.startups = "1", .bytes = "(P - 1) m", .where = "bus"},
      .parameters = {},
      .claims = [](const Spec& s, const Machine& m,
                   const Params& p) { return kit::is_bus(s) ? Claims{} : pattern::linear_claims(s, m, p); },
      .illegal = [](const Spec& s, const Machine& m,
                    const Params& p) { return kit::is_bus(s) ? std::string() : pattern::linear_illegal(s, m, p); },
      .variants = kit::one_variant,
      .cost =
          [](const Spec& s, const Machine& m, const Params& p) {
            return kit::is_bus(s) ? kit::neighbour_cost(1, kit::star_bytes(s)) : pattern::linear_cost(s, m, p);
          },
      .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr { return std::make_shared<Star>(s); }};
}

}  // namespace quadrille::algorithm::scatter_star
