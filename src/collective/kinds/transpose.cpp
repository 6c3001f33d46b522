// Rank (i, j) of a square sends its block to rank (j, i).
#include <fmt/format.h>

#include "base/integer.hpp"
#include "collective/traits.hpp"

namespace quadrille::collective::transpose {

namespace {

class Transpose final : public Traits {
 public:
  Transpose()
      : Traits({.name = "transpose",
                .papers = "block-transposition-2d",
                .line = "rank (i,j) of a square sends its block to rank (j,i) (transposition of a matrix of blocks)",
                .flow = Flow::pairs}) {}

  void check(Spec& spec) const override {
    const Rank p = spec.ranks(), side = base::nearest_root(p);
    if (side * side == p) return;
    throw Error(Error::Kind::argument,
                fmt::format("transpose: {} has {} ranks, which form no square; nearest: {} ranks",
                            spec.topology->text(), p, std::max<Rank>(4, side * side)));
  }
  Spec placed(const Spec& spec, const std::function<Rank(Rank)>&) const override {
    throw Error(Error::Kind::illegal,
                fmt::format("transpose: ranks are not in order on {}, and who is across the diagonal of ranks is not "
                            "across that of nodes; use alltoall, or place ranks in order",
                            spec.topology->text()));
  }

  BlockNames names(const Spec& spec) const override { return {BlockKind::owner, spec.ranks()}; }
  Slot blocks(const Spec&, Buffer, Rank) const override { return 1; }
  Slot before(const Spec& spec, Buffer buffer, Rank r, Slot) const override {
    return buffer == Buffer::in || transposed(spec, r) == r ? r : no_block;
  }
  Slot after(const Spec& spec, Rank r, Slot) const override { return transposed(spec, r); }

  std::vector<Demand> pairs(const Spec& spec) const override {
    std::vector<Demand> all;
    for (Rank r = 0; r < spec.ranks(); ++r)
      if (const Rank to = transposed(spec, r); to != r) all.push_back({r, to, spec.bytes});
    return all;
  }

  int farthest(const Spec& spec) const override {
    int far = 0;
    for (Rank r = 0; r < std::min(spec.ranks(), many); ++r) far = std::max(far, across(spec, r));
    return far;
  }
  PortNeed port(const Spec& spec) const override {
    const Bytes moved = spec.ranks() > 1 ? spec.bytes : 0;
    return {moved, moved, PortNeed::Whose::best};
  }
  Crossings crossings(const Spec& spec) const override {
    Wide count = 0;
    for (Rank r = 0; r < std::min(spec.ranks(), many); ++r) count += across(spec, r);
    return {count, spec.bytes};
  }
  Accesses accesses(const Spec& spec) const override {
    const Rank movers = spec.ranks() - base::nearest_root(spec.ranks());
    const Bytes moved = base::checked_multiply(movers, spec.bytes, "bytes through the medium");
    return {movers, movers, moved, moved, spec.bytes, spec.bytes};
  }

  std::string need(const Spec&, const std::string& size, const std::string& ranks) const override {
    return fmt::format("{} ranks in a square to swap blocks of {} across its diagonal", ranks, size);
  }

 private:
  static int across(const Spec& spec, Rank r) { return spec.topology->distance(r, transposed(spec, r)); }
};

}  // namespace

const Traits& describe() {
  static const Transpose traits;
  return traits;
}

}  // namespace quadrille::collective::transpose
