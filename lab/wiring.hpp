// What is joined to what in an emulated network, and the way messages take: from the library's own Topology.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "quadrille/topology.hpp"

namespace quadrille::lab {

/// How messages get from wire to wire.
enum class Medium {
  wires,   ///< hosts (and switches of a fat tree) forward along fixed routes
  bridge,  ///< one switch, a wire to each host
  bus      ///< the same, but all messages share one rate
};

/// A wire, one link each way, between nodes; hosts are nodes 0 .. hosts-1, switches follow.
struct Wire {
  int a = 0, b = 0;
  bool trunk = false;  ///< between switches
};

struct Wiring {
  std::string text;      ///< what was asked for: "ring:8", "fattree:2x4x1"
  std::string topology;  ///< the topology that plans for this network name: "ring:8", "crossbar:8"
  Medium medium = Medium::wires;
  int hosts = 0, switches = 0;
  std::vector<Wire> wires;
  std::vector<std::vector<int>> next;  ///< [node][host]: the neighbour a message goes to next; Medium::wires only

  int nodes() const { return hosts + switches; }
};

/// Hosts that a lab may have.
constexpr int most_hosts = 64;

/// "ring:8", "mesh:2x3", "torus:4x4", "hypercube:3", "crossbar:8" (also "star:8"), "bus:8" (also "ethernet:8") and
/// "fattree:LxHxS": L leaf switches with H hosts each, all joined to S spine switches. Throws Error(argument) for what
/// cannot be emulated, naming what can.
Wiring parse_wiring(std::string_view text);

/// Wires and next hops of a topology whose links join ranks. Throws Error(illegal) where the next hop depends on where
/// a message comes from, as hosts forward by destination.
Wiring wiring_of(const Topology& topology);

}  // namespace quadrille::lab
