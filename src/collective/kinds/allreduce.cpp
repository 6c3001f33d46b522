// All ranks get what an operator makes of all contributions.
#include <fmt/format.h>

#include "base/integer.hpp"
#include "collective/reduction.hpp"

namespace quadrille::collective::allreduce {

namespace {

class Allreduce final : public Reduction {
 public:
  Allreduce()
      : Reduction({.name = "allreduce",
                   .papers = "reduction-to-all",
                   .line = "all ranks get the vectors of all ranks, combined by an operator (reduction to all)",
                   .flow = Flow::all_to_all,
                   .whole = true,
                   .same_result = true,
                   .combines = true,
                   .calls = {"allreduce"}}) {}

  PortNeed port(const Spec& spec) const override {
    const Bytes moved = spec.ranks() > 1 ? spec.bytes : 0;
    return {moved, moved};
  }
  CutNeed cut(const Spec& spec, std::int64_t, std::int64_t) const override { return {spec.bytes, spec.bytes}; }
  /// The first rank that has an element's result is preceded by a send of each other rank, and each of these receives
  /// afterwards. [docs/how-it-works/prices.md]
  Crossings crossings(const Spec& spec) const override { return {2 * (spec.ranks() - 1), spec.bytes}; }
  Accesses accesses(const Spec& spec) const override {
    const Rank p = spec.ranks();
    const Bytes own = p > 1 ? spec.bytes : 0;
    return {p,
            p,
            p > 1 ? base::checked_multiply(p, spec.bytes, "bytes through the medium") : 0,
            base::checked_multiply(2, all_others(spec), "bytes through the medium"),
            own,
            own};
  }

  std::string need(const Spec& spec, const std::string& size, const std::string& ranks) const override {
    (void)spec;
    return fmt::format("all {} ranks to combine their vectors of {} and get the result", ranks, size);
  }
};

}  // namespace

const Traits& describe() {
  static const Allreduce traits;
  return traits;
}

}  // namespace quadrille::collective::allreduce
