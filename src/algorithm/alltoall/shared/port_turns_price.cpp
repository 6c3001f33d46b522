// What bundles that turn round the axes cost.
#include <algorithm>

#include "algorithm/alltoall/shared/port_turns.hpp"
#include "algorithm/pattern/shift.hpp"

namespace quadrille::algorithm::alltoall {

namespace {

/// One phase as its cost sees it, in blocks of all parts together.
struct Phase {
  Slot blocks;  ///< of a bundle
  Rank side;
  Turn turn;         ///< of the first part
  bool first, last;  ///< blocks come from in, go to out
  bool outermost;    ///< bundles are runs of in and out when blocks are whole
  std::int64_t halves;
};

/// Bytes that a rank packs for one direction when every block is whole or each part goes its own way: what it sends
/// first, unless that is a run of memory, and the bundle that lands in out last. `wraps`: a run at most ranks, and two
/// at reach - 1 ranks in a row, where it goes round the end of the buffer.
struct Packed {
  Slot always = 0, wraps = 0;
};
Packed packed_one_way(const Phase& p, Rank reach, bool apart) {
  if (reach == 0) return {};
  const bool scattered = p.blocks > 1 && (apart || !p.outermost);
  const bool gathers = !p.first || scattered || (apart && reach > 1);
  const Slot sent = gathers ? reach * p.blocks : 0, landed = p.last && scattered ? p.blocks : 0;
  Packed packed;
  if (p.halves == 2)
    packed.always = 2 * (reach == 1 ? std::max(sent, landed) : sent + landed);
  else
    packed.always = sent + landed;
  if (!gathers && reach > 1) packed.wraps = reach * p.blocks * std::min<Rank>(p.halves, reach - 1);
  return packed;
}

/// Two parts that share a message are two runs of memory on either side; in the last round of an even side they go
/// different ways.
Slot packed_both_ways(const Phase& p) {
  const Rank h = p.side / 2;
  if (p.side % 2 != 0) return 2 * h * (h + 1) * p.blocks;
  if (p.side == 2) return 2 * p.blocks;
  return (2 * (h * h - 1) + (p.last && p.blocks > 1)) * p.blocks;
}

Slot packed_blocks(const Turning& turning, const Phase& p) {
  if (turning.ways == 2) return packed_both_ways(p);
  const bool apart = turning.parts.size() > 1;
  const Packed forth = packed_one_way(p, p.turn.clockwise, apart), back = packed_one_way(p, p.turn.back, apart);
  return forth.always + back.always + (turning.together ? std::max(forth.wraps, back.wraps) : forth.wraps + back.wraps);
}

/// Bytes on the busiest link of a phase: all bundles of the parts that share an order, for the first of them, which has
/// the largest parts.
Bytes sent_bytes(const Turning& turning, std::size_t phase, Slot blocks, const Cut& cut) {
  Bytes forth = 0, back = 0;
  for (int way = 0; way < turning.ways; ++way) {
    const auto [a, c] = turning.parts[static_cast<std::size_t>(way)].turns[phase];
    const Bytes size = cut.size(way);
    forth = base::checked_add(forth, base::checked_multiply(a * (a + 1) / 2 * blocks, size, "bytes"), "bytes");
    back = base::checked_add(back, base::checked_multiply(c * (c + 1) / 2 * blocks, size, "bytes"), "bytes");
  }
  if (turning.ways == 2 && turning.axes.side(turning.parts.front().order[phase]) == 2) return forth + back;
  return turning.together ? std::max(forth, back) : forth + back;
}

/// Messages of a rank in a phase beyond one a round: one for every order of the axes, two where both ways are in use.
std::int64_t further_messages(const Turning& turning, const Phase& p, Round rounds) {
  const auto orders = static_cast<std::int64_t>(turning.parts.size()) / turning.ways;
  Round both = turning.ways == 2 ? rounds : std::min(p.turn.clockwise, p.turn.back);
  if (!turning.together || p.side == 2) both = 0;
  return rounds * (orders - 1) + both * orders;
}

}  // namespace

Cost turning_cost(const Spec& spec, const Machine& machine, const Turning& turning) {
  const pattern::Axes& axes = turning.axes;
  const TurnPart& part = turning.parts.front();
  const Cut cut{.bytes = spec.bytes, .parts = static_cast<Slot>(turning.parts.size())};
  Cost total;
  for (std::size_t f = 0; f < part.order.size(); ++f) {
    const Rank n = axes.side(part.order[f]);
    const auto [a, c] = part.turns[f];
    const Phase phase{.blocks = axes.ranks() / n,
                      .side = n,
                      .turn = part.turns[f],
                      .first = f == 0,
                      .last = f + 1 == part.order.size(),
                      .outermost = part.order[f] == 0,
                      .halves = pattern::axis_splits(machine, n) ? 2 : 1};
    const Slot moved =
        phase.last ? phase.blocks - 1 + (std::max<Slot>(a - 1, 0) + std::max<Slot>(c - 1, 0)) * phase.blocks : 0;
    const Round rounds = turning.together ? std::max(a, c) : a + c;
    total.further += phase.halves * further_messages(turning, phase, rounds);
    pattern::add_cost(
        total,
        kit::neighbour_cost(phase.halves * rounds,
                            base::checked_multiply(phase.halves, sent_bytes(turning, f, phase.blocks, cut), "bytes"),
                            base::checked_multiply(moved, spec.bytes, "bytes"),
                            base::checked_multiply(packed_blocks(turning, phase), spec.bytes, "bytes packed")));
  }
  return total;
}

}  // namespace quadrille::algorithm::alltoall
