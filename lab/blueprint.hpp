// Everything that a lab is made of, as data: nothing here touches the machine. The text that `ip` and `tc` are given
// is made from it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wiring.hpp"

namespace quadrille::lab {

using Rate = std::int64_t;  ///< bits a second

/// "20mbit", "1.5gbit", "500kbit": 64 kbit to 10 Gbit a second, as tc writes them.
Rate parse_rate(std::string_view text);
std::string format_rate(Rate rate);  ///< "20mbit", "1500kbit"

struct Options {
  Rate rate = 20'000'000;             ///< of a link of width 1, each way; of the whole bus; 0: as the network says
  Rate trunk = 0;                     ///< of links between switches; 0: as the others
  std::map<std::string, Rate> kinds;  ///< of links of width 1 of kinds that differ
  int mtu = 1500;                     ///< bytes of an IP packet, 576 .. 9000
  bool fifo = false;                  ///< links are first come first served instead of fair between source hosts
  std::string congestion = "reno";
};

/// Limits what leaves by a device, and divides it fairly between the hosts whose messages do.
struct Shaper {
  std::string device;
  Rate rate = 0;
  std::vector<int> sources;  ///< hosts with a class of their own, ascending
};

struct Port {
  std::string device;  ///< "to5": leads to node 5; "to5-2" by the second of several wires
  int peer = 0, wire = 0;
};

struct Route {
  int to = 0, via = 0;  ///< host, next node
  std::string device;
};

/// One network namespace: a host or a switch.
struct Node {
  std::string name;  ///< the namespace's
  std::vector<Port> ports;
  std::vector<Route> routes;
  std::vector<Shaper> shapers;
};

/// What has happened to the wires of a lab since it was made.
struct Changes {
  std::vector<Rate> rates = {};  ///< of each wire, both ways; empty: what options say
  std::set<int> failed = {};     ///< wires that carry nothing
  std::set<int> avoided = {};    ///< of these, those that routes lead around
  /// [2 * wire + (1 from b to a)]: hosts that a shaper has a class for, beside those that routes ask for now. Classes
  /// stay when routes change, as nothing may be lost that waits in them.
  std::vector<std::set<int>> sources = {};
};

struct Blueprint {
  Wiring wiring;  ///< with routes as they are
  Options options;
  Changes changes;  ///< rates and sources are complete
  std::vector<Node> nodes;
};

/// All names begin with `prefix`. Throws Error(argument) for a rate that no link can have, Error(illegal) as around()
/// does.
Blueprint draw(const Wiring& whole, const Options& options, std::string_view prefix, Changes changes = {});
/// The rates that wires of a network have by themselves, in the order of the wires.
std::vector<Rate> usual_rates(const Wiring& wiring, const Options& options);

std::string address(int host);  ///< "10.77.0.1" of host 0
constexpr std::string_view all_addresses = "10.77.0.0/16";
/// The node that a label or a namespace's name stands for.
std::optional<int> find_node(const Blueprint& blueprint, std::string_view text);
/// The same; throws Error(argument) where there is none.
int parse_node(const Blueprint& blueprint, std::string_view text);

/// Batches for `ip -b`: namespaces; wires; and for `ip -n NAME -b` and `tc -n NAME -b` what is inside one node.
std::string namespaces_batch(const Blueprint& blueprint);
std::string wires_batch(const Blueprint& blueprint);
std::string inside_batch(const Blueprint& blueprint, int node);
std::string shaping_batch(const Blueprint& blueprint, int node);
/// Neighbours and routes over wires that have not failed; repeated, it changes nothing.
std::string ways_batch(const Blueprint& blueprint, int node);
/// What makes wires of a node fail, or come back.
std::string switching_batch(const Blueprint& blueprint, int node, const std::set<int>& wires, bool up);
/// Changes the rates of a node's shapers to what the blueprint says, and adds classes that `before` had none of.
std::string reshaping_batch(const Blueprint& blueprint, const Blueprint& before, int node);
/// Files under /proc/sys/net as every namespace of the lab has them.
std::vector<std::pair<std::string, std::string>> kernel_settings(const Options& options);

}  // namespace quadrille::lab
