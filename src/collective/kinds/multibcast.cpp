// Some ranks' messages to all, of any lengths: the s-to-p broadcast of Hambrusch, Khokhar & Liu (1995).
#include <fmt/format.h>

#include <cmath>

#include "base/integer.hpp"
#include "base/text.hpp"
#include "collective/traits.hpp"
#include "quadrille/sources.hpp"

namespace quadrille::collective::multibcast {

namespace {

class Multibcast final : public Traits {
 public:
  Multibcast()
      : Traits({.name = "multibcast",
                .papers = "s-to-p-broadcast",
                .line = "some ranks' messages to all (s-to-p broadcast)",
                .flow = Flow::some_to_all,
                .sources = true,
                .calls = {"allgatherv"}}) {}

  void check(Spec& spec) const override {
    if (!spec.sources)
      throw Error(Error::Kind::argument, "multibcast: the sources are missing; expected such as 0,3,5 or R(10)");
    for (const Rank r : {spec.sources->ranks.front(), spec.sources->ranks.back()})
      if (r < 0 || r >= spec.ranks())
        throw Error(Error::Kind::argument,
                    fmt::format("source {}: {} has ranks 0 .. {}", r, spec.topology->text(), spec.ranks() - 1));
    spec.bytes = 0;
    for (Slot i = 0; i < spec.sources->count(); ++i) spec.bytes = std::max(spec.bytes, spec.sources->bytes(i));
  }
  /// About as many sources as a square of the ranks has sides.
  void complete(Spec& spec) const override {
    const auto few = static_cast<Slot>(std::sqrt(static_cast<double>(spec.ranks())));
    spec.sources = parse_sources(fmt::format("E({})", std::min<Slot>(few, 1000)), *spec.topology, spec.bytes);
  }
  Bytes volume(const Spec& spec) const override { return base::checked_multiply(spec.ranks(), all(spec), "bytes"); }
  Spec placed(const Spec& spec, const std::function<Rank(Rank)>& node) const override {
    Spec on = Traits::placed(spec, node);
    std::vector<std::pair<Rank, Bytes>> sources;
    for (Slot i = 0; i < spec.sources->count(); ++i)
      sources.emplace_back(node(spec.sources->ranks[static_cast<std::size_t>(i)]), spec.sources->bytes(i));
    on.sources = make_sources(std::move(sources));
    return on;
  }

  BlockNames names(const Spec& spec) const override { return {BlockKind::plain, spec.sources->count()}; }
  Slot blocks(const Spec& spec, Buffer buffer, Rank) const override {
    return buffer == Buffer::in ? 0 : spec.sources->count();
  }
  Slot before(const Spec& spec, Buffer, Rank r, Slot index) const override {
    return source(spec, index) == r ? index : no_block;
  }
  Slot after(const Spec&, Rank, Slot index) const override { return index; }
  Bytes offset(const Spec& spec, Slot index) const override {
    return spec.sources->offset[static_cast<std::size_t>(index)];
  }
  std::string block_text(const Spec& spec, Slot block) const override {
    return fmt::format("block of source {} (rank {})", block, source(spec, block));
  }

  int farthest(const Spec& spec) const override {
    int far = 0;
    for (Slot i = 0; i < spec.sources->count(); ++i)
      if (spec.sources->bytes(i) > 0) far = std::max(far, reach(*spec.topology, source(spec, i)));
    return far;
  }
  PortNeed port(const Spec& spec) const override {
    if (spec.sources->count() < spec.ranks()) return {all(spec), 0};
    // Every rank sends its own block and receives the others, but which rank has the largest block is open.
    return {.in = all(spec) - spec.bytes, .together = all(spec)};
  }
  Crossings crossings(const Spec& spec) const override {
    return {base::checked_multiply(spec.ranks() - 1, all(spec), "bytes to deliver"), 1};
  }
  Accesses accesses(const Spec& spec) const override {
    const Bytes own = spec.sources->count() < spec.ranks() ? 0 : spec.bytes;  // of the rank that reads most, at most
    const Rank writers = spec.sources->givers();
    return {writers,   writers == 1 ? spec.ranks() - 1 : spec.ranks(),
            all(spec), base::checked_multiply(spec.ranks() - 1, all(spec), "bytes through the medium"),
            own,       all(spec) - own};
  }

  std::string need(const Spec& spec, const std::string& size, const std::string& ranks) const override {
    return fmt::format("{} of {} ranks to send {} each to all", base::format_count(spec.sources->count()), ranks, size);
  }
  std::string who(const Spec& spec) const override {
    const Slot count = spec.sources->count();
    return fmt::format(" from {} source{}", base::format_count(count), count == 1 ? "" : "s");
  }

 private:
  static Bytes all(const Spec& spec) { return spec.sources->offset.back(); }
  static Rank source(const Spec& spec, Slot index) { return spec.sources->ranks[static_cast<std::size_t>(index)]; }
};

}  // namespace

const Traits& describe() {
  static const Multibcast traits;
  return traits;
}

}  // namespace quadrille::collective::multibcast
