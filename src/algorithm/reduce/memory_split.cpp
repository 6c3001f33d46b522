// Through a shared memory, all ranks at work: every rank writes the blocks of the others, reads and combines its own
// block of all others, and writes the result; the root reads the results.
#include "algorithm/kit/memory_vectors.hpp"
#include "algorithm/kit/memory_waves.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::reduce_memory_split {

namespace {

/// Piece i of the vector is the block of rank i. Results take the places of the root's blocks in the memory.
class Split {
 public:
  Split(const Spec& spec, const Machine& machine)
      : ranks_(spec.ranks()),
        root_(spec.root),
        at_once_(machine.shared),
        all_(base::ceil_div(ranks_, at_once_)),
        others_(base::ceil_div(ranks_ - 1, at_once_)) {}

  Round rounds() const { return 2 * all_ + others_ + 1; }
  void operator()(Round t, Rank r, Steps& out) const {
    if (t < 2 * all_)
      return each(t % all_ * at_once_, ranks_, 0, r,
                  [&](Rank rank) { t < all_ ? write(r, rank, out) : combine(r, rank, out); });
    if (t < 2 * all_ + others_)
      return each((t - 2 * all_) * at_once_, ranks_ - 1, root_ + 1, r, [&](Rank rank) {
        copy(r, rank, Buffer::tmp, kit::at(own(rank)), kit::at(result(rank)), Kind::send, out);
      });
    if (r != root_ && r != memory()) return;
    for (const auto& [first, size] : {std::pair<Rank, Rank>{0, root_}, {root_ + 1, ranks_ - root_ - 1}})
      if (size > 0)
        copy(r, root_, Buffer::out, contiguous(first, size), {result(first), 1, ranks_, size}, Kind::recv, out);
  }

 private:
  Rank memory() const { return ranks_; }
  /// A rank has one vector, and the memory one from every rank.
  Slot stored(Rank from, Rank block) const { return block * ranks_ + from; }
  Slot result(Rank block) const { return stored(root_, block); }
  /// A rank's scratch is as large as the memory's, and only its first vector is used.
  Slot own(Rank block) const { return block * ranks_; }

  /// Who of `count` ranks, counted from `start`, has a turn from turn `first` on, and is r unless r is the memory.
  template <class Turn>
  void each(Rank first, Rank count, Rank start, Rank r, Turn turn) const {
    for (Rank i = first; i < std::min(first + at_once_, count); ++i) {
      const Rank rank = (start + i) % ranks_;
      if (r == rank || r == memory()) turn(rank);
    }
  }
  void copy(Rank self, Rank rank, Buffer buffer, const Slots& slots, const Slots& stored, Kind kind, Steps& out) const {
    if (self == rank) return out.add({kind, buffer, memory(), slots});
    out.add({kind == Kind::send ? Kind::recv : Kind::send, Buffer::tmp, rank, stored});
  }
  void write(Rank self, Rank rank, Steps& out) const {
    for (const auto& [first, size] : {std::pair<Rank, Rank>{0, rank}, {rank + 1, ranks_ - rank - 1}})
      if (size > 0)
        copy(self, rank, Buffer::in, contiguous(first, size), {stored(rank, first), 1, ranks_, size}, Kind::send, out);
  }
  void combine(Rank self, Rank rank, Steps& out) const {
    const Buffer sum = rank == root_ ? Buffer::out : Buffer::tmp;
    const Slot place = rank == root_ ? rank : own(rank);
    kit::read_and_combine(self, rank, memory(), {0, ranks_, [&](Rank s) { return stored(s, rank); }}, sum, rank, place,
                          out);
  }

  Rank ranks_, root_;
  std::int64_t at_once_;
  Round all_, others_;
};

/// A rank that leaves its own block out copies two runs, unless that is at an end; what it combines is not one run.
Cost formula(const Spec& spec, const Machine& machine, const Params&) {
  const Rank p = spec.ranks();
  const std::int64_t k = machine.shared;
  const Bytes block = base::checked_multiply(base::ceil_div(kit::elements(spec), p), spec.element, "bytes");
  const Round all = base::ceil_div(p, k), others = base::ceil_div(p - 1, k);
  Cost cost = kit::neighbour_cost(2 * all + others + 1,
                                  base::checked_multiply(2 * all * (p - 1) + others + p - 1, block, "bytes"));
  cost.combined = base::checked_multiply(all * (p - 1), block, "bytes combined");
  const bool inside = spec.root > 0 && spec.root < p - 1;
  const Round packing = kit::waves_that_pack(p, k) + (p > 2 ? all : 0) + (inside ? 1 : 0);
  cost.packed = base::checked_multiply(packing * (p - 1), block, "bytes packed");
  return cost;
}

}  // namespace

Algorithm describe() {
  return {.name = "reduce_memory_split",
          .collective = Collective::reduce,
          .summary = "through the shared memory: every rank combines a block of the vector, and the root reads them",
          .source = "extra",
          .closed_form = {.startups = "2 ceil(P/k) + ceil((P - 1)/k) + 1",
                          .bytes = "((2 ceil(P/k) + 1) (P - 1) + ceil((P - 1)/k)) m/P",
                          .where = "memory, P divides m"},
          .parameters = {},
          .claims = [](const Spec& s, const Machine&,
                       const Params&) { return Claims{.exact = kit::elements(s) % s.ranks() == 0, .in_order = true}; },
          .illegal = [](const Spec& s, const Machine&, const Params&) { return kit::needs_memory(s); },
          .variants = kit::one_variant,
          .cost = formula,
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                const Split steps(s, m);
                return kit::vector_schedule(s, steps.rounds(), s.ranks(), {steps}, 1, s.ranks());
              }};
}

}  // namespace quadrille::algorithm::reduce_memory_split
