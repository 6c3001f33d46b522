// One rank sends a message to another.
#include <fmt/format.h>

#include "collective/traits.hpp"

namespace quadrille::collective::sendrecv {

namespace {

class Sendrecv final : public Traits {
 public:
  Sendrecv()
      : Traits({.name = "sendrecv",
                .papers = "one-to-one",
                .line = "one rank sends a message to another (one-to-one)",
                .flow = Flow::pairs,
                .root = true,
                .target = true,
                .whole = true}) {}

  void check(Spec& spec) const override {
    if (spec.ranks() < 2)
      throw Error(Error::Kind::argument,
                  fmt::format("sendrecv needs two ranks, and {} has one", spec.topology->text()));
    if (spec.target == -1) spec.target = spec.topology->farthest(spec.root);
    if (spec.target < 0 || spec.target >= spec.ranks())
      throw Error(Error::Kind::argument,
                  fmt::format("target {}: {} has ranks 0 .. {}", spec.target, spec.topology->text(), spec.ranks() - 1));
    if (spec.target == spec.root)
      throw Error(Error::Kind::argument, fmt::format("target {}: it is the source; name another rank", spec.target));
  }

  BlockNames names(const Spec&) const override { return {BlockKind::plain, 1}; }
  Slot blocks(const Spec& spec, Buffer buffer, Rank r) const override {
    return r == (buffer == Buffer::in ? spec.root : spec.target) ? 1 : 0;
  }
  Slot before(const Spec&, Buffer buffer, Rank, Slot) const override { return buffer == Buffer::in ? 0 : no_block; }
  Slot after(const Spec&, Rank, Slot) const override { return 0; }

  std::vector<Demand> pairs(const Spec& spec) const override { return {{spec.root, spec.target, spec.bytes}}; }

  int farthest(const Spec& spec) const override { return spec.topology->distance(spec.root, spec.target); }
  PortNeed port(const Spec& spec) const override { return {spec.bytes, 0, PortNeed::Whose::ends}; }
  Crossings crossings(const Spec& spec) const override { return {farthest(spec), spec.bytes}; }
  Accesses accesses(const Spec& spec) const override { return {1, 1, spec.bytes, spec.bytes, spec.bytes, 0}; }

  std::string need(const Spec& spec, const std::string& size, const std::string&) const override {
    return fmt::format("rank {} to send {} to rank {}", spec.root, size, spec.target);
  }
  std::string who(const Spec& spec) const override { return fmt::format(" from {} to {}", spec.root, spec.target); }
};

}  // namespace

const Traits& describe() {
  static const Sendrecv traits;
  return traits;
}

}  // namespace quadrille::collective::sendrecv
