// Small pure pieces that several algorithm files share.
#pragma once

#include <fmt/format.h>

#include <string>
#include <vector>

#include "base/integer.hpp"
#include "quadrille/algorithm.hpp"
#include "schedule/combine.hpp"
#include "topology/crossbar.hpp"
#include "topology/hypercube.hpp"
#include "topology/ring.hpp"

namespace quadrille {

/// The topology as a member of one family, or null.
template <class Family>
const Family* as(const Spec& spec) {
  return dynamic_cast<const Family*>(spec.topology.get());
}

inline int dimension(const Spec& spec) { return as<Hypercube>(spec)->dimension(); }

/// "needs a hypercube, and ring:6 is not one" or empty; `least` dimensions are what it names as nearest.
std::string needs_hypercube(const Spec& spec, int least = 1);
/// Empty when ports == all.
std::string needs_all_ports(const Machine& machine);

/// Rounds, bytes and hops with one message per link and every message to a neighbour.
inline Cost neighbour_cost(std::int64_t rounds, Bytes bytes) {
  return {.startups = rounds, .hops = rounds, .bytes = bytes};
}
/// The same, with bytes that a rank rearranges or packs.
inline Cost neighbour_cost(std::int64_t rounds, Bytes bytes, Bytes permuted, Bytes packed) {
  return {.startups = rounds, .hops = rounds, .bytes = bytes, .permuted = permuted, .packed = packed};
}

/// For algorithms without parameters.
inline std::vector<Params> one_variant(const Spec&, const Machine&) { return {Params{}}; }
inline Claims all_claims(const Spec&, const Machine&, const Params&) { return {}; }

inline bool half_duplex(const Machine& m) { return m.duplex != Duplex::full; }
/// half_split on half-duplex machines, the schedule itself on full-duplex ones.
SchedulePtr split_if_half(SchedulePtr schedule, const Spec& spec, const Machine& machine);

/// Start-up of one message to a neighbour on this machine.
Seconds neighbour_startup(const Spec& spec, const Machine& machine);

}  // namespace quadrille
