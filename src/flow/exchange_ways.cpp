#include "flow/exchange_ways.hpp"

#include <algorithm>
#include <cmath>
#include <queue>
#include <tuple>

#include "base/integer.hpp"
#include "flow/shortest_trees.hpp"

namespace quadrille::flow {

namespace {

using Way = std::vector<std::int32_t>;  ///< arcs

/// The ways of all chunks, improved batch by batch: one is taken out, and put back along ways that are short where
/// links that have much are long.
class Ways {
 public:
  Ways(const Network& network, std::int32_t chunks)
      : network_(network),
        chunks_(chunks),
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
        for (std::int32_t source = 0; source < ranks_; ++source)
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
  void route(std::int32_t source, std::int32_t chunk, std::int32_t batch, int pass) {
    const auto mine = [&](std::int32_t target) {
      return target != source && (target * 7 + source + pass) % batches_ == batch;
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
          std::exp(sharpness * (share(i) / most - 1)) / static_cast<double>(network_.arcs()[i].capacity) + 0.001;
  }
  double share(std::size_t arc) const {
    return static_cast<double>(load_[arc]) / static_cast<double>(network_.arcs()[arc].capacity);
  }

  const Network& network_;
  std::int32_t chunks_, ranks_, batches_;  ///< of small networks every way by itself
  ShortestTrees trees_;
  std::vector<std::int64_t> load_;
  std::vector<double> lengths_;
  std::vector<Way> ways_;
  double mean_ = 0, carried_ = 0;
  bool improved_ = true;
  int idle_ = 0;
};

/// Every link takes those first that have farthest to go.
class Traffic {
 public:
  Traffic(const Network& network, std::int32_t chunks)
      : network_(network),
        chunks_(chunks),
        waiting_(network.arcs().size()),
        free_(static_cast<std::size_t>(network.ranks() * chunks)),
        used_(free_.size(), 0) {}

  ExchangeRounds run(const Ways& ways) {
    const auto ranks = static_cast<std::int32_t>(network_.ranks());
    for (std::int32_t chunk = 0; chunk < chunks_; ++chunk)
      for (std::int32_t source = 0; source < ranks; ++source)
        for (std::int32_t target = 0; target < ranks; ++target)
          if (source != target) {
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
    bool operator<(const Waiting& other) const { return std::tie(rest, other.turn) < std::tie(other.rest, turn); }
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
  void round() {
    std::vector<std::int32_t> moved;
    std::vector<std::tuple<Rank, std::int32_t, std::int32_t>> left;  // places that are free in the next round
    for (std::size_t arc = 0; arc < waiting_.size(); ++arc)
      for (std::int64_t more = network_.arcs()[arc].capacity; more > 0 && !waiting_[arc].empty(); --more) {
        moved.push_back(waiting_[arc].top().packet);
        waiting_[arc].pop();
      }
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
  std::vector<std::priority_queue<Waiting>> waiting_;
  std::vector<std::vector<std::int32_t>> free_;
  std::vector<std::int32_t> used_;
  std::vector<Packet> packets_;
  std::int64_t left_ = 0;
  ExchangeRounds result_;
};

}  // namespace

ExchangeRounds exchange_in_rounds(const Network& network, std::int32_t chunks) {
  if (network.ranks() != network.vertices())
    throw Error(Error::Kind::argument, "exchange: switches keep no blocks; expected a network of hosts alone");
  Ways ways(network, chunks);
  ways.find();
  return Traffic(network, chunks).run(ways);
}

}  // namespace quadrille::flow
