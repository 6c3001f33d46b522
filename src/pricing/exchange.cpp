#include "pricing/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"

namespace quadrille::pricing {

namespace {

/// Blocks a rank must send, counting relays, when a complete exchange takes `rounds` rounds: a block's way is the set
/// of rounds in which it moves (and the port each time), different destinations need different ways, and at most
/// C(rounds, j) * ports^j ways have j moves. Infinite when there are not enough ways.
double least_moves(std::int64_t ranks, std::int64_t rounds, std::int64_t ports) {
  double left = static_cast<double>(ranks - 1), ways = 1, moves = 0;
  for (std::int64_t j = 1; j <= rounds; ++j) {
    ways *= static_cast<double>(rounds - j + 1) / static_cast<double>(j) * static_cast<double>(ports);
    const double taken = std::min(left, std::round(ways));
    moves += taken * static_cast<double>(j);
    if ((left -= taken) <= 0) return moves;
  }
  return HUGE_VAL;
}

}  // namespace

Bound::Part rounds_against_volume(const Spec& spec, const Machine& machine, SendingPorts sending,
                                  std::int64_t least_rounds, Bytes least_bytes) {
  const Rank ranks = spec.ranks();
  const bool half = machine.duplex != Duplex::full && spec.topology->direct() && !spec.topology->structure().routed;
  const std::int64_t ports = sending.count;
  const Cost one{.startups = 1, .hops = sending.turns ? 0 : 1};
  const Seconds startup = seconds(one, machine, *spec.topology);
  const double share = (half ? 2.0 : 1.0) / static_cast<double>(ports);
  const auto volume = [&](std::int64_t rounds) {
    const double moved = least_moves(ranks, rounds, ports) * static_cast<double>(spec.bytes) * share;
    return std::max(moved, static_cast<double>(least_bytes));
  };
  // The volume falls with the rounds: on [from, to) the sum is at least from * startup + volume(to - 1).
  Bound::Part best{"rounds against volume", "", HUGE_VAL, 0, 0};
  for (std::int64_t from = least_rounds; from < ranks;) {
    const std::int64_t to = from + 1 + from / 256;
    const double bytes = volume(to - 1);
    const Seconds time = static_cast<double>(from) * startup + bytes * machine.beta;
    if (time < best.time) best.time = time, best.rounds = from, best.bytes = static_cast<Bytes>(bytes);
    if (bytes <= static_cast<double>(least_bytes)) break;
    from = to;
  }
  best.why = fmt::format(
      "in {} round{} a rank must send at least {}, relayed blocks included; no other number of rounds is cheaper",
      base::format_count(best.rounds), best.rounds == 1 ? "" : "s", base::format_bytes(best.bytes));
  return best;
}

}  // namespace quadrille::pricing
