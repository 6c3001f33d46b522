#include "collective/reduction.hpp"

#include <fmt/format.h>

namespace quadrille::collective {

void Reduction::check(Spec& spec) const {
  if (spec.element < 1)
    throw Error(Error::Kind::argument, fmt::format("element {}: an element has 1 or more bytes", spec.element));
  if (spec.bytes % spec.element != 0)
    throw Error(Error::Kind::argument,
                fmt::format("bytes {}: expected a multiple of the element, {} bytes; nearest: {}", spec.bytes,
                            spec.element, spec.bytes / spec.element * spec.element));
}

Spec Reduction::placed(const Spec& spec, const std::function<Rank(Rank)>& node) const {
  for (Rank r = 0; by_rank(spec) && r < spec.ranks(); ++r)
    if (node(r) != r)
      throw Error(Error::Kind::illegal,
                  fmt::format("{}: contributions are taken in the order of ranks, and rank {} is on node {} of {}; "
                              "place ranks in order",
                              facts().name, r, node(r), spec.topology->text()));
  return Traits::placed(spec, node);
}

std::string Reduction::block_text(const Spec& spec, Slot block) const {
  return block == spec.ranks() ? "the result" : fmt::format("the contribution of rank {}", block);
}

}  // namespace quadrille::collective
