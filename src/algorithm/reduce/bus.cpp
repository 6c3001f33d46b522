// On a bus: every rank sends its contribution to the root, which combines those of lower ranks from the nearest one
// down, then those of higher ranks upwards, and so keeps the order of ranks.
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_bus {

namespace {

void step(Rank root, Round t, Rank r, Steps& out) {
  const Rank sender = t < root ? root - 1 - t : t + 1;
  if (r == sender) out.send(root, Buffer::in, kit::at(0));
  if (r == root) out.combine(sender, Buffer::out, kit::at(0), kit::onto(r, sender, t == 0 ? Buffer::in : Buffer::out));
}

}  // namespace

Algorithm describe() {
  return {.name = "reduce_bus",
          .collective = Collective::reduce,
          .summary = "one rank after the other sends its contribution to the root",
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
                                            {[root = s.root](Round t, Rank r, Steps& out) { step(root, t, r, out); }});
              }};
}

}  // namespace quadrille::algorithm::reduce_bus
