// Max-min fair rates: what every flow gets when all share the resources on their ways, kept up as flows come and go.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace quadrille {

/// Rates are fair when every flow has a resource that is used up and on which no flow has more: its limit. There is
/// exactly one such allocation; filling finds it: all rates rise together, and whenever a resource is used up, the
/// flows on it stay where they are.
///
/// A change is worked out from where it happened: the flows limited by a resource that a flow came to or left are
/// filled anew while all others keep what they have; then whoever has lost its limit, or has more than a neighbour that
/// is limited on a resource they share, joins, and the filling is repeated, until nobody joins. What is then fair
/// around all of those is fair everywhere.
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

  /// A resource counts as used up, and two rates as equal, within `tolerance` of the capacity; 0: within rounding.
  explicit MaxMin(double tolerance = 0) : tolerance_(tolerance) {}

  /// Resources are numbered from 0; those not spoken of carry `whole`.
  void limit(std::size_t resource, Rate capacity);
  /// A flow over different resources, at least one; its rate is 0 until the next solve().
  void add(std::uint32_t flow, std::span<const std::size_t> resources);
  void remove(std::uint32_t flow);
  /// The rates that changed since the last call; valid until the next.
  const std::vector<Change>& solve();
  Rate rate(std::uint32_t flow) const { return flows_[flow].rate; }
  /// Flows filled by all solves so far, counted once for every time: what the work is proportional to.
  std::int64_t filled() const { return filled_; }

 private:
  struct Step {
    std::uint32_t link, place;  ///< a link of links_, and where the flow is in its list
  };
  struct Flow {
    Rate rate = 0, next = 0;
    std::uint32_t limit = none, next_limit = none;
    bool open = false, joined = false;
    std::vector<Step> steps;
  };
  struct Entry {
    std::uint32_t flow, step;
  };
  /// A resource in use.
  struct Link {
    std::size_t resource = 0;
    Rate capacity = whole, load = 0;
    Rate level = 0;          ///< the rate of the flows limited by it
    std::uint32_t held = 0;  ///< how many those are
    std::vector<Entry> flows;
    // during a filling: what is left for the flows filled, how many of them still rise or were held before, the highest
    // rate among them, and whether it limits any
    std::uint64_t filling = 0;
    Rate room = 0, most = 0;
    std::uint32_t open = 0, held_before = 0;
    bool limits = false;
  };
  struct Level {
    Rate rate;
    std::uint32_t link;
    bool operator<(const Level& o) const { return rate != o.rate ? rate > o.rate : link > o.link; }
  };

  std::uint32_t link_of(std::size_t resource);
  Rate slack(const Link& link) const;
  void join(std::uint32_t flow);
  void join_held(std::uint32_t link);
  void start();
  void fill();
  void open_flows();
  void freeze(std::uint32_t link, Rate rate);
  bool grow();
  void commit();

  static constexpr std::uint32_t none = ~std::uint32_t{0};
  double tolerance_;
  std::vector<Flow> flows_;
  std::vector<Link> links_;
  std::vector<std::uint32_t> slot_;  ///< of resources: where in links_
  std::vector<std::uint32_t> unused_;
  std::vector<Rate> capacity_;          ///< of the resources up to the last one that has its own
  std::vector<std::uint32_t> changed_;  ///< links that flows came to or left
  std::vector<std::uint32_t> fresh_;    ///< flows not yet solved
  std::vector<std::uint32_t> filled_flows_, touched_;
  std::vector<Level> levels_;
  std::vector<Change> changes_;
  std::uint64_t filling_ = 0;
  std::int64_t filled_ = 0;
};

}  // namespace quadrille
