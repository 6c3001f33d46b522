// Every rank's block to all.
#include <fmt/format.h>

#include "base/integer.hpp"
#include "collective/traits.hpp"

namespace quadrille::collective::allgather {

namespace {

class Allgather final : public Traits {
 public:
  Allgather()
      : Traits({.name = "allgather",
                .papers = "all-to-all-broadcast",
                .line = "every rank's block to all (all-to-all broadcast)",
                .flow = Flow::all_to_all,
                .calls = {"allgather", "allgatherv"}}) {}

  BlockNames names(const Spec& spec) const override { return {BlockKind::owner, spec.ranks()}; }
  Slot blocks(const Spec& spec, Buffer buffer, Rank) const override { return buffer == Buffer::in ? 0 : spec.ranks(); }
  Slot before(const Spec&, Buffer, Rank r, Slot index) const override { return index == r ? r : no_block; }
  Slot after(const Spec&, Rank, Slot index) const override { return index; }

  PortNeed port(const Spec& spec) const override { return {all_others(spec), spec.bytes}; }
  CutNeed cut(const Spec& spec, std::int64_t first, std::int64_t second) const override {
    return {second * spec.bytes, first * spec.bytes};
  }
  Crossings crossings(const Spec& spec) const override {
    return {base::checked_multiply(spec.ranks(), spec.ranks() - 1, "block crossings"), spec.bytes};
  }
  Accesses accesses(const Spec& spec) const override {
    const Rank p = spec.ranks();
    return {p,
            p,
            volume(spec),
            base::checked_multiply(p, all_others(spec), "bytes through the medium"),
            spec.bytes,
            all_others(spec)};
  }

  std::string need(const Spec&, const std::string& size, const std::string& ranks) const override {
    return fmt::format("each of {} ranks to give its block of {} to all", ranks, size);
  }
};

}  // namespace

const Traits& describe() {
  static const Allgather traits;
  return traits;
}

}  // namespace quadrille::collective::allgather
