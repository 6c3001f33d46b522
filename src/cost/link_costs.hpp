// What each link of a network costs on a machine: the one place where kinds, widths and rates become seconds.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "quadrille/machine.hpp"
#include "quadrille/topology.hpp"

namespace quadrille::cost {

/// Of a network that is not Structure::routed, or whose links are alike, nothing is looked up: every link takes
/// Machine::beta for a byte.
class LinkCosts {
 public:
  /// Who asks for many links has what each takes kept; for what the whole network takes they are not looked at.
  enum class Asked : std::uint8_t { links, network };
  LinkCosts(const Machine& machine, const Topology& topology, Asked asked = Asked::links);

  /// Every link takes the machine's beta, without a latency or start-up of its own.
  bool alike() const { return alike_; }
  /// Times Machine::beta: what a byte takes on this link.
  double slowness(Link link) const;
  /// ... on the fastest link of the network, or a little less, and 1 at most.
  double least() const { return least_; }
  /// What crossing the link adds, beside per_hop; and the start-up of messages that cross links of its kind alone.
  Seconds latency(Link link) const;
  Seconds alpha(Link link) const;
  /// Bytes that take as long on a link of slowness 1, in whole ones.
  Bytes as_plain(Bytes bytes, Link link) const;
  /// The longest start-up of the kinds on a message's way.
  Seconds start_up(std::span<const Link> path) const;
  /// What the latencies of the links on its way, and their start-up instead of alpha, add to a message. May be less
  /// than 0, but not below -alpha.
  Seconds delay(std::span<const Link> path) const;
  /// The least start-up of a message: alpha, or that of the kind with the least.
  Seconds least_alpha() const { return least_alpha_; }

 private:
  friend Machine by_fastest_link(Machine machine, const Topology& topology);
  struct Kind {
    double slowness = 1;
    Seconds alpha = 0, latency = 0;
  };
  /// Of a link as it is asked for most: kept where they are not too many.
  struct OfLink {
    double slowness;
    Seconds alpha, latency;
  };
  OfLink of(Link link) const;

  const Topology& topology_;
  std::vector<OfLink> links_;
  bool alike_ = true;
  double least_ = 1;
  Seconds alpha_ = 0, least_alpha_ = 0;
  std::vector<Kind> kinds_;
};

/// The machine with what every kind of link costs, and a beta which no link is below: that of the fastest.
Machine by_fastest_link(Machine machine, const Topology& topology);

/// As Cost::delay has it.
inline std::int64_t picoseconds(Seconds time) { return std::llround(time * 1e12); }

}  // namespace quadrille::cost
