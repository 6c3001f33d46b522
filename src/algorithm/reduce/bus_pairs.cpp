// On a bus that serves several messages at once: pairs of ranks combine, as many pairs a round as there are messages at
// once; then pairs of those that have combined, and so on to the root. In the order of ranks where the root is rank 0.
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_bus_pairs {

namespace {

/// Pairs of ranks that still have something to combine, `distance` apart when counted from the root.
struct Level {
  Round first;  ///< round of its first pairs
  Rank distance, pairs;
};

std::vector<Level> levels(Rank ranks, std::int64_t at_once) {
  std::vector<Level> all;
  Round rounds = 0;
  for (Rank distance = 1, active = ranks; active > 1; distance *= 2, active = base::ceil_div(active, 2)) {
    all.push_back({rounds, distance, active / 2});
    rounds += base::ceil_div(active / 2, at_once);
  }
  return all;
}

Round rounds(const Spec& spec, const Machine& machine) {
  const std::vector<Level> all = levels(spec.ranks(), machine.shared);
  return all.empty() ? 0 : all.back().first + base::ceil_div(all.back().pairs, machine.shared);
}

void step(const std::vector<Level>& all, std::int64_t at_once, Rank ranks, Rank root, Round t, Rank r, Steps& out) {
  auto level = all.rbegin();
  while (level->first > t) ++level;
  const Rank distance = level->distance, self = base::wrap(r - root, ranks);
  const Rank pair = self / (2 * distance), turn = pair / at_once;
  if (self % distance != 0 || pair >= level->pairs || turn != t - level->first) return;
  const Buffer sum = r == root ? Buffer::out : Buffer::tmp;
  if (self % (2 * distance) != 0) {
    const bool combined = distance > 1 && self + 1 < ranks;
    out.send(base::wrap(r - distance, ranks), combined ? sum : Buffer::in, kit::at(0));
  } else {
    const Rank peer = (r + distance) % ranks;
    out.combine(peer, sum, kit::at(0), kit::onto(r, peer, distance == 1 ? Buffer::in : sum));
  }
}

}  // namespace

Algorithm describe() {
  return {.name = "reduce_bus_pairs",
          .collective = Collective::reduce,
          .summary = "pairs of ranks combine, as many at once as the bus serves messages",
          .source = "extra",
          .closed_form = {.where = "bus: so many rounds for each of ceil(log2(P)) levels as its pairs need"},
          .parameters = {},
          .claims = [](const Spec& s, const Machine&,
                       const Params&) { return Claims{.in_order = s.root == 0 || s.ranks() <= 2}; },
          .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_bus(s); },
          .variants = kit::one_variant,
          .cost = [](const Spec& s, const Machine& m,
                     const Params&) { return kit::whole_vectors(s, rounds(s, m), rounds(s, m)); },
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                return kit::vector_schedule(
                    s, rounds(s, m), 1,
                    {[all = levels(s.ranks(), m.shared), at_once = m.shared, p = s.ranks(), root = s.root](
                         Round t, Rank r, Steps& out) { step(all, at_once, p, root, t, r, out); }});
              }};
}

}  // namespace quadrille::algorithm::reduce_bus_pairs
