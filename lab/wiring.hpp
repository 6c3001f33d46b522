// What is joined to what in an emulated network, and the way messages take: from the library's own Topology.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "quadrille/topology.hpp"

namespace quadrille::lab {

/// How messages get from wire to wire.
enum class Medium {
  wires,   ///< hosts and switches forward along fixed routes
  bridge,  ///< one switch, a wire to each host
  bus      ///< the same, but all messages share one rate
};

/// A wire between nodes, one link each way; hosts are nodes 0 .. hosts-1, switches follow.
struct Wire {
  int a = 0, b = 0;
  bool trunk = false;  ///< between switches
  int which = 1;       ///< of several between these two, counted from 1
  std::int64_t width = 1;
  int kind = 0;          ///< place in Wiring::kinds
  bool one_way = false;  ///< one link only, from a to b
};

struct Wiring {
  std::string text;      ///< what was asked for: "ring:8", "fattree:2x4x1"
  std::string topology;  ///< the topology that plans for this network name: "ring:8", "xgft:2;4,2;1,1"
  Medium medium = Medium::wires;
  int hosts = 0, switches = 0;
  int per_host = 1;  ///< rank r is on host r / per_host
  std::vector<std::string> kinds{"link"};
  double stated = 0;  ///< bits a second of width 1, where the network itself says so
  std::vector<Wire> wires;
  std::vector<std::vector<int>> next;  ///< [node][host]: the wire a message leaves by, or -1; Medium::wires only

  int nodes() const { return hosts + switches; }
  int ranks() const { return hosts * per_host; }
  /// The node at the other end of one of its wires.
  int across(int wire, int node) const {
    const Wire& w = wires[static_cast<std::size_t>(wire)];
    return w.a == node ? w.b : w.a;
  }
};

/// What a lab may have, so that it is made in seconds.
constexpr int most_hosts = 64, most_ranks = 256, most_nodes = 256, most_wires = 512;

/// "ring:8", "torus:4x4*2", "crossbar:8" (also "star:8"), "bus:8" (also "ethernet:8"), "xgft:2;4,2;1,1" and its other
/// name "fattree:LxHxS" (L leaf switches with H hosts each, all joined to S spine switches), "graph:FILE", and whatever
/// else joins hosts and switches. Throws Error(argument) for what cannot be emulated, naming what can; Error(illegal)
/// as wiring_of() does.
Wiring parse_wiring(std::string_view text);

/// Wires and next hops of a topology whose links join ranks and switches; ranks of a node are one host. Throws
/// Error(illegal) where the next hop depends on where a message comes from, as hosts forward by destination.
Wiring wiring_of(const Topology& topology);

/// The same wires, with the routes and the text of what is left when some of them have failed. Throws Error(illegal)
/// when hosts would be cut off, or the medium has no other ways.
Wiring around(const Wiring& whole, const std::set<int>& failed);

/// "0-1", "s0-s1#2": a wire for people.
std::string wire_name(const Wiring& wiring, const Wire& wire);
std::string node_label(const Wiring& wiring, int node);  ///< "3", and "s0" for the first switch

}  // namespace quadrille::lab
