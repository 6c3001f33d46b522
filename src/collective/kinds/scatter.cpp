// One rank gives each its own block.
#include <fmt/format.h>

#include "collective/traits.hpp"

namespace quadrille::collective::scatter {

namespace {

class Scatter final : public Traits {
 public:
  Scatter()
      : Traits({.name = "scatter",
                .papers = "one-to-all-personalised",
                .line = "one rank gives each its own block",
                .flow = Flow::one_to_all,
                .root = true,
                .calls = {"scatter"}}) {}

  BlockNames names(const Spec& spec) const override { return {BlockKind::owner, spec.ranks()}; }
  Slot blocks(const Spec& spec, Buffer buffer, Rank r) const override {
    if (buffer == Buffer::in) return r == spec.root ? spec.ranks() : 0;
    return 1;
  }
  Slot before(const Spec& spec, Buffer buffer, Rank r, Slot index) const override {
    return buffer == Buffer::in ? index : r == spec.root ? r : no_block;
  }
  Slot after(const Spec&, Rank r, Slot) const override { return r; }

  int farthest(const Spec& spec) const override { return reach(*spec.topology, spec.root); }
  PortNeed port(const Spec& spec) const override { return {0, all_others(spec), PortNeed::Whose::root}; }
  CutNeed cut(const Spec& spec, std::int64_t first, std::int64_t) const override { return {first * spec.bytes, 0}; }
  Crossings crossings(const Spec& spec) const override {
    return {spec.topology->total_distance(spec.root), spec.bytes};
  }
  Accesses accesses(const Spec& spec) const override {
    const Bytes all = all_others(spec);
    return {1, spec.ranks() - 1, all, all, all, 0};
  }

  std::string need(const Spec& spec, const std::string& size, const std::string& ranks) const override {
    return fmt::format("rank {} to give each of {} ranks a block of its own of {}", spec.root, ranks, size);
  }
  std::string who(const Spec& spec) const override { return fmt::format(" from {}", spec.root); }
};

}  // namespace

const Traits& describe() {
  static const Scatter traits;
  return traits;
}

}  // namespace quadrille::collective::scatter
