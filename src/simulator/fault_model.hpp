// What faults, and links that differ, do to a message: numbers that depend on the seed and on the message, never on the
// order of events.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "cost/link_costs.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/topology.hpp"
#include "simulator/flight.hpp"

namespace quadrille::simulator {

class FaultModel {
 public:
  /// Throws Error(argument) for links that are not there, and for shares and factors out of range.
  /// The machine's beta is that of the fastest link.
  FaultModel(const Topology& topology, const Machine& machine, const Faults& faults);

  /// How many times as long its start-up and its bytes take.
  double stretch(std::uint32_t from, std::uint32_t to, std::uint32_t round) const {
    if (jitter_ == 0) return 1;
    return 1 + jitter_ * chance(0, std::uint64_t{from} << 32 | to, round);
  }
  /// How late a rank begins.
  Seconds skew(Rank r) const { return skew_ == 0 ? 0 : skew_ * chance(1, static_cast<std::uint64_t>(r), 0); }

  bool has_links() const { return !links_.empty() || !costs_.alike(); }
  /// Its start-up by the kinds of its links, without their latencies.
  Seconds start_up(const Flight& message);
  /// What its links add to its start-up; less than 0 where they take less of it.
  Seconds delay(const Flight& message);
  /// How many times as long a byte takes. Throws Error(illegal) naming the message when the link has failed.
  double factor(Link link, std::uint32_t from, std::uint32_t to, std::uint32_t round) const {
    const auto found = links_.find(link);
    if (found == links_.end()) return costs_.slowness(link);
    if (found->second == failed) refuse(link, from, to, round);
    return found->second * costs_.slowness(link);
  }
  /// How many times as long a byte takes there if it has not failed.
  double slowness(Link link) const {
    const auto found = links_.find(link);
    return (found == links_.end() || found->second == failed ? 1 : found->second) * costs_.slowness(link);
  }
  /// The same of the slowest link on the way.
  double slowest(const Flight& message);
  /// The same of the slowest link up to here, for a message under way.
  double slowest_so_far(std::uint32_t flight, bool first, double here) {
    if (flight >= so_far_.size()) so_far_.resize(flight + 1, 1);
    return so_far_[flight] = first ? here : std::max(here, so_far_[flight]);
  }

 private:
  static constexpr double failed = 0;
  const std::vector<Link>& path(const Flight& message);  ///< until the next call; empty where all links are alike
  double chance(std::uint64_t what, std::uint64_t a, std::uint64_t b) const;  ///< in [0, 1)
  [[noreturn]] void refuse(Link link, std::uint32_t from, std::uint32_t to, std::uint32_t round) const;

  const Topology& topology_;
  cost::LinkCosts costs_;
  std::unordered_map<Link, double> links_;
  double jitter_;
  Seconds skew_;
  std::uint64_t seed_;
  std::vector<Link> path_;
  std::vector<double> so_far_;  ///< by flight
};

}  // namespace quadrille::simulator
