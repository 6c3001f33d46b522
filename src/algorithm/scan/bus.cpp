// On a bus: the ranks tell all ranks above them their contribution, from the last but one down, and each puts what it
// hears before what it has.
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan_bus {

namespace {

void step(Rank ranks, Round t, Rank r, Steps& out) {
  const Rank sender = ranks - 2 - t;
  if (r == sender)
    for (Rank higher = r + 1; higher < ranks; ++higher) out.send(higher, Buffer::in, kit::at(0));
  if (r > sender)
    out.combine(sender, Buffer::out, kit::at(0), kit::onto(r, sender, r == sender + 1 ? Buffer::in : Buffer::out));
}

}  // namespace

Algorithm describe() {
  return {.name = "scan_bus",
          .collective = Collective::scan,
          .summary = "one rank after the other, the highest first, tells all above it its contribution",
          .source = "extra",
          .closed_form = {.startups = "P - 1", .bytes = "(P - 1) m", .where = "bus"},
          .parameters = {},
          .claims = kit::in_rank_order,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_bus(s); },
          .variants = kit::one_variant,
          .cost = [](const Spec& s, const Machine&,
                     const Params&) { return kit::whole_vectors(s, s.ranks() - 1, s.ranks() - 1); },
          .build =
              [](const Spec& s, const Machine&, const Params&) {
                return kit::vector_schedule(s, s.ranks() - 1, 0,
                                            {[p = s.ranks()](Round t, Rank r, Steps& out) { step(p, t, r, out); }});
              }};
}

}  // namespace quadrille::algorithm::scan_bus
