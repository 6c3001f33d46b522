// One rank collects a block from each.
#include <fmt/format.h>

#include "collective/traits.hpp"

namespace quadrille::collective::gather {

namespace {

class Gather final : public Traits {
 public:
  Gather()
      : Traits({.name = "gather",
                .papers = "all-to-one",
                .line = "one rank collects a block from each",
                .flow = Flow::all_to_one,
                .root = true,
                .calls = {"gather"}}) {}

  BlockNames names(const Spec& spec) const override { return {BlockKind::owner, spec.ranks()}; }
  Slot blocks(const Spec& spec, Buffer buffer, Rank r) const override {
    if (buffer == Buffer::in) return r == spec.root ? 0 : 1;
    return r == spec.root ? spec.ranks() : 0;
  }
  Slot before(const Spec&, Buffer buffer, Rank r, Slot index) const override {
    return buffer == Buffer::in || index == r ? r : no_block;
  }
  Slot after(const Spec&, Rank, Slot index) const override { return index; }

  int farthest(const Spec& spec) const override { return reach(*spec.topology, spec.root); }
  PortNeed port(const Spec& spec) const override { return {all_others(spec), 0, PortNeed::Whose::root}; }
  CutNeed cut(const Spec& spec, std::int64_t first, std::int64_t) const override { return {first * spec.bytes, 0}; }
  Crossings crossings(const Spec& spec) const override {
    return {spec.topology->total_distance(spec.root), spec.bytes};
  }
  Accesses accesses(const Spec& spec) const override {
    const Bytes all = all_others(spec);
    return {spec.ranks() - 1, 1, all, all, 0, all};
  }

  std::string need(const Spec& spec, const std::string& size, const std::string& ranks) const override {
    return fmt::format("rank {} to collect a block of {} from each of {} ranks", spec.root, size, ranks);
  }
  std::string who(const Spec& spec) const override { return fmt::format(" to {}", spec.root); }
};

}  // namespace

const Traits& describe() {
  static const Gather traits;
  return traits;
}

}  // namespace quadrille::collective::gather
