// The sources, one after the other, send their messages to all other ranks at once: on a bus one broadcast each.
#include "algorithm/kit/support.hpp"
#include "algorithm/pattern/tree.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::multibcast_sequential {

namespace {

class Sequential final : public Schedule {
 public:
  explicit Sequential(const Spec& spec)
      : sources_(spec.sources),
        shape_{.ranks = spec.ranks(),
               .rounds = spec.sources->count(),
               .out = spec.sources->count(),
               .cut = {.bytes = spec.bytes},
               .offsets = {spec.sources, &spec.sources->offset}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank source = sources_->ranks[static_cast<std::size_t>(t)];
    if (r != source) return out.recv(source, Buffer::out, contiguous(t, 1));
    for (Rank to = 0; to < shape_.ranks; ++to)
      if (to != r) out.send(to, Buffer::out, contiguous(t, 1));
  }

 private:
  SourcesPtr sources_;
  Shape shape_;
};

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  if (!kit::is_bus(spec) && !kit::is_switch(spec))
    return fmt::format(
        "needs a bus or a switch, where a rank reaches all others at once, and {} is neither; nearest: "
        "bus:{}",
        spec.topology->text(), spec.ranks());
  return pattern::needs_fanout(spec, machine, pattern::broadcast_tree(spec), "multibcast_lin");
}

}  // namespace

Algorithm describe() {
  return {.name = "multibcast_sequential",
          .collective = Collective::multibcast,
          .summary = "the sources broadcast one after the other, each to all ranks at once",
          .source = "Saad & Schultz 1986, eq. (3.26), for some of the ranks",
          .closed_form = {.where = "a start-up for every source, and the bytes of all"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = illegal,
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                return kit::with_messages(
                    kit::copies_sent(s, m, s.ranks() - 1),
                    kit::over_network(s, kit::neighbour_cost(s.sources->count(), s.sources->offset.back())));
              },
          .build = [](const Spec& s, const Machine&, const Params&) -> SchedulePtr {
            return std::make_shared<Sequential>(s);
          }};
}

}  // namespace quadrille::algorithm::multibcast_sequential
