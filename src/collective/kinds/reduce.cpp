// One rank gets what an operator makes of all contributions.
#include <fmt/format.h>

#include "base/integer.hpp"
#include "collective/reduction.hpp"

namespace quadrille::collective::reduce {

namespace {

class Reduce final : public Reduction {
 public:
  Reduce()
      : Reduction({.name = "reduce",
                   .papers = "all-to-one-reduction",
                   .line = "one rank gets the vectors of all ranks, combined by an operator (reduction to one)",
                   .flow = Flow::all_to_one,
                   .root = true,
                   .whole = true,
                   .combines = true,
                   .from_all = true,
                   .calls = {"reduce"}}) {}

  int farthest(const Spec& spec) const override { return reach(*spec.topology, spec.root); }
  PortNeed port(const Spec& spec) const override {
    const Bytes moved = spec.ranks() > 1 ? spec.bytes : 0;
    return {moved, 0, PortNeed::Whose::root};
  }
  CutNeed cut(const Spec& spec, std::int64_t, std::int64_t) const override { return {spec.bytes, 0}; }
  Crossings crossings(const Spec& spec) const override { return {spec.ranks() - 1, spec.bytes}; }
  Accesses accesses(const Spec& spec) const override {
    const Bytes all = all_others(spec), own = spec.ranks() > 1 ? spec.bytes : 0;
    return {spec.ranks() - 1, 1, all, all, 0, own};
  }

  std::string need(const Spec& spec, const std::string& size, const std::string& ranks) const override {
    return fmt::format("rank {} to get the vectors of {} of all {} ranks, combined", spec.root, size, ranks);
  }
  std::string who(const Spec& spec) const override { return fmt::format(" to {}", spec.root); }

 protected:
  bool has_result(const Spec& spec, Rank r) const override { return r == spec.root; }
};

}  // namespace

const Traits& describe() {
  static const Reduce traits;
  return traits;
}

}  // namespace quadrille::collective::reduce
