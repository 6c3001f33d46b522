// One rank's message to all.
#include <fmt/format.h>

#include "collective/traits.hpp"

namespace quadrille::collective::bcast {

namespace {

class Bcast final : public Traits {
 public:
  Bcast()
      : Traits({.name = "bcast",
                .papers = "broadcast",
                .line = "one rank's message to all (one-to-all, broadcast)",
                .flow = Flow::one_to_all,
                .root = true,
                .whole = true,
                .calls = {"bcast"}}) {}

  BlockNames names(const Spec&) const override { return {BlockKind::plain, 1}; }
  Slot blocks(const Spec&, Buffer buffer, Rank) const override { return buffer == Buffer::in ? 0 : 1; }
  Slot before(const Spec& spec, Buffer, Rank r, Slot) const override { return r == spec.root ? 0 : no_block; }
  Slot after(const Spec&, Rank, Slot) const override { return 0; }

  int farthest(const Spec& spec) const override { return reach(*spec.topology, spec.root); }
  PortNeed port(const Spec& spec) const override { return {spec.bytes, 0}; }
  CutNeed cut(const Spec& spec, std::int64_t, std::int64_t) const override { return {spec.bytes, 0}; }
  Crossings crossings(const Spec& spec) const override { return {spec.ranks() - 1, spec.bytes}; }
  Accesses accesses(const Spec& spec) const override {
    return {1, spec.ranks() - 1, spec.bytes, all_others(spec), 0, spec.bytes};
  }

  std::string need(const Spec& spec, const std::string& size, const std::string& ranks) const override {
    return fmt::format("rank {} to send the same {} to all {} ranks", spec.root, size, ranks);
  }
  std::string who(const Spec& spec) const override { return fmt::format(" from {}", spec.root); }
};

}  // namespace

const Traits& describe() {
  static const Bcast traits;
  return traits;
}

}  // namespace quadrille::collective::bcast
