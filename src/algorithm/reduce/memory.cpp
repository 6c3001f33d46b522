// Through a shared memory: all ranks but the root write their contributions, and the root reads and combines them.
#include "algorithm/kit/memory_vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_memory {

namespace {

void step(const Spec& spec, std::int64_t at_once, Round t, Rank r, Steps& out) {
  const Rank p = spec.ranks(), memory = p;
  const Round waves = base::ceil_div(p - 1, at_once);
  if (t == waves) {
    if (r == spec.root || r == memory)
      kit::read_and_combine(r, spec.root, memory, {0, p, [](Rank s) { return s; }}, Buffer::out, 0, 0, out);
    return;
  }
  const auto turn = [&](Rank writer) { return base::wrap(writer - spec.root - 1, p) / at_once; };
  if (r == memory) {
    for (Rank i = t * at_once; i < std::min((t + 1) * at_once, p - 1); ++i) {
      const Rank writer = (spec.root + 1 + i) % p;
      out.recv(writer, Buffer::tmp, kit::at(writer));
    }
  } else if (r != spec.root && turn(r) == t) {
    out.send(memory, Buffer::in, kit::at(0));
  }
}

Cost formula(const Spec& spec, const Machine& machine, const Params&) {
  const Rank others = spec.ranks() - 1;
  const Round waves = base::ceil_div(others, machine.shared);
  Cost cost = kit::whole_vectors(spec, waves + others, others);
  cost.startups = cost.hops = waves + 1;
  if (others > 1) cost.packed = cost.combined;  // what the root reads is not one run
  return cost;
}

}  // namespace

Algorithm describe() {
  return {.name = "reduce_memory",
          .collective = Collective::reduce,
          .summary = "through the shared memory: all write their contributions, the root reads and combines them",
          .source = "extra",
          .closed_form = {.startups = "1 + ceil((P - 1)/k)", .bytes = "(P - 1 + ceil((P - 1)/k)) m", .where = "memory"},
          .parameters = {},
          .claims = kit::in_rank_order,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_memory(s); },
          .variants = kit::one_variant,
          .cost = formula,
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                return kit::vector_schedule(
                    s, base::ceil_div(s.ranks() - 1, m.shared) + 1, s.ranks(),
                    {[s, at_once = m.shared](Round t, Rank r, Steps& out) { step(s, at_once, t, r, out); }});
              }};
}

}  // namespace quadrille::algorithm::reduce_memory
