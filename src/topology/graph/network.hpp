// A network as lists: who is joined to whom, and by what.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/topology.hpp"
#include "topology/graph/drawing.hpp"

namespace quadrille::topology {

/// No graph has more of either: numbers of vertices and links are 32-bit, and tables are made for each of them.
constexpr std::int64_t most_vertices = std::int64_t{1} << 20;
constexpr std::int64_t most_arcs = std::int64_t{1} << 24;

/// A number of a vertex, rank or link as the place in a list.
constexpr std::size_t at(std::int64_t i) { return static_cast<std::size_t>(i); }
constexpr std::int64_t most_width = std::int64_t{1} << 31;

/// How the one route of a pair is found.
enum class Routing {
  shortest,  ///< fewest links; of several next vertices the one with the lowest number
  updown,    ///< fewest links of those ways that never go up a spanning tree once they went down
  balanced,  ///< fewest links; then past the fewest ranks; then over links that are on the fewest routes yet
  chosen,    ///< as a schedule says; else balanced
};
std::string_view to_string(Routing routing);
/// None where no routing has that name.
std::optional<Routing> routing_of(std::string_view name);

struct Wire {
  std::int32_t a = 0, b = 0;  ///< vertices
  std::int64_t width = 1;
  Seconds latency = 0;
  int kind = 0;
  bool both_ways = true;  ///< two links; otherwise one, from a to b
};

/// Vertices 0 .. ranks - 1 are hosts in the order of ranks, the others only relay.
struct Network {
  std::int64_t vertices = 0;
  Rank ranks = 0;
  std::vector<Wire> wires = {};
  std::vector<Wire> failed = {};  ///< that a file names and says to be out of order
  std::vector<std::string> kinds = {"link"};
  double rate = 0;                        ///< bytes a second of width 1; 0: the machine says
  std::vector<std::string> names = {};    ///< of vertices; none: their places
  std::vector<std::int32_t> places = {};  ///< of vertices, where they had other numbers before; none: their numbers
  Routing routing = Routing::shortest;
  Drawing drawing = {};           ///< where somebody says it
  std::vector<Rank> groups = {};  ///< sizes of those that Structure::groups tells of

  std::int32_t place(std::int64_t vertex) const {
    return places.empty() ? static_cast<std::int32_t>(vertex) : places[static_cast<std::size_t>(vertex)];
  }
  std::string name(std::int64_t vertex) const {
    return names.empty() ? std::to_string(place(vertex)) : names[static_cast<std::size_t>(vertex)];
  }
  void join(std::int64_t a, std::int64_t b, std::int64_t width = 1, int kind = 0) {
    wires.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), width, 0, kind, true});
  }
  void arc(std::int64_t a, std::int64_t b, std::int64_t width = 1) {
    wires.push_back({static_cast<std::int32_t>(a), static_cast<std::int32_t>(b), width, 0, 0, false});
  }
};

/// The same network with these vertices only, in this order; the first `ranks` of them are hosts.
Network renumbered(const Network& network, const std::vector<std::int32_t>& order, Rank ranks);

/// Throws Error(argument), which `what` opens, unless bounds hold, no link is a loop, and every rank reaches every
/// other.
void check(const Network& network, const std::string& what);

/// A pair of ranks of which the second cannot be reached from the first, if there is one.
std::optional<std::pair<Rank, Rank>> unreachable_pair(const Network& network);

/// Of everything that makes the network what it is, 16 hexadecimal digits.
std::string fingerprint(const Network& network);

/// The network of a topology whose links join ranks or switches. Throws Error(argument) for others.
Network network_of(const Topology& topology);

}  // namespace quadrille::topology
