// The alternate direction exchange with its dimensions in either order. Run backwards, the order that ends with the
// lowest dimension swaps runs of blocks; the other one begins with it, so that contributions meet in rank order.
#include "algorithm/kit/duality.hpp"
#include "algorithm/pattern/exchange.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"

namespace quadrille::algorithm::reduce_scatter {

namespace {

class Halves final : public Schedule {
 public:
  Halves(int dimension, Bytes bytes, bool far)
      : far_(far),
        shape_{
            .ranks = base::bit(dimension), .rounds = dimension, .out = base::bit(dimension), .cut = {.bytes = bytes}} {}
  const Shape& shape() const override { return shape_; }
  void step(Round t, Rank r, Steps& out) const override {
    const Rank peer = r ^ base::bit(static_cast<int>(far_ ? t : shape_.rounds - 1 - t));
    out.send(peer, Buffer::out, held(t, r));
    out.recv(peer, Buffer::out, held(t, peer));
  }
  Symmetry symmetry() const override { return {Group::xor_all, false}; }

 private:
  /// Ranks that agree with r in the dimensions not yet exchanged.
  Slots held(Round t, Rank r) const {
    const Slot count = base::bit(static_cast<int>(t)), apart = shape_.ranks / count;
    return far_ ? contiguous(r & -count, count) : Slots{r % apart, 1, apart, count};
  }
  bool far_;
  Shape shape_;
};

bool is_far(const Params& params) { return params.get("far", 0) == 1; }
int halved_dimension(const Spec& spec) { return base::log2_floor(spec.ranks()); }

bool near_first(const Spec&, const Machine&, const Params& params) { return !is_far(params); }

}  // namespace

Algorithm by_halves(Collective collective, const kit::Description& description) {
  Algorithm algorithm = kit::dual_of<halves_base, kit::combined_all_others, near_first>(collective, description);
  static const Algorithm dual = algorithm;
  algorithm.claims = [](const Spec& spec, const Machine& machine, const Params& params) {
    Claims claims = dual.claims(spec, machine, params);
    claims.canonical = claims.in_order;
    return claims;
  };
  algorithm.variants = [](const Spec& spec, const Machine&) {
    const Params near{{"far", {0}}}, far{{"far", {1}}};
    if (spec.operands == Operands::ordered || spec.canonical) return std::vector{near};
    return spec.collective == Collective::reduce_scatter ? std::vector{near, far} : std::vector{far, near};
  };
  return algorithm;
}

Algorithm halves_base() {
  return {.name = "allgather_halves",
          .collective = Collective::allgather,
          .summary = "pairs that differ in one bit swap all that they hold, bit after bit",
          .source = "Saad & Schultz 1985, eq. (4.3)",
          .closed_form = {.where = "hypercube"},
          .parameters = {{.name = "far",
                          .meaning = "0: neighbours first, whose contributions keep rank order; 1: halves of the "
                                     "vector first, which are runs of memory",
                          .low = 0,
                          .high = 1}},
          .claims = kit::all_claims,
          .illegal = [](const Spec& s, const Machine&, const Params&) { return pattern::needs_bit_pairs(s); },
          .variants =
              [](const Spec&, const Machine&) {
                return std::vector<Params>{{{"far", {0}}}, {{"far", {1}}}};
              },
          .cost =
              [](const Spec& s, const Machine& m, const Params&) {
                const int rounds = pattern::rounds_of_swap(s, m);
                return kit::over_network(
                    s, kit::neighbour_cost(rounds * halved_dimension(s), rounds * (s.ranks() - 1) * s.bytes));
              },
          .build =
              [](const Spec& s, const Machine& m, const Params& p) {
                return pattern::split_swaps(std::make_shared<Halves>(halved_dimension(s), s.bytes, is_far(p)), s, m);
              }};
}

}  // namespace quadrille::algorithm::reduce_scatter
