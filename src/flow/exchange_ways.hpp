// An exchange in rounds, on a network of hosts alone: every parcel has a way, chosen so that no link has much more than
// its share, and waits at hosts where others go first.
#pragma once

#include <cstdint>
#include <vector>

#include "flow/network.hpp"

namespace quadrille::flow {

/// What goes one way as a whole.
struct Parcel {
  std::int32_t source = 0, target = 0, chunk = 0;  ///< ranks, and which chunk of what the one has for the other
  std::int32_t words = 1;
  std::int32_t pool = 0;  ///< of places where it waits
};
/// Over this arc in this round, from the place in its tail's memory where the move before has put it.
struct Move {
  std::int32_t round = 0, arc = 0;
  std::int32_t parcel = 0;
  std::int32_t from_place = -1, to_place = -1;  ///< of the parcel's pool; -1: where it starts, or is due
};
struct ExchangeRounds {
  std::vector<Parcel> parcels;
  std::vector<Move> moves;  ///< in the order of rounds
  std::int32_t rounds = 0;
  std::int32_t places = 0;      ///< of each pool, at the rank that needs most
  std::int64_t congestion = 0;  ///< rounds in which the busiest link is busy
};
/// Which ranks have data for which others: all for all, one for all others, one for one, or each for a partner.
struct Demand {
  std::int32_t from = -1, to = -1;         ///< -1: all
  std::vector<std::int32_t> partner = {};  ///< of every rank; empty: as above
  bool wants(std::int32_t source, std::int32_t target) const {
    if (!partner.empty() && partner[static_cast<std::size_t>(source)] != target) return false;
    return source != target && (from < 0 || from == source) && (to < 0 || to == target);
  }
};
/// What must take turns in a round. One task: a rank sends or receives. One port: to one other rank, from one other.
/// One way: a wire carries chunks in one direction.
struct TakingTurns {
  bool one_way = false, one_port = false, one_task = false;
  bool any() const { return one_way || one_port || one_task; }
};
/// Links that several arcs cross on their way through switches.
struct SharedLinks {
  std::vector<std::int64_t> capacity;             ///< of each link
  std::vector<std::vector<std::int32_t>> of_arc;  ///< the links of each arc of a network
};
/// The links of arcs. Without shared ones every arc is a link by itself.
class LinksOfArcs {
 public:
  LinksOfArcs(const Network& network, const SharedLinks& shared);
  std::size_t count() const { return capacity_.size(); }
  std::int64_t capacity(std::size_t link) const { return capacity_[link]; }
  bool meet() const { return !first_.empty(); }
  template <class Use>
  void each(std::int32_t arc, Use use) const {
    if (!meet()) return use(static_cast<std::size_t>(arc));
    const auto at = static_cast<std::size_t>(arc);
    for (std::size_t i = first_[at]; i < first_[at + 1]; ++i) use(static_cast<std::size_t>(links_[i]));
  }

 private:
  std::vector<std::int64_t> capacity_;
  std::vector<std::int32_t> links_;  ///< of one arc after the other
  std::vector<std::size_t> first_;   ///< of each arc, and the end; none where arcs do not meet
};
/// So many chunks of a word of each pair that the demand names, each chunk with a pool of its own.
std::vector<Parcel> equal_parcels(Rank ranks, std::int32_t chunks, const Demand& demand = {});
/// Parcels are in the order of chunks, then sources. In a round an arc carries `most` words, times its capacity, or one
/// parcel that has more; so does a link that arcs share. Throws Error(argument) where there is a switch, or a rank
/// cannot be reached. Time: about 30 searches for shortest ways for each source and chunk; and
/// up to two seconds for fewer rounds, where arcs share links of one parcel a round.
ExchangeRounds exchange_in_rounds(const Network& network, std::vector<Parcel> parcels, const TakingTurns& turns = {},
                                  std::int64_t most = 1, const SharedLinks& shared = {});

}  // namespace quadrille::flow
