// Rounds in which every rank sends to the rank a fixed distance on, modulo P, on a switch or a ring: what they need,
// what they cost, and how the one round that uses both directions of its wires fits half-duplex wires.
#pragma once

#include <optional>
#include <string>

#include "algorithm/kit/support.hpp"

namespace quadrille::algorithm::pattern {

/// Whether a rank of this machine cannot send while it receives.
inline bool one_way(const Machine& m) {
  return m.duplex == Duplex::node_half || (m.duplex == Duplex::half && m.ports == Ports::one);
}

/// Why ranks cannot shift blocks over every distance 1 .. P-1 here; empty when they can.
std::string shift_illegal(const Spec& spec, const Machine& machine);

/// Why not every rank can swap messages with all others of a group in one round; empty when all can.
std::string groups_illegal(const Spec& spec, const Machine& machine);

/// Links that a message over `distance` crosses; on a ring also the messages of the round on each link it uses.
std::int64_t shift_hops(const Spec& spec, Rank distance);

/// Whether a shift over `distance` uses both directions of wires that carry one at a time: it then takes two rounds.
bool shift_splits(const Spec& spec, const Machine& machine, Rank distance);

/// Whether messages of a shift can meet on a link.
bool shift_shares(const Spec& spec);

void add_cost(Cost& total, const Cost& part);

/// Round `at` of `base`, in which ranks P/2 apart swap, becomes two: the ranks below P/2 send first.
SchedulePtr split_swap(SchedulePtr base, std::optional<Round> at);

/// Shifts over all distances 1 .. P-1, a block each: of `in` the receiver's own one, of `out` that of the sender.
SchedulePtr all_shifts(const Spec& spec, const Machine& machine, Buffer sent);
/// Rounds that the swap half way takes beyond one.
inline int swap_rounds(const Spec& spec, const Machine& machine) {
  return shift_splits(spec, machine, spec.ranks() / 2) ? 1 : 0;
}

/// Appends slots first, first + stride, ... modulo `modulus` as one or two segments; they go round at most once.
template <class Append>
void around(Slot first, Slot stride, Slot size, Slot modulus, Append append) {
  const auto segment = [&](Slot from, Slot count) {
    append(stride == 1 ? Slots{from, std::max<Slot>(count, 1), std::max<Slot>(count, 1), count}
                       : Slots{from, 1, stride, count});
  };
  const Slot before = std::min(size, base::ceil_div(modulus - first, stride));
  segment(first, before);
  segment(first + before * stride - modulus, size - before);
}

}  // namespace quadrille::algorithm::pattern
