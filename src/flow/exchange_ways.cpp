#include "flow/exchange_ways.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include "base/integer.hpp"
#include "flow/fewer_rounds.hpp"
#include "flow/move_places.hpp"
#include "flow/parcel_ways.hpp"
#include "flow/room_of_round.hpp"
#include "flow/way_ends.hpp"

namespace quadrille::flow {

namespace {

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
        on_arc_(network.arcs().size(), 0),
        first_(network.arcs().size()),
        to_come_(links.count(), 0),
        rounds_to_come_(links.count(), 0) {
    for (const Parcel& p : parcels) chunks_ = std::max(chunks_, p.chunk + 1);
  }

  ExchangeRounds run(const ParcelWays& ways) {
    for (std::size_t i = 0; i < parcels_.size(); ++i) {
      const Way& way = ways.ways()[i];
      packets_.push_back({&parcels_[i], ends_.of(way)});
      for (const std::int32_t arc : way)
        links_.each(arc, [&](std::size_t link) { to_come_[link] += parcels_[i].words; });
    }
    waiting_.resize(ends_.size());
    if (links_.meet()) to_carry_ = to_come_;
    for (std::size_t link = 0; link < to_come_.size(); ++link) rounds_to_come_[link] = rounds_for(link, to_come_[link]);
    left_ = static_cast<std::int64_t>(packets_.size());
    for (std::int32_t packet = 0; packet < left_; ++packet) wait(packet);
    for (; left_ > 0; ++result_.rounds) round();
    result_.congestion = ways.congestion();
    return std::move(result_);
  }

 private:
  struct Packet {
    const Parcel* parcel;
    std::int32_t end;  ///< of its way, which it waits for; -1: it has arrived
  };
  /// No two are alike, so that orders do not depend on how a queue is made.
  struct Turn {
    std::int32_t turn, packet;
    bool operator<(const Turn& later) const { return std::tie(later.turn, later.packet) < std::tie(turn, packet); }
    bool operator==(const Turn& other) const = default;
  };
  struct Waiting {
    std::int64_t urgency;
    Turn first;
    std::int32_t end;
    bool operator<(const Waiting& other) const {
      return std::tie(urgency, first) < std::tie(other.urgency, other.first);
    }
  };
  /// In which a link can carry so many words.
  std::int64_t rounds_for(std::size_t link, std::int64_t words) const {
    return base::ceil_div(words, links_.capacity(link) * most_);
  }
  /// Rounds that the neediest link ahead must get, and one for each link to go. It never grows.
  std::int64_t urgency(std::int32_t end) const {
    std::int64_t most = 0;
    for (std::int32_t next = ends_[end].next; next >= 0; next = ends_[next].next)
      links_.each(ends_[next].arc, [&](std::size_t link) { most = std::max(most, rounds_to_come_[link]); });
    return most + ends_[end].arcs;
  }
  /// The same of what is first on an arc that meets others on links: these count, too, with all that they have yet to
  /// carry.
  Waiting among_others(std::size_t arc) {
    Waiting first = first_on(arc);
    if (!links_.meet()) return first;
    std::int64_t most = 0;
    links_.each(static_cast<std::int32_t>(arc),
                [&](std::size_t link) { most = std::max(most, rounds_for(link, to_carry_[link])); });
    first.urgency = std::max(first.urgency, most + ends_[first.end].arcs);
    return first;
  }
  std::priority_queue<Turn>& waiting(std::int32_t end) { return waiting_[static_cast<std::size_t>(end)]; }
  void wait(std::int32_t packet) {
    const auto& [parcel, end] = packets_[static_cast<std::size_t>(packet)];
    const auto ranks = static_cast<std::int32_t>(network_.ranks());
    const std::int32_t turn = (parcel->target - parcel->source + ranks) % ranks * chunks_ + parcel->chunk;
    links_.each(ends_[end].arc, [&](std::size_t link) {
      to_come_[link] -= packets_[static_cast<std::size_t>(packet)].parcel->words;
      rounds_to_come_[link] = rounds_for(link, to_come_[link]);
    });
    waiting(end).push({turn, packet});
    ++on_arc_[static_cast<std::size_t>(ends_[end].arc)];
    if (waiting(end).top().packet == packet) look_at(end);
  }
  /// Its first one is looked at on its arc.
  void look_at(std::int32_t end) {
    first_[static_cast<std::size_t>(ends_[end].arc)].push({urgency(end), waiting(end).top(), end});
  }
  /// The most urgent on an arc. Those that have become less urgent since they were looked at are put back; those that
  /// are no longer the first of their end are left out.
  const Waiting& first_on(std::size_t arc) {
    for (std::priority_queue<Waiting>& all = first_[arc];;) {
      Waiting first = all.top();
      if (waiting(first.end).empty() || waiting(first.end).top() != first.first) {
        all.pop();
        continue;
      }
      const std::int64_t now = urgency(first.end);
      if (now == first.urgency) return all.top();
      all.pop();
      first.urgency = now;
      all.push(first);
    }
  }
  /// After first_on() that arc.
  std::int32_t pop(std::size_t arc) {
    const Waiting first = first_[arc].top();
    first_[arc].pop();
    waiting(first.end).pop();
    --on_arc_[arc];
    if (!waiting(first.end).empty()) look_at(first.end);
    return first.first.packet;
  }
  std::int32_t words(std::int32_t packet) const { return packets_[static_cast<std::size_t>(packet)].parcel->words; }
  /// Who moves where all links work at once.
  std::vector<std::int32_t> moved_by_all() {
    std::vector<std::int32_t> moved;
    for (std::size_t arc = 0; arc < first_.size(); ++arc) {
      const std::int64_t room = network_.arcs()[arc].capacity * most_;
      for (std::int64_t carried = 0; on_arc_[arc] > 0;) {
        const std::int32_t next = words(first_on(arc).first.packet);
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
    const auto add_first_on = [&](std::size_t arc) {
      if (on_arc_[arc] > 0) first.emplace(among_others(arc), static_cast<std::int32_t>(arc));
    };
    for (std::size_t arc = 0; arc < first_.size(); ++arc) add_first_on(arc);
    std::vector<std::int32_t> moved;
    room_.begin();
    while (!first.empty()) {
      const std::int32_t arc = first.top().second;
      first.pop();
      if (!room_.take(arc, words(first_[static_cast<std::size_t>(arc)].top().first.packet))) continue;
      moved.push_back(pop(static_cast<std::size_t>(arc)));
      add_first_on(static_cast<std::size_t>(arc));
    }
    return moved;
  }
  void round() {
    const std::vector<std::int32_t> moved = turns_.any() || links_.meet() ? moved_by_turns() : moved_by_all();
    for (const std::int32_t packet : moved) {
      Packet& p = packets_[static_cast<std::size_t>(packet)];
      const std::int32_t arc = ends_[p.end].arc;
      p.end = ends_[p.end].next;
      if (links_.meet()) links_.each(arc, [&](std::size_t link) { to_carry_[link] -= p.parcel->words; });
      result_.moves.push_back({result_.rounds, arc, packet});
    }
    for (const std::int32_t packet : moved)
      packets_[static_cast<std::size_t>(packet)].end < 0 ? void(--left_) : wait(packet);
  }

  const Network& network_;
  const LinksOfArcs& links_;
  const std::vector<Parcel>& parcels_;
  TakingTurns turns_;
  std::int64_t most_;
  std::int32_t chunks_ = 0;
  RoomOfRound room_;
  WayEnds ends_;
  std::vector<std::priority_queue<Turn>> waiting_;   ///< for each end
  std::vector<std::int64_t> on_arc_;                 ///< how many wait for each arc
  std::vector<std::priority_queue<Waiting>> first_;  ///< on each arc, of each end that begins there
  std::vector<std::int64_t> to_come_;                ///< words for each link that do not wait for it yet
  std::vector<std::int64_t> rounds_to_come_;         ///< in which it can carry these
  std::vector<std::int64_t> to_carry_;               ///< words that it has not carried yet; none where arcs do not meet
  std::vector<Packet> packets_;
  std::int64_t left_ = 0;
  ExchangeRounds result_;
};

/// Whether arcs share links, each of which carries one parcel in a round: to leave no link idle is hard then.
bool are_tight(const LinksOfArcs& links, const std::vector<Parcel>& parcels, const TakingTurns& turns,
               std::int64_t most) {
  if (!links.meet() || turns.one_way || turns.one_task) return false;
  for (std::size_t link = 0; link < links.count(); ++link)
    if (links.capacity(link) != 1) return false;
  return std::all_of(parcels.begin(), parcels.end(), [&](const Parcel& p) { return p.words == most; });
}

}  // namespace

LinksOfArcs::LinksOfArcs(const Network& network, const SharedLinks& shared) : capacity_(shared.capacity) {
  if (shared.of_arc.empty()) {
    for (const Arc& arc : network.arcs()) capacity_.push_back(arc.capacity);
    return;
  }
  first_.push_back(0);
  for (const std::vector<std::int32_t>& links : shared.of_arc) {
    links_.insert(links_.end(), links.begin(), links.end());
    first_.push_back(links_.size());
  }
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
  if (are_tight(links, parcels, turns, most))
    rounds.rounds = in_fewer_rounds(rounds.moves, network, links, turns.one_port, rounds.congestion);
  rounds.parcels = std::move(parcels);
  give_places(rounds, network);
  return rounds;
}

}  // namespace quadrille::flow
