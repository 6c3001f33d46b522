#include "flow/exchange_ways.hpp"

#include <algorithm>
#include <queue>
#include <tuple>
#include <utility>

#include "base/integer.hpp"
#include "flow/shortest_trees.hpp"

namespace quadrille::flow {

namespace {

using Way = std::vector<std::int32_t>;  ///< arcs

/// e^x for some -20 <= x <= 0, by additions and products alone. What libraries give differs in the last bit from one
/// processor to the other, and with it would the ways.
double exponential(double x) {
  const double part = x / 1024;
  double power = 1, sum = 1;
  for (int k = 1; k < 8; ++k) power *= part / k, sum += power;
  for (int doubling = 0; doubling < 10; ++doubling) sum *= sum;
  return sum;
}

/// The ways of all chunks, improved batch by batch: one is taken out, and put back along ways that are short where
/// links that have much are long.
class Ways {
 public:
  Ways(const Network& network, std::int32_t chunks, const Demand& demand)
      : network_(network),
        chunks_(chunks),
        demand_(demand),
        ranks_(static_cast<std::int32_t>(network.ranks())),
        batches_(network.ranks() <= 32 ? std::max<std::int32_t>(1, ranks_) : 4),
        trees_(network),
        load_(network.arcs().size(), 0),
        lengths_(network.arcs().size()),
        ways_(static_cast<std::size_t>(network.ranks() * network.ranks() * chunks)) {}

  void find() {
    constexpr int passes = 7;
    for (const Arc& arc : network_.arcs()) mean_ += static_cast<double>(arc.capacity);
    for (int pass = 0; pass <= passes && (pass < 2 || improved_); ++pass) {
      const std::int64_t before = congestion();
      for (std::int32_t chunk = 0; chunk < chunks_; ++chunk)
        for (std::int32_t source = std::max(0, demand_.from); source < sources_end(); ++source)
          for (std::int32_t batch = 0; batch < batches_; ++batch) route(source, chunk, batch, pass);
      if (pass > 0 && congestion() >= before && ++idle_ > 1) improved_ = false;
    }
  }
  std::int64_t congestion() const {
    std::int64_t most = 0;
    for (std::size_t i = 0; i < load_.size(); ++i)
      most = std::max(most, base::ceil_div(load_[i], network_.arcs()[i].capacity));
    return most;
  }
  const Way& way(std::int32_t source, std::int32_t target, std::int32_t chunk) const {
    return ways_[static_cast<std::size_t>((std::int64_t{chunk} * ranks_ + source) * ranks_ + target)];
  }

 private:
  Way& at(std::int32_t source, std::int32_t target, std::int32_t chunk) {
    return ways_[static_cast<std::size_t>((std::int64_t{chunk} * ranks_ + source) * ranks_ + target)];
  }
  std::int32_t sources_end() const { return demand_.from < 0 ? ranks_ : demand_.from + 1; }
  void route(std::int32_t source, std::int32_t chunk, std::int32_t batch, int pass) {
    const auto mine = [&](std::int32_t target) {
      return demand_.wants(source, target) && (target * 7 + source + pass) % batches_ == batch;
    };
    for (std::int32_t target = 0; target < ranks_; ++target)
      if (mine(target)) {
        Way& way = at(source, target, chunk);
        for (const std::int32_t arc : way) --load_[static_cast<std::size_t>(arc)];
        carried_ -= static_cast<double>(way.size());
        way.clear();
      }
    measure();
    trees_.grow(source, lengths_);
    for (std::int32_t target = 0; target < ranks_; ++target)
      if (mine(target)) {
        Way& way = at(source, target, chunk);
        for (Vertex v = network_.host(target); v != network_.host(source);) {
          way.push_back(trees_.arrival(v));
          v = network_.arcs()[static_cast<std::size_t>(way.back())].from;
        }
        std::reverse(way.begin(), way.end());
        for (const std::int32_t arc : way) ++load_[static_cast<std::size_t>(arc)];
        carried_ += static_cast<double>(way.size());
      }
  }
  /// Against the busiest link, or the mean one while there is little on any.
  void measure() {
    constexpr double sharpness = 18;
    double most = std::max(1.0, carried_ / mean_);
    for (std::size_t i = 0; i < load_.size(); ++i) most = std::max(most, share(i));
    for (std::size_t i = 0; i < load_.size(); ++i)
      lengths_[i] =
          exponential(sharpness * (share(i) / most - 1)) / static_cast<double>(network_.arcs()[i].capacity) + 0.001;
  }
  double share(std::size_t arc) const {
    return static_cast<double>(load_[arc]) / static_cast<double>(network_.arcs()[arc].capacity);
  }

  const Network& network_;
  std::int32_t chunks_;
  Demand demand_;
  std::int32_t ranks_, batches_;  ///< of small networks every way by itself
  ShortestTrees trees_;
  std::vector<std::int64_t> load_;
  std::vector<double> lengths_;
  std::vector<Way> ways_;
  double mean_ = 0, carried_ = 0;
  bool improved_ = true;
  int idle_ = 0;
};

/// What a round still has room for, where ranks or wires take turns.
class RoomOfRound {
 public:
  RoomOfRound(const Network& network, const TakingTurns& turns)
      : network_(network),
        turns_(turns),
        carried_(network.arcs().size(), 0),
        back_(carried_.size(), -1),
        ranks_(static_cast<std::size_t>(network.ranks())) {
    for (std::size_t i = 0; i < carried_.size(); ++i)
      back_[i] = static_cast<std::int32_t>(network.find(network.arcs()[i].to, network.arcs()[i].from));
  }
  void begin() {
    std::fill(carried_.begin(), carried_.end(), 0);
    std::fill(ranks_.begin(), ranks_.end(), Busy{});
  }
  /// Whether the arc may carry another chunk; then it does.
  bool take(std::int32_t arc) {
    const Arc& over = network_.arcs()[static_cast<std::size_t>(arc)];
    Busy& sender = ranks_[static_cast<std::size_t>(network_.rank(over.from))];
    Busy& receiver = ranks_[static_cast<std::size_t>(network_.rank(over.to))];
    const std::int32_t back = back_[static_cast<std::size_t>(arc)];
    if (carried_[static_cast<std::size_t>(arc)] >= over.capacity) return false;
    if (turns_.one_way && back >= 0 && carried_[static_cast<std::size_t>(back)] > 0) return false;
    if (turns_.one_port &&
        ((sender.sends >= 0 && sender.sends != arc) || (receiver.receives >= 0 && receiver.receives != arc)))
      return false;
    if (turns_.one_task && (sender.receives >= 0 || receiver.sends >= 0)) return false;
    sender.sends = receiver.receives = arc;
    ++carried_[static_cast<std::size_t>(arc)];
    return true;
  }

 private:
  struct Busy {
    std::int32_t sends = -1, receives = -1;  ///< over this arc
  };
  const Network& network_;
  TakingTurns turns_;
  std::vector<std::int64_t> carried_;
  std::vector<std::int32_t> back_;  ///< the arc of the same wire the other way; -1: there is none
  std::vector<Busy> ranks_;
};

/// Every link takes those first that have farthest to go.
class Traffic {
 public:
  Traffic(const Network& network, std::int32_t chunks, const Demand& demand, const TakingTurns& turns)
      : network_(network),
        chunks_(chunks),
        demand_(demand),
        turns_(turns),
        room_(network, turns),
        waiting_(network.arcs().size()),
        free_(static_cast<std::size_t>(network.ranks() * chunks)),
        used_(free_.size(), 0) {}

  ExchangeRounds run(const Ways& ways) {
    const auto ranks = static_cast<std::int32_t>(network_.ranks());
    for (std::int32_t chunk = 0; chunk < chunks_; ++chunk)
      for (std::int32_t source = 0; source < ranks; ++source)
        for (std::int32_t target = 0; target < ranks; ++target)
          if (demand_.wants(source, target)) {
            packets_.push_back({&ways.way(source, target, chunk), source, target, chunk});
            wait(static_cast<std::int32_t>(packets_.size()) - 1);
          }
    for (left_ = static_cast<std::int64_t>(packets_.size()); left_ > 0; ++result_.rounds) round();
    result_.congestion = ways.congestion();
    return std::move(result_);
  }

 private:
  struct Packet {
    const Way* way;
    std::int32_t source, target, chunk;
    std::int32_t next = 0, place = -1;
    std::int32_t rest() const { return static_cast<std::int32_t>(way->size()) - next; }
  };
  struct Waiting {
    std::int32_t rest, turn, packet;
    /// No two are alike, so that the order does not depend on how a queue is made.
    bool operator<(const Waiting& other) const {
      return std::tie(rest, other.turn, other.packet) < std::tie(other.rest, turn, packet);
    }
  };
  void wait(std::int32_t packet) {
    const Packet& p = packets_[static_cast<std::size_t>(packet)];
    const auto ranks = static_cast<std::int32_t>(network_.ranks());
    const std::int32_t turn = (p.target - p.source + ranks) % ranks * chunks_ + p.chunk;
    waiting_[static_cast<std::size_t>((*p.way)[static_cast<std::size_t>(p.next)])].push({p.rest(), turn, packet});
  }
  std::vector<std::int32_t>& free_at(Rank rank, std::int32_t chunk) {
    return free_[static_cast<std::size_t>(rank * chunks_ + chunk)];
  }
  std::int32_t take_place(Rank rank, std::int32_t chunk) {
    std::vector<std::int32_t>& free = free_at(rank, chunk);
    if (free.empty()) {
      const std::int32_t place = used_[static_cast<std::size_t>(rank * chunks_ + chunk)]++;
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
  /// Who moves where all links work at once.
  std::vector<std::int32_t> moved_by_all() {
    std::vector<std::int32_t> moved;
    for (std::size_t arc = 0; arc < waiting_.size(); ++arc)
      for (std::int64_t more = network_.arcs()[arc].capacity; more > 0 && !waiting_[arc].empty(); --more)
        moved.push_back(pop(arc));
    return moved;
  }
  /// Who moves where some take turns: those first that have farthest to go, over whatever link.
  std::vector<std::int32_t> moved_by_turns() {
    std::priority_queue<std::pair<Waiting, std::int32_t>> first;  // the first of every arc
    const auto look_at = [&](std::size_t arc) {
      if (!waiting_[arc].empty()) first.emplace(waiting_[arc].top(), static_cast<std::int32_t>(arc));
    };
    for (std::size_t arc = 0; arc < waiting_.size(); ++arc) look_at(arc);
    std::vector<std::int32_t> moved;
    room_.begin();
    while (!first.empty()) {
      const std::int32_t arc = first.top().second;
      first.pop();
      if (!room_.take(arc)) continue;
      moved.push_back(pop(static_cast<std::size_t>(arc)));
      look_at(static_cast<std::size_t>(arc));
    }
    return moved;
  }
  void round() {
    const std::vector<std::int32_t> moved = turns_.any() ? moved_by_turns() : moved_by_all();
    std::vector<std::tuple<Rank, std::int32_t, std::int32_t>> left;  // places that are free in the next round
    for (const std::int32_t packet : moved) {
      Packet& p = packets_[static_cast<std::size_t>(packet)];
      const std::int32_t arc = (*p.way)[static_cast<std::size_t>(p.next++)];
      const Arc& over = network_.arcs()[static_cast<std::size_t>(arc)];
      const std::int32_t from = p.place;
      if (from >= 0) left.emplace_back(network_.rank(over.from), p.chunk, from);
      p.place = p.rest() == 0 ? -1 : take_place(network_.rank(over.to), p.chunk);
      result_.moves.push_back({result_.rounds, arc, p.source, p.target, p.chunk, from, p.place});
    }
    for (const auto& [rank, chunk, place] : left) free_at(rank, chunk).push_back(place);
    for (const std::int32_t packet : moved)
      packets_[static_cast<std::size_t>(packet)].rest() == 0 ? void(--left_) : wait(packet);
  }

  const Network& network_;
  std::int32_t chunks_;
  Demand demand_;
  TakingTurns turns_;
  RoomOfRound room_;
  std::vector<std::priority_queue<Waiting>> waiting_;
  std::vector<std::vector<std::int32_t>> free_;
  std::vector<std::int32_t> used_;
  std::vector<Packet> packets_;
  std::int64_t left_ = 0;
  ExchangeRounds result_;
};

}  // namespace

ExchangeRounds exchange_in_rounds(const Network& network, std::int32_t chunks, const Demand& demand,
                                  const TakingTurns& turns) {
  if (network.ranks() != network.vertices())
    throw Error(Error::Kind::argument, "exchange: switches keep no blocks; expected a network of hosts alone");
  Ways ways(network, chunks, demand);
  ways.find();
  return Traffic(network, chunks, demand, turns).run(ways);
}

}  // namespace quadrille::flow
