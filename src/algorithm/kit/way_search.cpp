#include "algorithm/kit/way_search.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <tuple>
#include <utility>

#include "base/exponential.hpp"
#include "cost/link_costs.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr int most_way_passes = 8;
constexpr std::int64_t most_way_looks = 1 << 25;  ///< at links in rounds, in one search
constexpr double most_way_loads = 1 << 22;        ///< links times rounds

class WaySearch {
 public:
  WaySearch(const Topology& topology, const Machine& machine, std::vector<PairTraffic> pairs, std::int64_t rounds)
      : topology_(topology),
        pairs_(std::move(pairs)),
        links_(static_cast<std::size_t>(topology.links())),
        first_(static_cast<std::size_t>(topology.vertices()) + 1, 0),
        leaving_(links_),
        loads_(static_cast<std::size_t>(rounds) * links_, 0),
        lengths_(loads_.size(), unknown),
        busiest_(static_cast<std::size_t>(rounds), 0),
        measured_(busiest_),
        reached_(first_.size()),
        by_(first_.size()) {
    const cost::LinkCosts costs(machine, topology);
    for (Link l = 0; l < topology.links(); ++l) {
      slowness_.push_back(costs.slowness(l));
      ++first_[static_cast<std::size_t>(topology.tail(l)) + 1];
    }
    for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (Link l = 0; l < topology.links(); ++l) leaving_[next[static_cast<std::size_t>(topology.tail(l))]++] = l;
    for (const PairTraffic& pair : pairs_) {
      ways_.push_back({pair.from, pair.to, {}, 1});
      topology.route(pair.from, pair.to, ways_.back().links);
      carry(ways_.size() - 1, 1);
    }
    make_batches();
  }

  /// The best after some passes over all pairs; nothing where there is no time for one.
  std::vector<Topology::Way> find() {
    std::vector<Topology::Way> best;
    double least = time();
    for (int pass = 0, idle = 0; pass < most_way_passes && idle < 2; ++pass) {
      for (std::size_t i = 0; i < batches_.size() && looks_ < most_way_looks; ++i) choose(batches_[i]);
      if (looks_ >= most_way_looks) break;
      const double now = time();
      idle = now < least * (1 - 1e-9) ? 0 : idle + 1;
      if (best.empty() || now < least) best = ways_;
      least = std::min(least, now);
    }
    std::erase_if(best, [&](const Topology::Way& way) { return passes_a_rank(way); });
    return best;
  }

 private:
  /// As routes may, where no way leads through switches alone.
  bool passes_a_rank(const Topology::Way& way) const {
    return std::any_of(way.links.begin(), way.links.end(), [&](Link link) {
      return topology_.head(link) < topology_.ranks() && topology_.head(link) != way.to;
    });
  }
  std::size_t at(std::int32_t round, Link link) const {
    return static_cast<std::size_t>(round) * links_ + static_cast<std::size_t>(link);
  }
  void carry(std::size_t pair, int sign) {
    for (const PairTraffic::InRound& part : pairs_[pair].rounds)
      for (const Link link : ways_[pair].links) {
        loads_[at(part.round, link)] += sign * part.bytes * slowness_[static_cast<std::size_t>(link)];
        lengths_[at(part.round, link)] = unknown;
      }
  }
  /// Of all rounds, one after the other; and what the busiest link of each has.
  double time() {
    double all = 0;
    for (std::size_t t = 0; t < busiest_.size(); ++t) {
      const auto begin = loads_.begin() + static_cast<std::ptrdiff_t>(t * links_);
      busiest_[t] = *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(links_));
      all += busiest_[t];
    }
    std::fill(lengths_.begin(), lengths_.end(), unknown);
    return all;
  }
  double length(const PairTraffic& pair, Link link) {
    double sum = 0;
    looks_ += std::ssize(pair.rounds);
    for (const PairTraffic::InRound& part : pair.rounds) {
      double& known = lengths_[at(part.round, link)];
      if (known == unknown) known = length(part, link);
      sum += known;
    }
    return sum;
  }
  double length(const PairTraffic::InRound& part, Link link) const {
    constexpr double sharpness = 18, of_a_link = 0.001;
    const double own = part.bytes * slowness_[static_cast<std::size_t>(link)],
                 share = loads_[at(part.round, link)] + own,
                 most = std::max(busiest_[static_cast<std::size_t>(part.round)], share);
    if (own == 0) return of_a_link;
    return own * (base::exponential(sharpness * (share / most - 1)) + of_a_link);
  }
  /// Lengths are kept of messages that are as long as the last one of their round.
  void measure_for(const PairTraffic& pair) {
    for (const PairTraffic::InRound& part : pair.rounds) {
      double& bytes = measured_[static_cast<std::size_t>(part.round)];
      if (std::exchange(bytes, part.bytes) == part.bytes) continue;
      const auto begin = lengths_.begin() + static_cast<std::ptrdiff_t>(at(part.round, 0));
      std::fill(begin, begin + static_cast<std::ptrdiff_t>(links_), unknown);
    }
  }

  /// Pairs of one rank with the same traffic can be looked for together. One by one is better, where there is time.
  void make_batches() {
    std::vector<std::size_t> starts;
    double parts = 0;
    for (std::size_t i = 0; i < pairs_.size(); ++i) {
      if (i > 0 && pairs_[i].from == pairs_[i - 1].from && pairs_[i].rounds == pairs_[i - 1].rounds) continue;
      starts.push_back(i);
      parts += static_cast<double>(pairs_[i].rounds.size());
    }
    const double of_all = parts * static_cast<double>(links_) * most_way_passes;
    const auto most = static_cast<std::size_t>(std::max(1.0, static_cast<double>(most_way_looks) / of_all));
    starts.push_back(pairs_.size());
    for (std::size_t g = 0; g + 1 < starts.size(); ++g) {
      const std::size_t count = starts[g + 1] - starts[g], batches = std::min(count, most), first = batches_.size();
      batches_.resize(first + batches);
      for (std::size_t i = 0; i < count; ++i) batches_[first + i % batches].push_back(starts[g] + i);
    }
  }

  /// New ways for pairs of one rank with the same traffic.
  void choose(const std::vector<std::size_t>& batch) {
    for (const std::size_t i : batch) carry(i, -1);
    const PairTraffic& one = pairs_[batch.front()];
    measure_for(one);
    search_from(one, batch);
    for (const std::size_t i : batch) {
      std::vector<Link>& way = ways_[i].links;
      if (reached_[static_cast<std::size_t>(pairs_[i].to)] < HUGE_VAL) {
        way.clear();
        for (Rank v = pairs_[i].to; v != one.from; v = topology_.tail(way.back()))
          way.push_back(by_[static_cast<std::size_t>(v)]);
        std::reverse(way.begin(), way.end());
      }
      carry(i, 1);
    }
  }
  /// The shortest ways through switches, until all ranks of the batch are reached.
  void search_from(const PairTraffic& one, const std::vector<std::size_t>& batch) {
    using Reached = std::pair<double, Rank>;
    std::priority_queue<Reached, std::vector<Reached>, std::greater<>> queue;
    std::fill(reached_.begin(), reached_.end(), HUGE_VAL);
    reached_[static_cast<std::size_t>(one.from)] = 0;
    queue.push({0, one.from});
    for (std::size_t left = batch.size(); left > 0 && !queue.empty();) {
      const auto [far, v] = queue.top();
      queue.pop();
      if (far > reached_[static_cast<std::size_t>(v)]) continue;
      if (v != one.from && v < topology_.ranks()) {  // no rank is passed
        for (const std::size_t i : batch) left -= pairs_[i].to == v ? 1 : 0;
        continue;
      }
      for (std::size_t k = first_[static_cast<std::size_t>(v)]; k < first_[static_cast<std::size_t>(v) + 1]; ++k) {
        const Link link = leaving_[k];
        const auto head = static_cast<std::size_t>(topology_.head(link));
        const double here = far + length(one, link);
        if (here >= reached_[head]) continue;
        reached_[head] = here;
        by_[head] = link;
        queue.push({here, static_cast<Rank>(head)});
      }
    }
  }

  const Topology& topology_;
  std::vector<PairTraffic> pairs_;
  std::size_t links_;
  std::vector<std::size_t> first_;  ///< of each vertex in leaving_
  std::vector<Link> leaving_;
  std::vector<double> slowness_;
  static constexpr double unknown = -1;
  std::vector<double> loads_, lengths_;     ///< by round, then link; in bytes on a link of slowness 1
  std::vector<double> busiest_, measured_;  ///< of each round: its busiest link, and for which bytes lengths are kept
  std::vector<double> reached_;
  std::vector<Link> by_;
  std::vector<Topology::Way> ways_;
  std::vector<std::vector<std::size_t>> batches_;
  std::int64_t looks_ = 0;
};

/// Parts of a pair with the same way as one.
std::vector<Topology::Way> joined(std::vector<Topology::Way> ways) {
  const auto place = [](const Topology::Way& way) { return std::tie(way.from, way.to, way.links); };
  std::sort(ways.begin(), ways.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
  std::vector<Topology::Way> all;
  for (Topology::Way& way : ways)
    if (!all.empty() && place(all.back()) == place(way))
      all.back().parts += way.parts;
    else
      all.push_back(std::move(way));
  return all;
}

}  // namespace

std::vector<Topology::Way> ways_for(const Topology& topology, const Machine& machine, std::vector<PairTraffic> pairs,
                                    std::int64_t rounds, std::int32_t parts) {
  if (static_cast<double>(rounds) * static_cast<double>(topology.links()) > most_way_loads) return {};
  std::vector<PairTraffic> divided;
  for (PairTraffic& pair : pairs) {
    for (PairTraffic::InRound& part : pair.rounds) part.bytes /= parts;
    divided.insert(divided.end(), static_cast<std::size_t>(parts), pair);
  }
  return joined(WaySearch(topology, machine, std::move(divided), rounds).find());
}

}  // namespace quadrille::algorithm::kit
