// Everything that a lab is made of, as data: nothing here touches the machine. The text that `ip` and `tc` are given
// is made from it.
#pragma once

#include <cstdint>
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
  Rate rate = 20'000'000;  ///< of every link, each way; of the whole bus
  Rate trunk = 0;          ///< of links between switches; 0: as the others
  int mtu = 1500;          ///< bytes of an IP packet, 576 .. 9000
  bool fifo = false;       ///< links are first come first served instead of fair between source hosts
  std::string congestion = "reno";
};

/// Limits what leaves by a device, and divides it fairly between the hosts whose messages do.
struct Shaper {
  std::string device;
  Rate rate = 0;
  std::vector<int> sources;  ///< hosts with a class of their own, ascending
};

struct Port {
  std::string device;  ///< "to5": leads to node 5
  int peer = 0;
};

struct Route {
  int to = 0, via = 0;  ///< host, next node
};

/// One network namespace: a host or a switch.
struct Node {
  std::string name;  ///< the namespace's
  std::vector<Port> ports;
  std::vector<Route> routes;
  std::vector<Shaper> shapers;
};

struct Blueprint {
  Wiring wiring;
  Options options;
  std::vector<Rate> rates;  ///< of each wire, both ways
  std::vector<Node> nodes;
};

/// All names begin with `prefix`. `rates` are the wires' own; empty: what `options` say.
Blueprint draw(Wiring wiring, const Options& options, std::string_view prefix, std::vector<Rate> rates = {});

std::string address(int host);  ///< "10.77.0.1" of host 0
constexpr std::string_view all_addresses = "10.77.0.0/16";
std::string node_label(const Wiring& wiring, int node);  ///< "3", and "s0" for the first switch
/// The node that a label or a namespace's name stands for. Throws Error(argument).
int parse_node(const Blueprint& blueprint, std::string_view text);

/// Batches for `ip -b`: namespaces; wires; and for `ip -n NAME -b` and `tc -n NAME -b` what is inside one node.
std::string namespaces_batch(const Blueprint& blueprint);
std::string wires_batch(const Blueprint& blueprint);
std::string inside_batch(const Blueprint& blueprint, int node);
std::string shaping_batch(const Blueprint& blueprint, int node);
/// Changes the rates of a node's shapers to what the blueprint says.
std::string reshaping_batch(const Blueprint& blueprint, int node);
/// Files under /proc/sys/net as every namespace of the lab has them.
std::vector<std::pair<std::string, std::string>> kernel_settings(const Options& options);

}  // namespace quadrille::lab
