// Small pure pieces that several algorithm files share.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/integer.hpp"
#include "quadrille/algorithm.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::kit {

/// The mesh or torus that the network is, or null. Whoever looks into it includes topology/grid.hpp.
inline const topology::Grid* grid(const Spec& spec) { return spec.topology->structure().grid; }
/// Dimensions of the hypercube that the network is; 0 where it is none.
inline int dimension(const Spec& spec) { return spec.topology->structure().cube; }
inline bool is_cube(const Spec& spec) { return dimension(spec) > 0; }
inline bool is_ring(const Spec& spec) { return spec.topology->structure().ring; }
inline bool has_lines(const Spec& spec) { return is_ring(spec) || grid(spec) != nullptr; }
/// A crossbar: every pair of ranks has a wire of its own.
inline bool has_own_wires(const Spec& spec) { return !spec.topology->contended(); }
/// Any rank is one message away: through a private wire, or through an Omega network or a butterfly that passes the
/// shifts used.
inline bool is_switch(const Spec& spec) { return spec.topology->structure().switches_shifts; }
/// Stages of switches in which each sets another digit, one way or both.
inline bool is_butterfly(const Spec& spec) {
  const std::optional<Topology::Stages> stages = spec.topology->structure().stages;
  return stages && !stages->shuffled;
}
/// One medium for all messages, with a memory as a node of its own or without.
inline bool is_memory(const Spec& spec) {
  return spec.topology->shared_medium() && spec.topology->nodes() > spec.ranks();
}
inline bool is_bus(const Spec& spec) { return spec.topology->shared_medium() && !is_memory(spec); }
/// What an answer depends on that is remembered for a question: all of the question, also what its text leaves out, the
/// machine, and which algorithms there are: a plug-in may add some.
std::string question_text(const Spec& spec, const Machine& machine);
/// Links that a message between neighbours crosses: more than one where the way leads through a network.
inline std::int64_t links_between(const Spec& spec) { return spec.topology->direct() ? 1 : spec.topology->diameter(); }
/// What costs this much between neighbours, with the links that a message crosses here.
inline Cost over_network(const Spec& spec, Cost cost) {
  cost.hops *= links_between(spec);
  return cost;
}

/// "needs a hypercube, and ring:6 is not one" or empty; `least` dimensions are what it names as nearest.
std::string needs_hypercube(const Spec& spec, int least = 1);
/// "torus:8x8": a square torus with nearly as many ranks, of an even side, so that it takes what any torus may ask for.
std::string nearest_torus(const Spec& spec);
/// Empty when ports == all.
std::string needs_all_ports(const Machine& machine);
/// Empty for a hypercube whose links can all be used at once.
std::string needs_all_links(const Spec& spec, const Machine& machine);
/// Empty where one rank reaches all others in one round: on a bus, or over wires of its own.
std::string needs_star(const Spec& spec, const Machine& machine);
/// Bytes that a round takes in which one rank sends every other its block: a bus takes them one after the other.
Bytes star_bytes(const Spec& spec);
/// Empty where all goes through a shared memory.
std::string needs_memory(const Spec& spec);

/// Rounds, bytes and hops with one message per link and every message to a neighbour.
inline Cost neighbour_cost(std::int64_t rounds, Bytes bytes) {
  return {.startups = rounds, .hops = rounds, .bytes = bytes};
}
/// The same, with bytes that a rank rearranges or packs.
inline Cost neighbour_cost(std::int64_t rounds, Bytes bytes, Bytes permuted, Bytes packed) {
  return {.startups = rounds, .hops = rounds, .bytes = bytes, .permuted = permuted, .packed = packed};
}

inline Cost with_further(Cost cost, std::int64_t further) {
  cost.further = further;
  return cost;
}
/// The same where the busiest rank sends or receives so many messages in every round.
inline Cost with_messages(std::int64_t messages, Cost cost) {
  cost.further = (messages - 1) * cost.startups;
  return cost;
}
/// Messages that a rank sends where it has the same data for so many others at once.
inline std::int64_t copies_sent(const Spec& spec, const Machine& machine, std::int64_t peers) {
  return machine.multicast || spec.topology->shared_medium() ? std::min<std::int64_t>(peers, 1) : peers;
}

/// For algorithms without parameters.
inline std::vector<Params> one_variant(const Spec&, const Machine&) { return {Params{}}; }
inline Claims all_claims(const Spec&, const Machine&, const Params&) { return {}; }

inline bool half_duplex(const Machine& m) { return m.duplex != Duplex::full; }
/// Whether a rank sends or receives, one at a time.
inline bool one_task(const Machine& m) {
  return m.duplex == Duplex::node_half || (m.ports == Ports::one && half_duplex(m));
}
/// half_split on half-duplex machines, the schedule itself on full-duplex ones.
SchedulePtr split_if_half(SchedulePtr schedule, const Spec& spec, const Machine& machine);

/// What schedules of an alltoallv share: buffers of words, as many as the rank with most has.
Shape shape_of_words(const Spec& spec);

/// Start-up of one message to a neighbour on this machine.
Seconds neighbour_startup(const Spec& spec, const Machine& machine);

}  // namespace quadrille::algorithm::kit
