#include "flow/exchange_ways.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include "base/integer.hpp"
#include "flow/parcel_ways.hpp"

namespace quadrille::flow {

namespace {

/// What a round still has room for, where ranks or wires take turns.
class RoomOfRound {
 public:
  RoomOfRound(const Network& network, const LinksOfArcs& links, const TakingTurns& turns, std::int64_t most)
      : network_(network),
        links_(links),
        turns_(turns),
        most_(most),
        carried_(links.count(), 0),
        back_(network.arcs().size(), -1),
        ranks_(static_cast<std::size_t>(network.ranks())) {
    for (std::size_t i = 0; turns.one_way && i < back_.size(); ++i)
      back_[i] = static_cast<std::int32_t>(network.find(network.arcs()[i].to, network.arcs()[i].from));
  }
  void begin() {
    std::fill(carried_.begin(), carried_.end(), 0);
    std::fill(ranks_.begin(), ranks_.end(), Busy{});
  }
  /// Whether the arc may carry so many words more; then it does.
  bool take(std::int32_t arc, std::int32_t words) {
    const Arc& over = network_.arcs()[static_cast<std::size_t>(arc)];
    Busy& sender = ranks_[static_cast<std::size_t>(network_.rank(over.from))];
    Busy& receiver = ranks_[static_cast<std::size_t>(network_.rank(over.to))];
    const std::int32_t back = back_[static_cast<std::size_t>(arc)];
    bool fits = true;
    links_.each(arc, [&](std::size_t link) {
      fits = fits && (carried_[link] == 0 || carried_[link] + words <= links_.capacity(link) * most_);
    });
    if (!fits) return false;
    if (turns_.one_way && back >= 0 && carried_[static_cast<std::size_t>(back)] > 0) return false;
    if (turns_.one_port &&
        ((sender.sends >= 0 && sender.sends != arc) || (receiver.receives >= 0 && receiver.receives != arc)))
      return false;
    if (turns_.one_task && (sender.receives >= 0 || receiver.sends >= 0)) return false;
    sender.sends = receiver.receives = arc;
    links_.each(arc, [&](std::size_t link) { carried_[link] += words; });
    return true;
  }

 private:
  struct Busy {
    std::int32_t sends = -1, receives = -1;  ///< over this arc
  };
  const Network& network_;
  const LinksOfArcs& links_;
  TakingTurns turns_;
  std::int64_t most_;
  std::vector<std::int64_t> carried_;  ///< by every link
  std::vector<std::int32_t> back_;     ///< the arc of the same wire the other way; -1: there is none
  std::vector<Busy> ranks_;
};

/// Every link takes those first whose links ahead still wait for most: so that none is idle long and has to make up
/// for it at the end.
class Traffic {
 public:
  Traffic(const Network& network, const LinksOfArcs& links, const std::vector<Parcel>& parcels,
          const TakingTurns& turns, std::int64_t most)
      : network_(network),
        links_(links),
        parcels_(parcels),
        turns_(turns),
        most_(most),
        room_(network, links, turns, most),
        waiting_(network.arcs().size()),
        to_come_(links.count(), 0),
        rounds_to_come_(links.count(), 0) {
    for (const Parcel& p : parcels) chunks_ = std::max(chunks_, p.chunk + 1), pools_ = std::max(pools_, p.pool + 1);
    free_.resize(static_cast<std::size_t>(network.ranks() * pools_));
    used_.assign(free_.size(), 0);
  }

  ExchangeRounds run(const ParcelWays& ways) {
    for (std::size_t i = 0; i < parcels_.size(); ++i)
      for (const std::int32_t arc : ways.ways()[i])
        links_.each(arc, [&](std::size_t link) { to_come_[link] += parcels_[i].words; });
    if (links_.meet()) to_carry_ = to_come_;
    for (std::size_t link = 0; link < to_come_.size(); ++link) rounds_to_come_[link] = rounds_for(link, to_come_[link]);
    for (std::size_t i = 0; i < parcels_.size(); ++i) {
      packets_.push_back({&ways.ways()[i], &parcels_[i]});
      wait(static_cast<std::int32_t>(i));
    }
    for (left_ = static_cast<std::int64_t>(packets_.size()); left_ > 0; ++result_.rounds) round();
    result_.congestion = ways.congestion();
    return std::move(result_);
  }

 private:
  struct Packet {
    const Way* way;
    const Parcel* parcel;
    std::int32_t next = 0, place = -1;
    std::int32_t rest() const { return static_cast<std::int32_t>(way->size()) - next; }
  };
  struct Waiting {
    std::int64_t urgency;
    std::int32_t turn, packet;
    /// No two are alike, so that the order does not depend on how a queue is made.
    bool operator<(const Waiting& other) const {
      return std::tie(urgency, other.turn, other.packet) < std::tie(other.urgency, turn, packet);
    }
  };
  /// In which a link can carry so many words.
  std::int64_t rounds_for(std::size_t link, std::int64_t words) const {
    return base::ceil_div(words, links_.capacity(link) * most_);
  }
  /// Rounds that the neediest link ahead must get, and one for each link to go. It never grows.
  std::int64_t urgency(const Packet& p) const {
    std::int64_t most = 0;
    for (std::size_t i = static_cast<std::size_t>(p.next) + 1; i < p.way->size(); ++i)
      links_.each((*p.way)[i], [&](std::size_t link) { most = std::max(most, rounds_to_come_[link]); });
    return most + p.rest();
  }
  /// The same of what is first on an arc that meets others on links: these count, too, with all that they have yet to
  /// carry.
  Waiting among_others(std::size_t arc) {
    Waiting first = first_on(arc);
    if (!links_.meet()) return first;
    std::int64_t most = 0;
    links_.each(static_cast<std::int32_t>(arc),
                [&](std::size_t link) { most = std::max(most, rounds_for(link, to_carry_[link])); });
    first.urgency = std::max(first.urgency, most + packets_[static_cast<std::size_t>(first.packet)].rest());
    return first;
  }
  void wait(std::int32_t packet) {
    const Packet& p = packets_[static_cast<std::size_t>(packet)];
    const auto ranks = static_cast<std::int32_t>(network_.ranks());
    const std::int32_t turn = (p.parcel->target - p.parcel->source + ranks) % ranks * chunks_ + p.parcel->chunk;
    const std::int32_t arc = (*p.way)[static_cast<std::size_t>(p.next)];
    links_.each(arc, [&](std::size_t link) {
      to_come_[link] -= p.parcel->words;
      rounds_to_come_[link] = rounds_for(link, to_come_[link]);
    });
    waiting_[static_cast<std::size_t>(arc)].push({urgency(p), turn, packet});
  }
  /// The most urgent on an arc. Those that have become less urgent since they were looked at are put back.
  const Waiting& first_on(std::size_t arc) {
    for (;;) {
      Waiting first = waiting_[arc].top();
      const std::int64_t now = urgency(packets_[static_cast<std::size_t>(first.packet)]);
      if (now == first.urgency) return waiting_[arc].top();
      waiting_[arc].pop();
      first.urgency = now;
      waiting_[arc].push(first);
    }
  }
  std::size_t pool_at(Rank rank, std::int32_t pool) const { return static_cast<std::size_t>(rank * pools_ + pool); }
  std::int32_t take_place(Rank rank, std::int32_t pool) {
    std::vector<std::int32_t>& free = free_[pool_at(rank, pool)];
    if (free.empty()) {
      const std::int32_t place = used_[pool_at(rank, pool)]++;
      result_.places = std::max(result_.places, place + 1);
      return place;
    }
    const std::int32_t place = free.back();
    free.pop_back();
    return place;
  }
  std::int32_t pop(std::size_t arc) {
    const std::int32_t packet = waiting_[arc].top().packet;
    waiting_[arc].pop();
    return packet;
  }
  std::int32_t words(std::int32_t packet) const { return packets_[static_cast<std::size_t>(packet)].parcel->words; }
  /// Who moves where all links work at once.
  std::vector<std::int32_t> moved_by_all() {
    std::vector<std::int32_t> moved;
    for (std::size_t arc = 0; arc < waiting_.size(); ++arc) {
      const std::int64_t room = network_.arcs()[arc].capacity * most_;
      for (std::int64_t carried = 0; !waiting_[arc].empty();) {
        const std::int32_t next = words(first_on(arc).packet);
        if (carried > 0 && carried + next > room) break;
        carried += next;
        moved.push_back(pop(arc));
      }
    }
    return moved;
  }
  /// Who moves where some take turns: the most urgent first, over whatever link.
  std::vector<std::int32_t> moved_by_turns() {
    std::priority_queue<std::pair<Waiting, std::int32_t>> first;  // the first of every arc
    const auto look_at = [&](std::size_t arc) {
      if (!waiting_[arc].empty()) first.emplace(among_others(arc), static_cast<std::int32_t>(arc));
    };
    for (std::size_t arc = 0; arc < waiting_.size(); ++arc) look_at(arc);
    std::vector<std::int32_t> moved;
    room_.begin();
    while (!first.empty()) {
      const std::int32_t arc = first.top().second;
      first.pop();
      if (!room_.take(arc, words(waiting_[static_cast<std::size_t>(arc)].top().packet))) continue;
      moved.push_back(pop(static_cast<std::size_t>(arc)));
      look_at(static_cast<std::size_t>(arc));
    }
    return moved;
  }
  void round() {
    const std::vector<std::int32_t> moved = turns_.any() || links_.meet() ? moved_by_turns() : moved_by_all();
    std::vector<std::pair<std::size_t, std::int32_t>> left;  // places that are free in the next round
    for (const std::int32_t packet : moved) {
      Packet& p = packets_[static_cast<std::size_t>(packet)];
      const std::int32_t arc = (*p.way)[static_cast<std::size_t>(p.next++)];
      if (links_.meet()) links_.each(arc, [&](std::size_t link) { to_carry_[link] -= p.parcel->words; });
      const Arc& over = network_.arcs()[static_cast<std::size_t>(arc)];
      const std::int32_t from = p.place, pool = p.parcel->pool;
      if (from >= 0) left.emplace_back(pool_at(network_.rank(over.from), pool), from);
      p.place = p.rest() == 0 ? -1 : take_place(network_.rank(over.to), pool);
      result_.moves.push_back({result_.rounds, arc, packet, from, p.place});
    }
    for (const auto& [pool, place] : left) free_[pool].push_back(place);
    for (const std::int32_t packet : moved)
      packets_[static_cast<std::size_t>(packet)].rest() == 0 ? void(--left_) : wait(packet);
  }

  const Network& network_;
  const LinksOfArcs& links_;
  const std::vector<Parcel>& parcels_;
  TakingTurns turns_;
  std::int64_t most_;
  std::int32_t chunks_ = 0, pools_ = 0;
  RoomOfRound room_;
  std::vector<std::priority_queue<Waiting>> waiting_;
  std::vector<std::int64_t> to_come_;         ///< words for each link that do not wait for it yet
  std::vector<std::int64_t> rounds_to_come_;  ///< in which it can carry these
  std::vector<std::int64_t> to_carry_;        ///< words that it has not carried yet; none where arcs do not meet
  std::vector<std::vector<std::int32_t>> free_;
  std::vector<std::int32_t> used_;
  std::vector<Packet> packets_;
  std::int64_t left_ = 0;
  ExchangeRounds result_;
};

}  // namespace

LinksOfArcs::LinksOfArcs(const Network& network, const SharedLinks& shared)
    : shared_(shared), capacity_(shared.capacity) {
  if (!meet())
    for (const Arc& arc : network.arcs()) capacity_.push_back(arc.capacity);
}

std::vector<Parcel> equal_parcels(Rank ranks, std::int32_t chunks, const Demand& demand) {
  std::vector<Parcel> parcels;
  for (std::int32_t chunk = 0; chunk < chunks; ++chunk)
    for (std::int32_t source = 0; source < ranks; ++source)
      for (std::int32_t target = 0; target < ranks; ++target)
        if (demand.wants(source, target)) parcels.push_back({source, target, chunk, 1, chunk});
  return parcels;
}

ExchangeRounds exchange_in_rounds(const Network& network, std::vector<Parcel> parcels, const TakingTurns& turns,
                                  std::int64_t most, const SharedLinks& shared) {
  if (network.ranks() != network.vertices())
    throw Error(Error::Kind::argument, "exchange: switches keep no blocks; expected a network of hosts alone");
  const LinksOfArcs links(network, shared);
  ParcelWays ways(network, links, parcels, most);
  ways.find();
  ExchangeRounds rounds = Traffic(network, links, parcels, turns, most).run(ways);
  rounds.parcels = std::move(parcels);
  return rounds;
}

}  // namespace quadrille::flow
