#include "collective/traits.hpp"

#include <fmt/format.h>

#include "base/integer.hpp"

namespace quadrille::collective {

Bytes Traits::volume(const Spec& spec) const {
  return base::checked_multiply(copies(spec), spec.bytes, "bytes of the whole operation");
}

Spec Traits::placed(const Spec& spec, const std::function<Rank(Rank)>& node) const {
  Spec on = spec;
  on.root = node(spec.root);
  if (spec.target >= 0) on.target = node(spec.target);
  return on;
}

std::string Traits::block_text(const Spec& spec, Slot block) const {
  const BlockNames all = names(spec);
  switch (all.kind) {
    case BlockKind::pair:
      return fmt::format("block {}->{}", block / spec.ranks(), block % spec.ranks());
    case BlockKind::owner:
      return fmt::format("block of rank {}", block);
    case BlockKind::plain:
      break;
  }
  return "the message";
}

std::pair<Bytes, Bytes> lengths(const Spec& s) {
  Bytes least = s.bytes;
  for (Slot i = 0; s.sources && i < s.sources->count(); ++i) least = std::min(least, s.sources->bytes(i));
  for (std::size_t i = 1; s.offsets && i < s.offsets->size(); ++i)
    least = std::min(least, (*s.offsets)[i] - (*s.offsets)[i - 1]);
  if (s.demands)
    for (const Demand& pair : s.demands->pairs) least = std::min(least, pair.bytes);
  return {least, s.bytes};
}

Bytes all_others(const Spec& spec) { return base::checked_multiply(spec.ranks() - 1, spec.bytes, "bytes of a rank"); }

int reach(const Topology& topology, Rank r) { return topology.distance(r, topology.farthest(r)); }

}  // namespace quadrille::collective
