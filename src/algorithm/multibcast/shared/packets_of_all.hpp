// All sources broadcast at once in packets: in every round each rank sends one message, with a packet of each source,
// and takes one. So nu packets of all sources take no more rounds than those of one.
#pragma once

#include <memory>
#include <vector>

#include "quadrille/algorithm.hpp"

namespace quadrille::algorithm::multibcast {

/// The rounds of a broadcast in packets, the same for every source but for where it is.
class PacketRounds {
 public:
  virtual ~PacketRounds() = default;
  virtual Rank to(Round t, Rank r) const = 0;    ///< whom a rank sends to in this round
  virtual Rank from(Round t, Rank r) const = 0;  ///< whom it takes from
  /// The packet of `source` that another rank takes in this round; below 0: none. Those after the last one are the
  /// last.
  virtual Slot packet(Round t, Rank receiver, Rank source) const = 0;
};

Bytes longest(const Sources& sources);
/// As many packets as suit a chain so long and all bytes of the sources together. Of short messages, where a byte a
/// round counts, those with the least price.
std::vector<Params> packets_variants(const Spec& spec, const Machine& machine, int depth,
                                     Cost (*price)(const Spec&, const Machine&, const Params&));

/// `places` are the ranks of the sources in the numbering of `rounds`.
SchedulePtr packets_of_all(const Spec& spec, std::int64_t packets, int depth, std::vector<Rank> places,
                           std::unique_ptr<const PacketRounds> rounds);

/// Which packets come first differs from rank to rank: few are counted. Of more every message is as long as any.
bool packets_are_counted(const Spec& spec, std::int64_t packets, int depth);
/// Rounds and bytes where they are not counted.
Cost estimated_packets(const Spec& spec, std::int64_t packets, int depth);

}  // namespace quadrille::algorithm::multibcast
