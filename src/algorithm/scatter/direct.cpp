// The root sends every rank its block, one after the other.
#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"
#include "algorithm/scatter/shared/scattering.hpp"

namespace quadrille::algorithm::scatter_direct {

namespace {

class Direct final : public Schedule {
 public:
  explicit Direct(const Spec& spec)
      : root_(spec.root),
        shape_{.ranks = spec.ranks(),
               .rounds = spec.ranks() - 1,
               .in = spec.ranks(),
               .out = 1,
               .cut = {.bytes = spec.bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank to = (root_ + 1 + t) % shape_.ranks;
    if (r == root_) out.send(to, Buffer::in, contiguous(to, 1));
    if (r == to) out.recv(root_, Buffer::out, contiguous(0, 1));
  }
  Rounds active(Rank r) const override {
    if (r == root_) return {0, shape_.rounds};
    const Round turn = base::wrap(r - root_ - 1, shape_.ranks);
    return {turn, turn + 1};
  }

 private:
  Rank root_;
  Shape shape_;
};

std::string illegal(const Spec& spec, const Machine&, const Params&) {
  if (kit::is_bus(spec) || kit::is_switch(spec)) return {};
  return fmt::format(
      "needs a bus or a switch, where every rank is one message from the root, and {} is neither; nearest: "
      "crossbar:{}",
      spec.topology->text(), spec.ranks());
}

}  // namespace

Algorithm describe() {
  return {
      .name = "scatter_direct",
      .collective = Collective::scatter,
      .summary = "the root sends one block after the other, each to its rank",
      .source = "Saad & Schultz 1986, eq. (3.36) without the own block",
      .closed_form = {.startups = "P - 1", .bytes = "(P - 1) m", .where = "switch"},
      .parameters = {},
      .claims = kit::all_claims,
      .illegal = illegal,
      .variants = kit::one_variant,
      .cost =
          [](const Spec& s, const Machine&, const Params&) {
            const Bytes all = base::checked_multiply(s.ranks() - 1, s.bytes, "bytes");
            return kit::over_network(s, kit::neighbour_cost(s.ranks() - 1, all));
          },
      .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr { return std::make_shared<Direct>(s); }};
}

}  // namespace quadrille::algorithm::scatter_direct
