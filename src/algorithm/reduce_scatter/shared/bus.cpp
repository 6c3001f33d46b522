#include "algorithm/reduce_scatter/shared/bus.hpp"

#include "algorithm/kit/support.hpp"
#include "schedule/dual.hpp"

namespace quadrille::algorithm::reduce_scatter {

namespace {

/// In round t rank t sends, and takes its own contribution; so all ranks combine in the order of ranks.
class InTurn final : public Schedule {
 public:
  explicit InTurn(const Spec& spec) {
    const bool blocks = spec.collective == Collective::reduce_scatter;
    const Rank p = spec.ranks();
    shape_ = {.ranks = p,
              .rounds = vector_bytes(spec) == 0 ? 0 : p,
              .in = blocks ? p : 1,
              .out = blocks ? p : 1,
              .cut = {.bytes = spec.bytes, .unit = spec.element},
              .offsets = blocks ? spec.offsets : nullptr};
  }
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    if (t == r) {
      for (Rank to = 0; to < shape_.ranks; ++to)
        if (to != r) out.send(to, Buffer::in, part_of(to));
      if (r > 0) out.send(r, Buffer::in, part_of(r));
    }
    const Slots own = part_of(r);
    if (t == 0 && r > 0) out.recv(0, Buffer::out, own);
    if (t == 0) return;
    const Buffer before = r == 0 && t == 1 ? Buffer::in : Buffer::out;
    out.combine(t, Buffer::out, own, {.incoming = Combine::Incoming::right, .buffer = before, .with = own.first});
  }

 private:
  Slots part_of(Rank r) const { return contiguous(shape_.out == 1 ? 0 : r, 1); }
  Shape shape_;
};

std::string bus_illegal(const Spec& spec, const Machine&, const Params&) {
  if (kit::is_bus(spec)) return {};
  return fmt::format("needs a bus, and {} is none; nearest: bus:{}", spec.topology->text(), spec.ranks());
}

/// P turns, of the vector that all hear or of P - 1 blocks.
Cost bus_formula(const Spec& spec, const Machine&, const Params&) {
  const Rank p = spec.ranks();
  const Bytes each = spec.collective == Collective::reduce_scatter ? kit::star_bytes(spec) : spec.bytes;
  Cost cost = kit::over_network(spec, kit::neighbour_cost(p, base::checked_multiply(p, each, "bytes")));
  cost.combined = base::checked_multiply(p - 1, spec.bytes, "bytes combined");
  return cost;
}

}  // namespace

Algorithm on_bus(Collective collective, const kit::Description& d) {
  return {.name = d.name,
          .collective = collective,
          .summary = d.summary,
          .source = d.source,
          .closed_form = d.closed_form,
          .literature = d.literature,
          .parameters = {},
          .claims = [](const Spec& s, const Machine&,
                       const Params&) { return Claims{.exact = !s.offsets, .in_order = true}; },
          .illegal = bus_illegal,
          .variants = kit::one_variant,
          .cost = bus_formula,
          .build = [](const Spec& s, const Machine&,
                      const Params&) { return schedule::without_empty(std::make_shared<InTurn>(s)); }};
}

}  // namespace quadrille::algorithm::reduce_scatter
