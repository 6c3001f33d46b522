// Messages that a rank sends, or receives, in the same round where streams of packets leave it or meet at it: all but
// one of them are further messages of the round.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "algorithm/pattern/tree.hpp"

namespace quadrille::algorithm::pattern {

/// Rounds first .. last in which a rank has a message of a stream; none when last < first.
struct Span {
  Round first, last;
};

/// The busiest ranks of a schedule, round by round.
class Crowds {
 public:
  /// What one rank sends, or what it receives: a span for each stream. With `slide` as many other ranks do the same,
  /// each a round later than the one before.
  void add(const std::vector<Span>& streams, Round slide = 0);
  /// In these rounds some rank has so many messages.
  void add(Span rounds, std::int64_t messages);
  /// Messages of the busiest rank beyond its first, summed over rounds.
  std::int64_t further() const;

 private:
  struct Height {
    Span rounds;
    std::int64_t messages;
  };
  std::vector<Height> heights_;
};

/// Ranks where every stream has the same number of packets, one a round: kept short, for any number of packets.
class PacketCrowds {
 public:
  /// The rounds in which the streams begin at one rank that sends or receives them.
  void add(std::vector<Round> starts);
  std::int64_t further(std::int64_t packets) const;

 private:
  /// For messages - 2 and the round of the first: the least round of the last that begins. -1: none.
  std::vector<std::vector<Round>> last_;
};

/// Further messages as a search for the best number of packets sees them.
struct Further {
  std::function<std::int64_t(std::int64_t packets)> count;
  Seconds each = 0;             ///< what one takes
  std::int64_t per_packet = 0;  ///< at least so many for every packet
  Seconds time(std::int64_t packets) const { return each > 0 ? static_cast<double>(count(packets)) * each : 0; }
  Seconds least() const { return static_cast<double>(per_packet) * each; }  ///< for every packet
};
/// The crowds of a broadcast down several trees at once are counted rank by rank, up to so many of them.
constexpr Rank most_crowded = Rank{1} << 14;
/// Whether that is done here. Elsewhere some rank is taken to use all its links in every round.
inline bool counts_crowds(const Spec& spec, const Machine& machine) {
  return spec.ranks() <= most_crowded && !machine.multicast;
}
inline Claims crowd_claims(const Spec& spec, const Machine& machine, const Params&) {
  return {.exact = counts_crowds(spec, machine)};
}
/// Further messages of forest_schedule() down trees that are the same from every root, full-duplex or split by the
/// colour of senders. Counted once and kept under a name; `rounds`: of the schedule.
std::function<std::int64_t(std::int64_t packets)> forest_crowds(const Spec& spec, const Machine& machine,
                                                                const std::string& name, bool split,
                                                                std::vector<Tree> (*trees)(const Spec&),
                                                                std::function<Round(std::int64_t packets)> rounds);

}  // namespace quadrille::algorithm::pattern
