// Through a shared memory: all ranks but the last write their contributions; then every rank reads and combines those
// of the ranks before it. The last ranks, which read most, read together.
#include "algorithm/kit/memory_vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::scan_memory {

namespace {

void step(Rank p, std::int64_t at_once, Round t, Rank r, Steps& out) {
  const Rank memory = p;
  const Round waves = base::ceil_div(p - 1, at_once);
  const bool writing = t < waves;
  const Rank first = (writing ? t : t - waves) * at_once, end = std::min(first + at_once, p - 1);
  for (Rank i = first; i < end; ++i) {
    const Rank rank = writing ? i : p - 1 - i;
    if (r != rank && r != memory) continue;
    if (!writing) {
      kit::read_and_combine(r, rank, memory, {0, rank, [](Rank s) { return s; }}, Buffer::out, 0, 0, out);
    } else if (r == rank) {
      out.send(memory, Buffer::in, kit::at(0));
    } else {
      out.recv(rank, Buffer::tmp, kit::at(rank));
    }
  }
}

/// The first rank of a wave of readers reads most: P - 1, P - 1 - k, ... contributions.
Cost formula(const Spec& spec, const Machine& machine, const Params&) {
  const Rank most = spec.ranks() - 1, k = std::min(machine.shared, most);
  const Round waves = base::ceil_div(most, k);
  const std::int64_t read = waves * most - k * (waves * (waves - 1) / 2);
  Cost cost = kit::whole_vectors(spec, base::checked_add(waves, read, "bytes"), read);
  cost.startups = cost.hops = 2 * waves;
  const bool single = most - k * (waves - 1) == 1;  // the last wave then reads one contribution, which is one run
  cost.packed = base::checked_multiply(read - (single ? 1 : 0), spec.bytes, "bytes packed");
  return cost;
}

}  // namespace

Algorithm describe() {
  return {
      .name = "scan_memory",
      .collective = Collective::scan,
      .summary = "through the shared memory: all write their contributions, and read those of the ranks before them",
      .source = "extra",
      .closed_form = {.startups = "2 ceil((P - 1)/k)",
                      .bytes = "(P ceil((P - 1)/k) - k ceil((P - 1)/k) (ceil((P - 1)/k) - 1)/2) m",
                      .where = "memory"},
      .parameters = {},
      .claims = kit::in_rank_order,
      .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_memory(s); },
      .variants = kit::one_variant,
      .cost = formula,
      .build =
          [](const Spec& s, const Machine& m, const Params&) {
            return kit::vector_schedule(
                s, 2 * base::ceil_div(s.ranks() - 1, m.shared), s.ranks(),
                {[p = s.ranks(), k = m.shared](Round t, Rank r, Steps& out) { step(p, k, t, r, out); }});
          }};
}

}  // namespace quadrille::algorithm::scan_memory
