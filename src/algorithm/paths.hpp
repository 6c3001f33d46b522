// One message from rank to rank over one path or over several that share no wire: the paths of each topology, how a
// message is dealt to them, and what that costs.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "quadrille/algorithm.hpp"

namespace quadrille {

/// Ranks from the source to the target of a sendrecv, neighbour after neighbour; a function, so that it takes no memory
/// on a large ring.
struct Path {
  std::int64_t length = 0;                     ///< links
  std::function<Rank(std::int64_t)> at;        ///< 0 <= position <= length
  std::function<std::int64_t(Rank)> position;  ///< -1 when the path does not visit the rank
};

/// The path that visits these ranks, each once.
Path path_through(const std::vector<Rank>& ranks);
/// The way the topology itself sends a message.
Path route_path(const Spec& spec);

/// Paths that share no wire, as many as the family is known to have, shortest first. Ring: both ways round [Saad &
/// Schultz 1986, sec. 3.1]; hypercube: as many as dimensions [461 Prop. 3.2].
std::vector<Path> disjoint_paths(const Spec& spec);
/// Their lengths alone, without building them.
using Lengths = std::vector<std::int64_t>;
Lengths disjoint_lengths(const Spec& spec);
/// Why a message cannot go over several paths at once here; empty when it can.
std::string needs_paths(const Spec& spec, const Machine& machine);

/// The piece that is packet `index` of path number `path`, or -1 when the path has no such packet.
using Deal = std::function<Slot(std::size_t path, std::int64_t index)>;
/// Packet i of every path enters its h-th link in round i * interval + h, counted from 1; relays keep packets in tmp.
SchedulePtr path_schedule(const Spec& spec, std::vector<Path> paths, Deal deal, Round rounds, const Cut& cut,
                          Round interval = 1);

// Parts of nearly equal size, one per path, shorter paths the larger ones, each in the same number of packets. MP-EQUAL

/// Counts for `packets` packets a path. 461:(3.6), 428 Prop. 3.2 with whole packets.
Cost equal_cost(const Lengths& lengths, Bytes bytes, std::int64_t packets);
/// The packet count in 1 .. bytes / paths of least cost, the smallest of them; `startup` of a message to a neighbour.
std::int64_t best_equal_packets(const Lengths& lengths, Bytes bytes, Seconds startup, double per_byte);

// Packets of one size, the last one shorter; each goes to the path where it arrives first, ties to the first. MP-SYNC

/// Rounds until `packets` packets have arrived: the least R with sum over paths of max(0, R - length + 1) >= packets.
Round balanced_rounds(const Lengths& lengths, std::int64_t packets);
/// How many of them each path carries.
std::vector<std::int64_t> balanced_packets(const Lengths& lengths, std::int64_t packets);
/// The piece that is packet `index` of `path`, whether or not there are so many.
Slot balanced_piece(const Lengths& lengths, std::size_t path, std::int64_t index);
/// w*R(M-1) + last*(R(M) - R(M-1)) bytes in R(M) rounds, for M packets of w bytes and a last one of `last`.
Cost balanced_cost(const Lengths& lengths, Bytes bytes, Bytes packet_bytes);
/// The packet size in 1 .. bytes of least cost, the smallest of them; 1 for no bytes.
Bytes best_packet_bytes(const Lengths& lengths, Bytes bytes, Seconds startup, double per_byte);

}  // namespace quadrille
