// How a message is shared out to several paths, and what that costs: arithmetic on the lengths of the paths alone.
//
// Equal: parts of nearly equal size, one per path, shorter paths the larger ones, each in the same number of packets.
// [Saad & Schultz 1986, eq. (3.6)] Balanced: packets of one size, the last one shorter; each goes to the path where it
// arrives first, ties to the first path. Split: every path its own share in its own packets, best when no path waits
// for another. [docs/how-it-works/derivations.md]
#pragma once

#include <vector>

#include "algorithm/pattern/crowds.hpp"
#include "quadrille/cost.hpp"
#include "quadrille/schedule.hpp"

namespace quadrille::algorithm::kit {

/// Links of each path, shortest first.
using Lengths = std::vector<std::int64_t>;

/// Counts for `packets` packets a path. [Saad & Schultz 1986, eq. (3.6); 1985, Prop. 3.2; with whole packets]
Cost equal_cost(const Lengths& lengths, Bytes bytes, std::int64_t packets);
/// The packet count in 1 .. bytes / paths, rounded up, of least cost, the smallest of them; `startup` of a message to a
/// neighbour.
std::int64_t best_equal_packets(const Lengths& lengths, Bytes bytes, Seconds startup, double per_byte,
                                const pattern::Further& further = {});

/// Rounds until `packets` packets have arrived: the least R with sum over paths of max(0, R - length + 1) >= packets.
Round balanced_rounds(const Lengths& lengths, std::int64_t packets);
/// How many of them each path carries.
std::vector<std::int64_t> balanced_packets(const Lengths& lengths, std::int64_t packets);
/// The piece that is packet `index` of `path`, whether or not there are so many.
Slot balanced_piece(const Lengths& lengths, std::size_t path, std::int64_t index);
/// w*R(M-1) + last*(R(M) - R(M-1)) bytes in R(M) rounds, for M packets of w bytes and a last one of `last`.
Cost balanced_cost(const Lengths& lengths, Bytes bytes, Bytes packet_bytes);
/// The packet size in 1 .. bytes of least cost, the smallest of them; 1 for no bytes.
Bytes best_packet_bytes(const Lengths& lengths, Bytes bytes, Seconds startup, double per_byte,
                        const pattern::Further& further = {});

/// What each path carries, and in how many packets; a path with no bytes is not used.
struct Split {
  std::vector<Bytes> bytes;
  std::vector<std::int64_t> packets;
};
/// Counts in lockstep, where a round lasts as long as its largest packet.
Cost split_cost(const Lengths& lengths, const Split& split);
/// The time of the slowest path when none waits for another.
Seconds split_time(const Lengths& lengths, const Split& split, Seconds startup, double per_byte);
/// The split of least such time; of several the one that gives most to the first path.
Split best_split(const Lengths& lengths, Bytes bytes, Seconds startup, double per_byte);

}  // namespace quadrille::algorithm::kit
