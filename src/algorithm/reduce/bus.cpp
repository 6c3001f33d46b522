// On a bus: every rank sends its contribution to the root, which combines those of lower ranks from the nearest one
// down, then those of higher ranks upwards, and so keeps the order of ranks.
#include "algorithm/kit/bus_vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_bus {

namespace {

void step(const Spec& spec, Round t, Rank r, Steps& out) {
  const Rank sender = t < spec.root ? spec.root - 1 - t : t + 1;
  if (r == sender) out.send(spec.root, Buffer::in, kit::at(0));
  if (r == spec.root)
    out.combine(sender, Buffer::out, kit::at(0), kit::onto(r, sender, t == 0 ? Buffer::in : Buffer::out));
}

}  // namespace

Algorithm describe() {
  return kit::vectors_on_a_bus<kit::all_but_one, step>(Collective::reduce, "reduce_bus",
                                                       "one rank after the other sends its contribution to the root");
}

}  // namespace quadrille::algorithm::reduce_bus
