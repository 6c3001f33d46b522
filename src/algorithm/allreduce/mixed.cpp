// Between recursive halving and recursive doubling: over the lowest bits of their numbers ranks halve the vector, over
// the others they swap all of what they have left, and then the parts are gathered again. Contributions are always
// those of aligned runs of ranks, so that their order and their grouping are those of doubling.
#include "algorithm/kit/vectors.hpp"
#include "algorithm/pattern/exchange.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::allreduce_mixed {

namespace {

/// Piece i of the vector has as many bits as there are halvings. Before halving t a rank has the pieces that agree with
/// its number in the t lowest bits, and so it has after the gathering that undoes it.
struct Mixed {
  int dimension, halvings;
  int swaps() const { return dimension - halvings; }
  Round rounds() const { return dimension + halvings; }

  /// Pieces that agree with the rank in bits 0 .. bit.
  Slots alike(Rank r, int bit) const {
    const Slot apart = base::bit(bit + 1);
    return {r % apart, 1, apart, base::bit(halvings - 1 - bit)};
  }
  /// Where the last piece of a rank is after so many swaps; the last one ends in `out`.
  Buffer place(int swapped) const { return (swaps() - swapped) % 2 == 0 ? Buffer::out : Buffer::tmp; }

  void halve(int bit, Rank r, Steps& out) const {
    const Rank peer = r ^ base::bit(bit);
    const Buffer own = bit == 0 ? Buffer::in : Buffer::out;
    const Slots kept = alike(r, bit);
    out.send(peer, own, alike(peer, bit));
    out.combine(peer, bit == halvings - 1 ? place(0) : Buffer::out, kept, kit::onto(r, peer, own, kept.first));
  }
  void swap(int number, Rank r, Steps& out) const {
    const Rank peer = r ^ base::bit(halvings + number);
    const Slot piece = r % base::bit(halvings);
    out.send(peer, place(number), kit::at(piece));
    out.combine(peer, place(number + 1), kit::at(piece), kit::onto(r, peer, place(number), piece));
  }
  void gather(int bit, Rank r, Steps& out) const {
    const Rank peer = r ^ base::bit(bit);
    out.send(peer, Buffer::out, alike(r, bit));
    out.recv(peer, Buffer::out, alike(peer, bit));
  }
  void operator()(Round t, Rank r, Steps& out) const {
    const int round = static_cast<int>(t);
    if (round < halvings) return halve(round, r, out);
    if (round < dimension) return swap(round - halvings, r, out);
    gather(static_cast<int>(rounds() - 1 - t), r, out);
  }
};

int halvings_of(const Params& params) { return static_cast<int>(params.get("halvings", 1)); }
Mixed mixed(const Spec& spec, const Params& params) { return {base::log2_floor(spec.ranks()), halvings_of(params)}; }

std::string illegal(const Spec& spec, const Machine&, const Params& params) {
  if (std::string reason = pattern::needs_bit_pairs(spec); !reason.empty()) return reason;
  const int dimension = base::log2_floor(spec.ranks());
  if (dimension < 2)
    return fmt::format("needs four ranks or more, and {} has {}; try allreduce_doubling", spec.topology->text(),
                       spec.ranks());
  if (halvings_of(params) >= dimension)
    return fmt::format(
        "{} halvings: {} ranks can be halved {} times and then swap; expected at most {}, or "
        "allreduce_halving",
        halvings_of(params), spec.ranks(), dimension - 1, dimension - 1);
  return {};
}

/// Pieces go over the wires as often as there are others, there and back; then a piece a swap.
Cost formula(const Spec& spec, const Machine& machine, const Params& params) {
  const Mixed steps = mixed(spec, params);
  const int split = pattern::rounds_of_swap(spec, machine);
  const Slot others = base::bit(steps.halvings) - 1;
  const Bytes piece =
      base::checked_multiply(base::ceil_div(kit::elements(spec), others + 1), spec.element, "bytes of a piece");
  Cost cost = kit::neighbour_cost(split * steps.rounds(),
                                  base::checked_multiply(split * (2 * others + steps.swaps()), piece, "bytes"));
  cost.combined = base::checked_multiply(split * (others + steps.swaps()), piece, "bytes combined");
  return kit::over_network(spec, cost);
}

/// Where all pieces are alike, and no message has scattered ones.
Claims claims(const Spec& spec, const Machine&, const Params& params) {
  const bool even = kit::elements(spec) % base::bit(halvings_of(params)) == 0;
  return {.exact = even && halvings_of(params) == 1, .in_order = true, .canonical = true};
}

/// Nothing is left to halve once pieces have an element.
std::vector<Params> variants(const Spec& spec, const Machine&) {
  const int most = std::max(1, base::log2_ceil(std::max<Bytes>(1, kit::elements(spec))));
  std::vector<Params> all;
  for (int h = 1; h <= most && h < base::log2_floor(spec.ranks()); ++h) all.push_back({{"halvings", {h}}});
  return all;
}

SchedulePtr build(const Spec& spec, const Machine& machine, const Params& params) {
  const Mixed steps = mixed(spec, params);
  const SchedulePtr swaps = kit::vector_schedule(spec, steps.rounds(), 1, {steps}, 1, base::bit(steps.halvings));
  return pattern::split_swaps(swaps, spec, machine);
}

}  // namespace

Algorithm describe() {
  return {.name = "allreduce_mixed",
          .collective = Collective::allreduce,
          .summary = "pairs of ranks halve the vector some times, then swap what is left, and gather the parts again",
          .source = "extra: between recursive halving and doubling, Rabenseifner 2004",
          .closed_form = {.startups = "n + 1", .bytes = "(n + 1) m/2", .where = "hypercube, full duplex, 2 divides m"},
          .parameters = {{.name = "halvings",
                          .meaning = "how often the vector is halved; the more, the fewer bytes and the more rounds",
                          .low = 1,
                          .high = 29}},
          .claims = claims,
          .illegal = illegal,
          .variants = variants,
          .cost = formula,
          .build = build};
}

}  // namespace quadrille::algorithm::allreduce_mixed
