// Matrix transposition by alternate directions: along each dimension every rank sends its neighbour the blocks whose
// destination lies on the neighbour's side, always half of all. The printed version complements one index only and does
// not transpose; here, as it must, both are.
//
// A block's position at its holder has the source's bits below dimension j and the destination's from j on; swapping
// along j complements bit j of the position. Blocks never return to a place that is read: those which have arrived land
// in `out` at their position, which then is the source; others in region j of tmp, at the position without bit j. The
// blocks that rank x sends in dimension j thus come from `in` (never moved: bits below j are x's) and, for each
// dimension k < j, from region k (moved last along k: bit k is not x's, bits between k and j are, bits below k any).
#include "algorithm/alltoall/shared/mtadea.hpp"

#include "algorithm/kit/support.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoall_mtadea {

namespace {

class Mtadea final : public Schedule {
 public:
  Mtadea(int dimension, Bytes bytes) : n_(dimension), half_(base::bit(dimension) / 2) {
    const Rank p = base::bit(n_);
    shape_ = {.ranks = p, .rounds = n_, .in = p, .out = p, .tmp = (n_ - 1) * half_, .cut = {.bytes = bytes}};
  }
  const Shape& shape() const override { return shape_; }
  Symmetry symmetry() const override { return {Group::xor_all, false}; }

  void step(Round t, Rank r, Steps& out) const override {
    const int j = static_cast<int>(t);
    const Rank peer = r ^ base::bit(j);
    const Slot low = r & (base::bit(j) - 1), upper = base::bit(n_ - 1 - j);  // upper: values of the bits above j
    out.send(peer, Buffer::in, {peer & (2 * base::bit(j) - 1), 1, 2 * base::bit(j), upper});
    receive(j, r, low, 1, out);
    for (int k = 0; k < j; ++k) {
      const Slot start = (low ^ base::bit(k)) & -base::bit(k);  // bits below j of the first block of the group
      const Slot flipped = start | (peer & base::bit(j));
      out.send(peer, Buffer::tmp, {k * half_ + drop(flipped, k), base::bit(k), base::bit(j), base::bit(k) * upper});
      receive(j, r, start, base::bit(k), out);
    }
  }

  Slot twist(Round, Buffer buffer, Slot first, Rank by) const override {
    return buffer == Buffer::tmp ? drop(by, static_cast<int>(first / half_)) : by;
  }

 private:
  static Slot drop(Slot position, int k) { return (position >> (k + 1) << k) | (position & (base::bit(k) - 1)); }

  /// `run` blocks from `start` below bit j, for every value of the bits above: where these are r's the blocks arrived.
  void receive(int j, Rank r, Slot start, Slot run, Steps& out) const {
    const Rank peer = r ^ base::bit(j);
    const Slot own = r >> (j + 1), upper = base::bit(n_ - 1 - j), first = j * half_ + start;
    out.recv(peer, Buffer::tmp, {first, run, base::bit(j), run * own});
    out.recv(peer, Buffer::out, contiguous((peer & -base::bit(j)) | start, run));
    out.recv(peer, Buffer::tmp, {first + (own + 1) * base::bit(j), run, base::bit(j), run * (upper - own - 1)});
  }

  int n_;
  Slot half_;
  Shape shape_;
};

/// A switch of 2^n ranks serves as a cube: each dimension is one permutation.
TopologyPtr cube(const Spec& spec) {
  if (kit::is_cube(spec)) return spec.topology;
  return kit::is_switch(spec) && base::is_power_of_two(spec.ranks())
             ? parse_topology(fmt::format("hypercube:{}", base::log2_floor(spec.ranks())))
             : nullptr;
}

/// Whether partners cannot send to each other at once. The wires of an Omega network have one direction anyway.
bool splits(const Spec& spec, const Machine& machine) {
  return kit::half_duplex(machine) &&
         (spec.topology->direct() || machine.ports == Ports::one || machine.duplex == Duplex::node_half);
}

std::string refusal(const Spec& spec, const Machine&, const Params&) {
  if (cube(spec)) return {};
  const int below = std::max(1, base::log2_floor(spec.ranks()));
  return fmt::format("needs a hypercube, or a switch of 2^n ranks, and {} is neither; nearest: {}:{}",
                     spec.topology->text(), kit::has_own_wires(spec) ? "crossbar" : "hypercube",
                     kit::has_own_wires(spec) ? base::bit(below) : below);
}

}  // namespace

Bytes mtadea_packed(int dimension, Bytes bytes) {
  if (dimension == 1) return 0;  // one block, to its place
  return base::checked_multiply(dimension, base::checked_multiply(base::bit(dimension), bytes, "bytes packed"),
                                "bytes packed");
}

SchedulePtr mtadea_schedule(int dimension, Bytes bytes) { return std::make_shared<Mtadea>(dimension, bytes); }

Algorithm describe() {
  return {.name = "alltoall_mtadea",
          .collective = Collective::alltoall,
          .summary = "transposition by alternate directions: along each dimension half of all blocks are swapped",
          .source = "Saad & Schultz 1985, sec. 6, t_MTADEA (corrected); 1986, T_5H, T_5S (corrected)",
          .closed_form = {.startups = "n", .bytes = "n P/2 m", .where = "hypercube, full duplex"},
          .parameters = {},
          .claims = kit::all_claims,
          .illegal = refusal,
          .variants = kit::one_variant,
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const std::int64_t rounds = (splits(s, m) ? 2 : 1) * base::log2_floor(s.ranks());
                const Bytes bytes = base::checked_multiply(rounds, s.ranks() / 2 * s.bytes, "bytes");
                return kit::over_network(
                    s, kit::neighbour_cost(rounds, bytes, 0,
                                           alltoall_mtadea::mtadea_packed(base::log2_floor(s.ranks()), s.bytes)));
              },
          .build =
              [](const Spec& s, const Machine& m, const Params&) {
                const SchedulePtr full = alltoall_mtadea::mtadea_schedule(base::log2_floor(s.ranks()), s.bytes);
                return splits(s, m) ? schedule::half_split(full, cube(s)) : full;
              }};
}

}  // namespace quadrille::algorithm::alltoall_mtadea
