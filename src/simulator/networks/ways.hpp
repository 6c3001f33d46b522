// What the flows of a fluid network need: ports, links or a medium, each a resource that they share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "cost/link_costs.hpp"
#include "cost/network_graph.hpp"
#include "quadrille/machine.hpp"
#include "simulator/flight.hpp"
#include "simulator/networks/networks.hpp"
#include "topology/division.hpp"

namespace quadrille::simulator {

/// Resources are ports, then links or the medium, then one for each flow that needs it. In half duplex both directions
/// of a wire are one.
class Ways {
 public:
  using Resource = std::size_t;

  Ways(const Topology& topology, const Machine& machine)
      : topology_(topology),
        ranks_(static_cast<Resource>(topology.nodes())),
        one_port_(machine.ports == Ports::one),
        half_(machine.duplex != Duplex::full),
        medium_(topology.shared_medium()),
        links_(!medium_ && needs_links(machine, topology)),
        ports_(one_port_ ? ranks_ * (half_ ? 1 : 2) : 0),
        own_(ports_ + (medium_  ? 1
                       : links_ ? static_cast<Resource>(topology.links())
                                : 0)) {}

  bool over_links() const { return links_; }
  bool over_medium() const { return medium_; }
  Resource ports() const { return ports_; }
  /// The port of a rank on machines with one.
  Resource sends(Rank r) const { return static_cast<Resource>(r); }
  Resource receives(Rank r) const { return half_ ? sends(r) : ranks_ + sends(r); }
  /// Of each port what a byte takes on the fastest of the rank's links, times Machine::beta; nothing where links are
  /// alike.
  std::vector<double> slowness_of_ports(const Machine& machine) const {
    const cost::LinkCosts costs(machine, topology_);
    if (ports_ == 0 || !links_ || costs.alike()) return {};
    std::vector<double> least(ports_, 0);
    const auto passes = [&](Rank r, Resource port, double slowness) {
      if (r < topology_.nodes()) least[port] = least[port] > 0 ? std::min(least[port], slowness) : slowness;
    };
    for (Link link = 0; link < topology_.links(); ++link) {
      if (!cost::exists(topology_, link)) continue;
      const double slowness = costs.slowness(link);
      passes(topology_.tail(link), sends(topology_.tail(link)), slowness);
      passes(topology_.head(link), receives(topology_.head(link)), slowness);
    }
    return least;
  }
  Resource of_flow(std::uint32_t flow) const { return own_ + flow; }
  Resource of_link(Link link) const {
    return ports_ + static_cast<Resource>(half_ ? std::min(link, topology_.reverse(link)) : link);
  }
  /// Links that a message takes; none where links are no resources.
  const std::vector<Link>& links_of(const Flight& m) {
    path_.clear();
    if (links_) topology::add_way(topology_, m.from, m.to, m.way, path_);
    return path_;
  }

  /// What a flow needs, found step by step: what it leaves by, then the way to each of its receivers.
  const std::vector<Resource>& found() const { return way_; }
  void begin(std::uint32_t from) {
    way_.clear();
    if (one_port_) way_.push_back(sends(from));
  }
  /// Returns how many links that takes.
  std::int64_t go(const Flight& m) {
    if (one_port_) way_.push_back(receives(m.to));
    for (const Link link : links_of(m)) way_.push_back(of_link(link));
    return links_ ? std::ssize(path_) : 1;
  }
  /// Returns whether it needs a resource of its own.
  bool end(std::uint32_t flow, bool several) {
    if (medium_) way_.push_back(ports_);
    const bool own = way_.empty() || (medium_ && !one_port_);
    if (own) way_.push_back(of_flow(flow));
    if (!several) return own;
    std::sort(way_.begin(), way_.end());
    way_.erase(std::unique(way_.begin(), way_.end()), way_.end());
    return own;
  }
  void add_own(std::uint32_t flow) {
    if (std::find(way_.begin(), way_.end(), of_flow(flow)) == way_.end()) way_.push_back(of_flow(flow));
  }

 private:
  const Topology& topology_;
  Resource ranks_;
  bool one_port_, half_, medium_, links_;
  Resource ports_, own_;
  std::vector<Resource> way_;
  std::vector<Link> path_;
};

}  // namespace quadrille::simulator
