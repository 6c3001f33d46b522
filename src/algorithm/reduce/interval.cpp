// The ranks are halved again and again, and every half is combined at one of its ranks: in the order of ranks for any
// root and any number of ranks. One of the two is the rank at which both are combined, the other the one next to it.
// The grouping of contributions is the same for all roots.
#include "algorithm/kit/vectors.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_interval {

namespace {

/// Ranks first .. end-1, whose contributions are combined at `at`.
struct Interval {
  Rank first, end, at;
  Rank size() const { return end - first; }
};
struct Halves {
  Interval with, other;  ///< the one in which the whole interval's rank is, and the other one
};

Halves halves(const Interval& all) {
  const Rank middle = all.first + base::ceil_div(all.size(), 2);
  if (all.at < middle) return {{all.first, middle, all.at}, {middle, all.end, middle}};
  return {{middle, all.end, all.at}, {all.first, middle, middle - 1}};
}

/// The halves of intervals that are `depth` halvings below all ranks are put together in round `rounds - 1 - depth`.
void step(Rank ranks, Rank root, Round t, Rank r, Steps& out) {
  Interval all{0, ranks, root};
  for (Round depth = base::log2_ceil(ranks) - 1 - t; depth > 0 && all.size() > 1; --depth) {
    const auto [with, other] = halves(all);
    all = r >= other.first && r < other.end ? other : with;
  }
  if (all.size() < 2) return;
  const auto [with, other] = halves(all);
  const auto sum = [&](const Interval& half) {
    return half.size() == 1 ? Buffer::in : half.at == root ? Buffer::out : Buffer::tmp;
  };
  if (r == other.at) out.send(with.at, sum(other), kit::at(0));
  if (r == with.at)
    out.combine(other.at, r == root ? Buffer::out : Buffer::tmp, kit::at(0), kit::onto(r, other.at, sum(with)));
}

}  // namespace

Algorithm describe() {
  return {
      .name = "reduce_interval",
      .collective = Collective::reduce,
      .summary = "halves of the ranks are combined, in the order of ranks for any root",
      .source = "extra",
      .closed_form = {.startups = "ceil(log2(P))", .bytes = "ceil(log2(P)) m", .where = "crossbar"},
      .parameters = {},
      .claims = [](const Spec&, const Machine&, const Params&) { return Claims{.in_order = true, .canonical = true}; },
      .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_crossbar(s); },
      .variants = kit::one_variant,
      .cost =
          [](const Spec& s, const Machine&, const Params&) {
            const int rounds = base::log2_ceil(s.ranks());
            return kit::whole_vectors(s, rounds, rounds);
          },
      .build =
          [](const Spec& s, const Machine&, const Params&) {
            return kit::vector_schedule(
                s, base::log2_ceil(s.ranks()), 1,
                {[p = s.ranks(), root = s.root](Round t, Rank r, Steps& out) { step(p, root, t, r, out); }});
          }};
}

}  // namespace quadrille::algorithm::reduce_interval
