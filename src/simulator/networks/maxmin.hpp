// Max-min fair rates: what every flow gets when all share the resources on their ways, kept up as flows come and go.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace quadrille::simulator {

/// Rates are fair when every flow has a resource that is used up and on which no flow has more: its limit. There is
/// exactly one such allocation. Filling finds it: all rates rise together, and whenever a resource is used up, the
/// flows on it stay where they are.
///
/// A change is worked out from where it happened. Flows limited by a resource have one rate, its level; no flow has
/// more than the level of any resource on its way. A resource that carries too much lowers its level, and takes over
/// those who have more; one with room left raises it, and leaves flows to whichever other resource on their ways has
/// less. Both shift what other resources carry, and these follow, the lowest level first, until all is in balance. So
/// the work is proportional to the flows whose rates change. Only where many flows are new is everything filled.
///
/// A flow may weigh more than others: it then counts as so many flows of weight 1, and rates, levels and limits are
/// said for one of these.
///
/// Rates are whole numbers: their sums are exact in any order, equal flows have equal rates, and nothing drifts.
class MaxMin {
 public:
  using Rate = std::int64_t;
  static constexpr Rate whole = Rate{1} << 56;  ///< the most that a resource can have
  struct Change {
    std::uint32_t flow;
    Rate before, now;
  };

  /// A level stays as it is while less than `tolerance` of the capacity is left; 0: as long as rounding explains it.
  /// Where flows weigh up to w, `usual` is at most `whole` / w.
  explicit MaxMin(double tolerance = 0, Rate usual = whole) : tolerance_(tolerance), usual_(usual) {}

  /// Resources are numbered from 0; those not spoken of carry `usual`, and no other carries more.
  void limit(std::size_t resource, Rate capacity);
  /// A flow over different resources, at least one; its rate is 0 until the next solve().
  void add(std::uint32_t flow, std::span<const std::size_t> resources, std::uint32_t weight = 1);
  void remove(std::uint32_t flow);
  /// The rates that changed since the last call; valid until the next.
  const std::vector<Change>& solve();
  Rate rate(std::uint32_t flow) const { return rates_[flow]; }
  /// Rates set by all solves so far: what the work is proportional to.
  std::int64_t filled() const { return filled_; }

 private:
  struct Entry {
    std::uint32_t flow, step;
  };
  /// Where a flow's links are in way_links_.
  struct Way {
    std::uint32_t first = 0, count = 0, room = 0;
    std::uint32_t weight = 1;  ///< of the flow
  };
  /// A resource in use.
  struct Link {
    std::size_t resource = 0;
    Rate capacity = whole;
    Rate near = 0, spare = 0;   ///< how much too much, and too little, it may carry
    Rate weight = 0, held = 0;  ///< of all flows, and of those limited by it
    bool queued = false;
    std::vector<Entry> flows;
  };
  /// What is looked at for every link of every flow whose rate changes. In balance: load is from least to most. One
  /// that is queued needs no look: it has no bounds meanwhile.
  struct Balance {
    Rate load = 0, least = 0, most = 0;
    bool holds() const { return least <= load && load <= most; }
  };
  struct Level {
    Rate rate;
    std::uint32_t link;
    bool operator<(const Level& o) const { return rate != o.rate ? rate > o.rate : link > o.link; }
  };

  std::uint32_t link_of(std::size_t resource);
  void allow(std::uint32_t link);
  void hold(std::uint32_t link, Rate more);
  void set_bounds(std::uint32_t link);
  std::span<const std::uint32_t> links_of(std::uint32_t flow) const {
    return {way_links_.data() + ways_[flow].first, ways_[flow].count};
  }
  Rate weight(std::uint32_t flow) const { return ways_[flow].weight; }
  /// Fetches what is needed to set its rate.
  [[gnu::always_inline]] void expect(std::uint32_t flow) const {
    const std::uint32_t* first = way_links_.data() + ways_[flow].first;
    __builtin_prefetch(first);
    __builtin_prefetch(first + 16);
  }
  bool settle();
  void give_first_rate(std::uint32_t flow);
  void look_at(std::uint32_t link) {
    if (!balances_[link].holds()) queue(link);
  }
  void queue(std::uint32_t link);
  void work_out(std::uint32_t link);
  void lower(std::uint32_t link);
  void raise(std::uint32_t link);
  void set(std::uint32_t flow, Rate rate, std::uint32_t limit);
  Rate least_level(std::uint32_t flow) const;
  std::uint32_t link_of_level(std::uint32_t flow, Rate level) const;
  void touch(std::uint32_t flow);
  void fill();
  void freeze(std::uint32_t link, Rate rate);

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  static constexpr Rate unlimited = std::numeric_limits<Rate>::max();
  double tolerance_;
  Rate usual_;  ///< what a resource carries
  // of flows
  std::vector<Rate> rates_, before_;   ///< before this solve, where touched
  std::vector<std::uint32_t> limits_;  ///< none: not yet solved
  std::vector<std::uint8_t> touched_, frozen_;
  std::vector<Way> ways_;
  std::vector<std::uint32_t> way_links_, way_places_;  ///< of all ways; places: in the links' lists
  // of links
  std::vector<Link> links_;
  std::vector<Balance> balances_;
  std::vector<Rate> levels_;         ///< the rate of the flows limited by it; `unlimited` where there are none
  std::vector<std::uint32_t> slot_;  ///< of resources: which link
  std::vector<std::uint32_t> unused_;
  std::vector<Rate> capacity_;              ///< of the resources up to the last one that has its own
  std::vector<std::uint32_t> changed_;      ///< links that flows came to or left
  std::vector<std::uint32_t> fresh_;        ///< flows not yet solved
  std::vector<std::uint32_t> touched_all_;  ///< flows
  std::size_t in_use_ = 0;                  ///< flows
  std::vector<Level> heap_;                 ///< a heap of links: out of balance, or not yet full
  struct Bound {
    std::uint32_t flow;
    Rate rate;  ///< the most that it can have beside the link that is worked out
  };
  std::vector<Bound> bounds_;
  struct Filling {
    Rate room, open;  ///< what is left, and the weight of the flows that still rise
  };
  std::vector<Filling> fillings_;  ///< of links
  std::vector<Change> changes_;
  std::int64_t filled_ = 0;
};

}  // namespace quadrille::simulator
