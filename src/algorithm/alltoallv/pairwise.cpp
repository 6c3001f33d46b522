// Messages of an alltoallv in rounds in which no rank sends two and none receives two, the longest first: an edge
// colouring.
#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <unordered_set>

#include "algorithm/alltoallv/shared/messages.hpp"
#include "algorithm/kit/counted.hpp"
#include "algorithm/kit/support.hpp"
#include "algorithm/on_routes.hpp"
#include "algorithm/registry.hpp"

namespace quadrille::algorithm::alltoallv_pairwise {

namespace {

/// The longest first, so that those of a round are about as long. Of equal ones those to the next rank, then those to
/// the one after it: where all pairs have as much, every round is a shift.
std::vector<std::size_t> longest_first(const Demands& demands, Rank ranks) {
  std::vector<std::size_t> order(demands.pairs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto shift = [&](std::size_t i) { return base::wrap(demands.pairs[i].to - demands.pairs[i].from, ranks); };
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return demands.words(a) != demands.words(b) ? demands.words(a) > demands.words(b) : shift(a) < shift(b);
  });
  return order;
}

/// Rounds in which a rank sends, or receives, each with the pair.
class Busy {
 public:
  static constexpr std::size_t nobody = ~std::size_t{0};
  std::size_t at(std::int32_t round) const {
    const auto found = pairs_.find(round);
    return found == pairs_.end() ? nobody : found->second;
  }
  bool free(std::int32_t round) const { return !pairs_.contains(round); }
  std::int32_t first_free() const {
    std::int32_t round = 0;
    while (!free(round)) ++round;
    return round;
  }
  void take(std::int32_t round, std::size_t pair) { pairs_[round] = pair; }
  void leave(std::int32_t round) { pairs_.erase(round); }

 private:
  std::unordered_map<std::int32_t, std::size_t> pairs_;
};

/// Messages in rounds, one after the other.
class Rounds {
 public:
  /// One task: no rank sends and receives in a round.
  Rounds(const Demands& demands, Rank ranks, bool one_task)
      : demands_(demands),
        one_task_(one_task),
        sends_(static_cast<std::size_t>(ranks)),
        receives_(one_task ? 0 : sends_.size()),
        rounds_(demands.pairs.size()) {
    for (std::size_t r = 0; r < sends_.size(); ++r)
      most_ = std::max({most_, static_cast<std::int32_t>(demands.sent[r + 1] - demands.sent[r]),
                        static_cast<std::int32_t>(demands.received[r + 1] - demands.received[r])});
  }
  /// In the first round in which both ends are free. Where that is later than the busiest rank's messages take, others
  /// make room, so that no more rounds are needed than those (König 1916).
  void add(std::size_t pair) {
    std::int32_t round = 0;
    while (!sender(pair).free(round) || !receiver(pair).free(round)) ++round;
    if (!one_task_ && round >= most_) {
      round = sender(pair).first_free();
      swap_from(pair, round, receiver(pair).first_free());
    }
    put(pair, round);
  }
  std::vector<std::int32_t> take() { return std::move(rounds_); }

 private:
  Busy& sender(std::size_t pair) { return sends_[static_cast<std::size_t>(demands_.pairs[pair].from)]; }
  Busy& receiver(std::size_t pair) {
    return (one_task_ ? sends_ : receives_)[static_cast<std::size_t>(demands_.pairs[pair].to)];
  }
  void put(std::size_t pair, std::int32_t round) {
    rounds_[pair] = round;
    sender(pair).take(round, pair), receiver(pair).take(round, pair);
  }
  /// Messages of these two rounds that hang together, from the receiver of the pair on, change rounds. They do not come
  /// to the pair's sender: it is free in the first round, by which they would enter it.
  void swap_from(std::size_t pair, std::int32_t round, std::int32_t other) {
    std::vector<std::size_t> chain;
    for (std::size_t next = receiver(pair).at(round); next != Busy::nobody;) {
      chain.push_back(next);
      next = chain.size() % 2 == 1 ? sender(next).at(other) : receiver(next).at(round);
    }
    for (const std::size_t one : chain) sender(one).leave(rounds_[one]), receiver(one).leave(rounds_[one]);
    for (const std::size_t one : chain) put(one, rounds_[one] == round ? other : round);
  }

  const Demands& demands_;
  bool one_task_;
  std::int32_t most_ = 0;  ///< messages that a rank sends, or receives
  std::vector<Busy> sends_, receives_;
  std::vector<std::int32_t> rounds_;
};

/// On a bus a rank sends all that it has at once, in the first of a few rounds that the bus still serves and in which
/// it sends to no sender and takes nothing.
std::vector<std::int32_t> by_sender(const Spec& spec, std::int64_t at_once) {
  constexpr std::size_t most_open = 8;
  struct Open {
    std::int32_t round = 0;
    std::int64_t senders = 0;
    std::unordered_set<Rank> gives = {}, takes = {};
  };
  const Demands& demands = *spec.demands;
  std::vector<std::int32_t> rounds(demands.pairs.size());
  std::vector<Open> open;
  std::int32_t count = 0;
  for (Rank r = 0; r < spec.ranks(); ++r) {
    const std::size_t begin = demands.sent[static_cast<std::size_t>(r)],
                      end = demands.sent[static_cast<std::size_t>(r) + 1];
    if (begin == end) continue;
    const auto fits = [&](const Open& o) {
      bool meets = o.takes.contains(r);
      for (std::size_t i = begin; i < end && !meets; ++i) meets = o.gives.contains(demands.pairs[i].to);
      return !meets;
    };
    auto at = std::find_if(open.begin(), open.end(), fits);
    if (at == open.end()) {
      if (open.size() == most_open) open.erase(open.begin());
      at = open.insert(open.end(), Open{.round = count++});
    }
    at->gives.insert(r);
    for (std::size_t i = begin; i < end; ++i) rounds[i] = at->round, at->takes.insert(demands.pairs[i].to);
    if (++at->senders == at_once) open.erase(at);
  }
  return rounds;
}

std::string illegal(const Spec& spec, const Machine& machine, const Params&) {
  const Topology& t = *spec.topology;
  if (kit::is_memory(spec))
    return fmt::format("sends from rank to rank, and on {} all goes through a memory; nearest: crossbar:{}", t.text(),
                       spec.ranks());
  if (machine.switching != Switching::store_and_forward || !t.direct()) return {};
  for (const Demand& pair : spec.demands->pairs)
    if (!t.adjacent(pair.from, pair.to))
      return fmt::format(
          "rank {} sends to {}, which is no neighbour; that needs circuit or wormhole switching; try --set "
          "switching=wormhole",
          pair.from, pair.to);
  return {};
}

SchedulePtr build(const Spec& spec, const Machine& machine, const Params&) {
  if (kit::is_bus(spec)) return alltoallv::in_rounds(spec, by_sender(spec, machine.shared));
  Rounds rounds(*spec.demands, spec.ranks(), kit::half_duplex(machine));
  for (const std::size_t pair : longest_first(*spec.demands, spec.ranks())) rounds.add(pair);
  return alltoallv::in_rounds(spec, rounds.take());
}

}  // namespace

Algorithm describe() {
  return {
      .name = "alltoallv_pairwise",
      .collective = Collective::alltoallv,
      .summary = "rounds in which a rank sends one message and receives one, the longest first; on a bus by senders",
      .source = "classical; as few rounds as the busiest rank has messages: König 1916",
      .closed_form = {.where = "any network on which messages go straight: counted"},
      .parameters = {},
      .claims = alltoallv::straight_claims,
      .illegal = illegal,
      .variants = kit::one_variant,
      .cost = kit::cost_of<build>,
      .build = build,
      .straight = true};
}

}  // namespace quadrille::algorithm::alltoallv_pairwise
