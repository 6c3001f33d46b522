// Up a binomial tree in which a rank's parent lacks its lowest bit, so that a rank's contributions are always those of
// the ranks that follow it: in the order of ranks where the root is rank 0, on a hypercube for any root.
#include "algorithm/kit/vectors.hpp"
#include "algorithm/pattern/doubling.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_binomial {

namespace {

/// Ranks named from the root, and back.
struct Names {
  explicit Names(const Spec& spec) : ranks(spec.ranks()), root(spec.root), by_xor(kit::is_cube(spec)) {}
  Rank from_root(Rank r) const { return by_xor ? r ^ root : base::wrap(r - root, ranks); }
  Rank rank(Rank from_root) const { return by_xor ? from_root ^ root : (from_root + root) % ranks; }
  Rank ranks, root;
  bool by_xor;
};

/// In round t the ranks whose lowest bit is bit t send all they have combined.
void step(const Names& names, Round t, Rank r, Steps& out) {
  const Rank self = names.from_root(r), distance = base::bit(static_cast<int>(t));
  const Buffer sum = r == names.root ? Buffer::out : Buffer::tmp;
  if (self % distance != 0) return;
  if ((self & distance) != 0) {
    const bool combined = t > 0 && self + 1 < names.ranks;
    out.send(names.rank(self - distance), combined ? sum : Buffer::in, kit::at(0));
  } else if (self + distance < names.ranks) {
    const Rank peer = names.rank(self + distance);
    out.combine(peer, sum, kit::at(0), kit::onto(r, peer, t == 0 ? Buffer::in : sum));
  }
}

}  // namespace

Algorithm describe() {
  return {.name = "reduce_binomial",
          .collective = Collective::reduce,
          .summary = "up a binomial tree: in every round half of the ranks send what they have combined",
          .source = "extra: as in all MPIs",
          .closed_form = {.startups = "ceil(log2(P))", .bytes = "ceil(log2(P)) m", .where = "switch"},
          .parameters = {},
          .claims =
              [](const Spec& s, const Machine&, const Params&) {
                const bool in_order = s.root == 0 || kit::is_cube(s) || s.ranks() <= 2;
                return Claims{.in_order = in_order, .canonical = in_order && base::is_power_of_two(s.ranks())};
              },
          .illegal = [](const Spec& s, const Machine&, const Params&) { return pattern::needs_doubling(s); },
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
                    {[names = Names(s)](Round t, Rank r, Steps& out) { step(names, t, r, out); }});
              }};
}

}  // namespace quadrille::algorithm::reduce_binomial
