#include "collective/prefixes.hpp"

#include <fmt/format.h>

namespace quadrille::collective {

PortNeed Prefixes::port(const Spec& spec) const {
  const Bytes moved = spec.ranks() > 1 ? spec.bytes : 0;
  return {spec.ranks() > 2 ? moved : 0, moved, PortNeed::Whose::best};
}

Accesses Prefixes::accesses(const Spec& spec) const {
  const Rank p = spec.ranks();
  const Bytes all = all_others(spec), own = p > 1 ? spec.bytes : 0;
  return {p - 1, p - 1, all, all, own, p > 2 ? own : 0};  // of two ranks one sends and the other one receives
}

std::string Prefixes::need(const Spec&, const std::string& size, const std::string& ranks) const {
  return fmt::format("each of {} ranks to get the vectors of {} of {}, combined", ranks, size, whose_);
}

}  // namespace quadrille::collective
