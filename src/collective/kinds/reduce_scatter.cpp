// Every rank gets its block of what an operator makes of all contributions.
#include <fmt/format.h>

#include "base/integer.hpp"
#include "collective/reduction.hpp"

namespace quadrille::collective::reduce_scatter {

namespace {

class ReduceScatter final : public Reduction {
 public:
  ReduceScatter()
      : Reduction({.name = "reduce_scatter",
                   .papers = "all-to-all-reduction",
                   .line = "every rank gets its block of the vectors of all ranks, combined by an operator",
                   .flow = Flow::all_to_all,
                   .combines = true,
                   .from_all = true,
                   .calls = {"reduce_scatter", "reduce_scatter_block"}}) {}

  void check(Spec& spec) const override {
    if (spec.offsets) {
      if (std::ssize(*spec.offsets) != spec.ranks() + 1)
        throw Error(Error::Kind::argument, fmt::format("counts: expected {} of them, one for each rank; got {}",
                                                       spec.ranks(), std::ssize(*spec.offsets) - 1));
      spec.bytes = 0;
      for (Rank r = 0; r < spec.ranks(); ++r) {
        const Bytes length = offset(spec, r + 1) - offset(spec, r);
        if (length < 0 || (spec.element > 0 && length % spec.element != 0))
          throw Error(
              Error::Kind::argument,
              fmt::format("counts: the {} bytes of rank {} are no multiple of the element, {} bytes; nearest: {}",
                          length, r, spec.element, length / std::max<Bytes>(1, spec.element) * spec.element));
        spec.bytes = std::max(spec.bytes, length);
      }
      if (offset(spec, spec.ranks()) == spec.ranks() * spec.bytes) spec.offsets = nullptr;  // they do not differ
    }
    Reduction::check(spec);
  }
  /// To a rank that has a block, from anywhere.
  int farthest(const Spec& spec) const override {
    if (!spec.offsets) return Reduction::farthest(spec);
    int far = 0;
    for (Rank r = 0; r < spec.ranks(); ++r)
      if (size(spec, Buffer::out, r) > 0) far = std::max(far, reach(*spec.topology, r));
    return far;
  }
  Bytes volume(const Spec& spec) const override {
    return base::checked_multiply(spec.ranks(), offset(spec, spec.ranks()), "bytes of the whole operation");
  }
  Spec placed(const Spec& spec, const std::function<Rank(Rank)>& node) const override {
    if (spec.offsets)
      throw Error(Error::Kind::illegal,
                  "reduce_scatter: blocks of unequal lengths need ranks that are placed in order");
    return Reduction::placed(spec, node);
  }

  Slot blocks(const Spec& spec, Buffer, Rank) const override { return spec.ranks(); }
  Slot after(const Spec& spec, Rank r, Slot index) const override { return index == r ? spec.ranks() : no_block; }
  Bytes offset(const Spec& spec, Slot index) const override {
    return spec.offsets ? (*spec.offsets)[static_cast<std::size_t>(index)] : Traits::offset(spec, index);
  }
  Bytes start(const Spec& spec, Buffer buffer, Rank r) const override {
    return buffer == Buffer::out ? offset(spec, r) : 0;
  }
  Bytes size(const Spec& spec, Buffer buffer, Rank r) const override {
    return buffer == Buffer::out ? offset(spec, r + 1) - offset(spec, r) : offset(spec, spec.ranks());
  }
  Contributions wanted(const Spec& spec, Rank r, Slot label) const override {
    return label == r ? Contributions{0, spec.ranks()} : Contributions{};
  }

  PortNeed port(const Spec& spec) const override {
    // Every rank must send the blocks of all others; the one with the largest block sends least.
    const Bytes sent = offset(spec, spec.ranks()) - spec.bytes;
    return {spec.offsets || spec.ranks() == 1 ? 0 : spec.bytes, sent};
  }
  CutNeed cut(const Spec& spec, std::int64_t first, std::int64_t second) const override {
    if (spec.offsets) return {};
    return {second * spec.bytes, first * spec.bytes};
  }
  Crossings crossings(const Spec& spec) const override {
    const Slot units = spec.offsets ? offset(spec, spec.ranks()) : spec.ranks();
    return {base::checked_multiply(spec.ranks() - 1, units, "block crossings"), spec.offsets ? 1 : spec.bytes};
  }
  Accesses accesses(const Spec& spec) const override {
    const Rank p = spec.ranks();
    const Bytes all = offset(spec, p), moved = base::checked_multiply(p - 1, all, "bytes through the medium");
    return {p, p, moved, moved, all - spec.bytes, spec.offsets || p == 1 ? 0 : spec.bytes};
  }

  std::string need(const Spec& spec, const std::string& size, const std::string& ranks) const override {
    (void)spec;
    return fmt::format("each of {} ranks to get its block of {} of all ranks' vectors, combined", ranks, size);
  }
};

}  // namespace

const Traits& describe() {
  static const ReduceScatter traits;
  return traits;
}

}  // namespace quadrille::collective::reduce_scatter
