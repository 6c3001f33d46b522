// Messages cut in packets that follow each other down a path or tree, and the search for the best number of packets.
#pragma once

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include "base/integer.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::kit {

/// A message that goes down a path or a tree whose deepest rank is `depth` links away. Packet p enters a rank of depth
/// d in round p * interval + d, counted from 1. [docs/how-it-works/derivations.md]
struct Pipe {
  std::int64_t depth = 1;
  Bytes bytes = 0;
  Round interval = 1;
  /// Further messages of the busiest rank: for every packet, and after the last one has left the first ranks.
  std::int64_t each_packet = 0, at_last = 0;
};

/// What a message takes beyond the first that a rank sends or receives in a round.
inline Seconds further_time(const Machine& machine) {
  return std::max(machine.overhead_send, machine.overhead_receive);
}

/// Rounds from one packet to the next: 2 where a relay cannot send while it receives, else 1.
Round relay_interval(const Machine& machine, std::int64_t depth);

/// (i*(nu - 1) + D) rounds, i*N + (D - i)*ceil(N / nu) bytes, for interval i. [Saad & Schultz 1986, eq. (3.4), i = 1]
Cost pipe_cost(const Pipe& pipe, std::int64_t packets);

/// The packet count with the least pipe_cost on this machine, the smallest of them; 1 for an empty message.
std::int64_t best_packets(const Pipe& pipe, const Spec& spec, const Machine& machine);
std::int64_t best_packets(const Pipe& pipe, Seconds startup, double per_byte, Seconds further = 0);

/// The parameter of the algorithms that cut a message in packets of nearly equal size.
Parameter packets_parameter();
inline std::int64_t packets_of(const Params& params) { return params.get("packets", 1); }
/// The same with at most 64 packets for each rank: for what is listed round by round. Even the last rank of a chain
/// then waits a 64th of the time of the whole message for the first packet.
Params with_few_packets(Params params, Rank ranks);
/// Why `packets` of `params` does not fit `bytes` bytes; empty when it does or is not given.
std::string packets_illegal(const Params& params, Bytes bytes);
/// The most packets that equal parts of `bytes` bytes are cut in: no piece then carries more than a byte, so that a
/// longer message never costs less. The last packets of the smaller parts are empty.
inline std::int64_t most_packets(Bytes bytes, std::int64_t parts) {
  return std::max<std::int64_t>(1, base::ceil_div(bytes, parts));
}
/// Why `packets` of `params` does not fit `parts` equal parts of `bytes` bytes; empty when it does or is not given.
std::string packets_illegal(const Params& params, Bytes bytes, std::int64_t parts);
/// `bytes` in `parts` parts of `packets` packets; no piece at all for an empty message.
Cut packet_cut(Bytes bytes, std::int64_t packets, std::int64_t parts = 1);

/// Throws Error(budget) when so many pieces of uneven size are too many to list where each starts.
void check_listed(Slot pieces);

/// What cheapest_cut() minimises over 1 <= x <= high: packet counts, or packet sizes. Those with the same ceil(total /
/// x) are of one class.
struct CutSearch {
  std::int64_t total, high;
  double ideal;                               ///< where `bound` is least
  std::function<double(std::int64_t)> cost;   ///< monotone within a class, its smallest member left aside
  std::function<double(std::int64_t)> bound;  ///< a lower bound of cost that falls up to `ideal` and rises beyond
  std::int64_t not_monotone = 0;              ///< in classes that end here or before: all their members are tried
};
/// The x of least cost; of several (to 12 digits) the smallest. Visits the ends of every class from `ideal` outwards
/// until the bound exceeds the best cost seen, so that nothing cheaper is left.
std::int64_t cheapest_cut(const CutSearch& search);

}  // namespace quadrille::algorithm::kit
