// Every rank has a block for every other: the complete exchange.
#include <fmt/format.h>

#include "base/integer.hpp"
#include "collective/traits.hpp"

namespace quadrille::collective::alltoall {

namespace {

class Alltoall final : public Traits {
 public:
  Alltoall()
      : Traits({.name = "alltoall",
                .papers = "complete-exchange",
                .line = "every rank has a block for every other (complete exchange, transposition, multiscatter)",
                .flow = Flow::all_to_all,
                .calls = {"alltoall", "alltoallv", "alltoallw"},
                .aliases = {"transposition"}}) {}

  std::int64_t copies(const Spec& spec) const override {
    return base::checked_multiply(spec.ranks(), spec.ranks(), "blocks");
  }

  BlockNames names(const Spec& spec) const override { return {BlockKind::pair, spec.ranks() * spec.ranks()}; }
  Slot blocks(const Spec& spec, Buffer, Rank) const override { return spec.ranks(); }
  Slot before(const Spec& spec, Buffer buffer, Rank r, Slot index) const override {
    return buffer == Buffer::in || index == r ? r * spec.ranks() + index : no_block;
  }
  Slot after(const Spec& spec, Rank r, Slot index) const override { return index * spec.ranks() + r; }

  PortNeed port(const Spec& spec) const override { return {all_others(spec), all_others(spec)}; }
  CutNeed cut(const Spec& spec, std::int64_t first, std::int64_t second) const override {
    const Bytes there = base::checked_multiply(first * second, spec.bytes, "bytes over the cut");
    return {there, there};
  }
  Crossings crossings(const Spec& spec) const override {
    const Topology& t = *spec.topology;
    if (t.least_degree() != t.degree()) return {t.sum_of_distances(), spec.bytes};
    return {static_cast<Wide>(spec.ranks()) * t.total_distance(0), spec.bytes};  // all ranks see the same network
  }
  Accesses accesses(const Spec& spec) const override {
    const Rank p = spec.ranks();
    const Bytes all = all_others(spec), moved = base::checked_multiply(p, all, "bytes through the medium");
    return {p, p, moved, moved, all, all};
  }

  std::string need(const Spec&, const std::string& size, const std::string& ranks) const override {
    return fmt::format("each of {} ranks to give every other a block of its own of {}", ranks, size);
  }
};

}  // namespace

const Traits& describe() {
  static const Alltoall traits;
  return traits;
}

}  // namespace quadrille::collective::alltoall
