#include "cost/network_graph.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "cost/link_costs.hpp"

namespace quadrille::cost {

namespace {

using flow::Arc;
using flow::Vertex;

constexpr double most_capacity = 1 << 18;  // of an arc: all of them together stay far below what flows can add up
constexpr double of_capacities = 1e-9;     // network_bound.cpp leaves room for it

/// Whole numbers in proportion to what links carry, rounded up where no small ones are: bounds stay bounds.
class Capacities {
 public:
  explicit Capacities(const std::vector<double>& slowness) {
    if (slowness.empty()) return;
    slowest_ = *std::max_element(slowness.begin(), slowness.end());
    const double widest = slowest_ / *std::min_element(slowness.begin(), slowness.end());
    const auto whole = [&](double scale) {
      return std::all_of(slowness.begin(), slowness.end(), [&](double s) {
        const double exact = scale * slowest_ / s;
        return std::abs(exact - std::round(exact)) <= of_capacities * exact;
      });
    };
    scale_ = 1;
    while (scale_ < 1000 && scale_ * widest <= most_capacity && !whole(scale_)) ++scale_;
    exact_ = scale_ * widest <= most_capacity && whole(scale_);
    if (!exact_) scale_ = most_capacity / widest;
  }
  std::int64_t of(double slowness) const {
    const double capacity = scale_ * slowest_ / slowness;
    return std::max<std::int64_t>(1, exact_ ? std::llround(capacity) : static_cast<std::int64_t>(std::ceil(capacity)));
  }
  double unit() const { return scale_ * slowest_; }

 private:
  double slowest_ = 1, scale_ = 1;
  bool exact_ = true;
};

std::vector<Vertex> ranks_of(const Topology& topology) {
  std::vector<Vertex> ranks(static_cast<std::size_t>(topology.ranks()));
  std::iota(ranks.begin(), ranks.end(), Vertex{0});
  return ranks;
}

/// Puts ranks with several links behind one port.
void add_ports(std::vector<Arc>& arcs, std::vector<Vertex>& hosts, Vertex& vertices) {
  struct Port {
    int out = 0, in = 0;
    std::int64_t fastest_out = 0, fastest_in = 0;
  };
  std::vector<Port> ports(hosts.size());
  for (const Arc& arc : arcs) {
    if (arc.from < std::ssize(hosts)) {
      Port& port = ports[static_cast<std::size_t>(arc.from)];
      ++port.out, port.fastest_out = std::max(port.fastest_out, arc.capacity);
    }
    if (arc.to < std::ssize(hosts)) {
      Port& port = ports[static_cast<std::size_t>(arc.to)];
      ++port.in, port.fastest_in = std::max(port.fastest_in, arc.capacity);
    }
  }
  for (Vertex& host : hosts) {
    const Port& port = ports[static_cast<std::size_t>(host)];
    if (port.out <= 1 && port.in <= 1) continue;
    const Vertex place = std::exchange(host, vertices++);
    if (port.out > 0) arcs.push_back({host, place, port.fastest_out});
    if (port.in > 0) arcs.push_back({place, host, port.fastest_in});
  }
}

}  // namespace

/// A number of a topology's that may stand for no link: on the rim of a mesh.
bool exists(const Topology& t, Link link) {
  const Rank tail = t.tail(link), head = t.head(link);
  return tail != head && std::min(tail, head) >= 0 && std::max(tail, head) < t.vertices();
}

flow::Network graph_of(const topology::Network& network) {
  std::vector<Vertex> hosts;
  for (Rank r = 0; r < network.ranks; ++r) hosts.push_back(r);
  std::vector<Arc> arcs;
  for (const topology::Wire& w : network.wires) {
    arcs.push_back({w.a, w.b, w.width});
    if (w.both_ways) arcs.push_back({w.b, w.a, w.width});
  }
  return {network.vertices, std::move(hosts), std::move(arcs)};
}

std::optional<flow::Network> plain_graph(const Topology& t) {
  if (t.links() > most_links || t.vertices() > most_links) return {};
  std::vector<Arc> arcs;
  for (Link link = 0; link < t.links(); ++link)
    if (exists(t, link)) arcs.push_back({t.tail(link), t.head(link), 1});
  return flow::Network(t.vertices(), ranks_of(t), std::move(arcs));
}

std::optional<NetworkGraph> network_graph(const Topology& t, const Machine& machine) {
  if (t.links() > most_links || t.vertices() > most_links) return {};
  const LinkCosts costs(machine, t);
  std::vector<double> distinct;
  for (Link link = 0; link < t.links() && (link == 0 || !costs.alike()); ++link)
    if (const double s = costs.slowness(link); std::find(distinct.begin(), distinct.end(), s) == distinct.end())
      distinct.push_back(s);
  const Capacities capacities(distinct);
  std::vector<Arc> arcs;
  for (Link link = 0; link < t.links(); ++link)
    if (exists(t, link)) arcs.push_back({t.tail(link), t.head(link), capacities.of(costs.slowness(link))});
  std::vector<Vertex> hosts = ranks_of(t);
  Vertex vertices = t.vertices();
  if (machine.ports == Ports::one) add_ports(arcs, hosts, vertices);
  const Rank per_node = t.structure().per_node;
  return NetworkGraph{flow::Network(vertices, std::move(hosts), std::move(arcs)), capacities.unit(),
                      capacities.unit() == 1 && costs.alike(), per_node > 1 ? t.ranks() / per_node : 0};
}

std::optional<NetworkGraph> graph_of_stages(const Topology& t, const Machine& machine) {
  const LinkCosts costs(machine, t);
  if (t.ranks() > most_ranks_of_stages || !costs.alike() || costs.slowness(0) != 1) return {};
  // Ranks, then of each link where it begins and where it ends.
  std::vector<std::int64_t> same(static_cast<std::size_t>(t.ranks() + 2 * t.links()));
  std::iota(same.begin(), same.end(), std::int64_t{0});
  const auto find = [&](std::int64_t end) {
    while (same[static_cast<std::size_t>(end)] != end) end = same[static_cast<std::size_t>(end)];
    return end;
  };
  const auto join = [&](std::int64_t a, std::int64_t b) { same[static_cast<std::size_t>(find(b))] = find(a); };
  const auto begin_of = [&](Link link) { return t.ranks() + 2 * link; };
  std::vector<char> used(static_cast<std::size_t>(t.links()), 0);
  std::vector<Link> route;
  for (Rank from = 0; from < t.ranks(); ++from)
    for (Rank to = 0; to < t.ranks(); ++to) {
      route.clear();
      t.route(from, to, route);
      std::int64_t last = from;
      for (const Link link : route) {
        join(last, begin_of(link));
        last = begin_of(link) + 1;
        used[static_cast<std::size_t>(link)] = 1;
      }
      join(to, last);
    }
  std::map<std::int64_t, Vertex> vertex;
  const auto vertex_of = [&](std::int64_t end) {
    return vertex.emplace(find(end), static_cast<Vertex>(vertex.size())).first->second;
  };
  std::vector<Vertex> hosts;
  for (Rank r = 0; r < t.ranks(); ++r) hosts.push_back(vertex_of(r));
  std::vector<Arc> arcs;
  for (Link link = 0; link < t.links(); ++link)
    if (used[static_cast<std::size_t>(link)] != 0)
      arcs.push_back({vertex_of(begin_of(link)), vertex_of(begin_of(link) + 1), 1});
  return NetworkGraph{flow::Network(std::ssize(vertex), std::move(hosts), std::move(arcs)), 1, true, 0};
}

std::vector<Vertex> node_side(const NetworkGraph& graph, const Topology& topology, std::int64_t node) {
  const Rank per_node = topology.structure().per_node, first = node * per_node;
  const std::span<const Arc> arcs = graph.network.leaving(graph.network.host(first));
  std::vector<Vertex> side;
  for (const Arc& arc : arcs) {
    if (graph.network.is_host(arc.to)) continue;
    Rank joined = 0;
    bool by_others = false;
    for (const Arc& back : graph.network.leaving(arc.to)) {
      const Rank r = graph.network.rank(back.to);
      if (r >= 0) (r / per_node == node ? ++joined : by_others = true);
    }
    if (joined == per_node && !by_others) side.push_back(arc.to);
  }
  if (side.empty()) return side;
  for (Rank r = first; r < first + per_node; ++r) side.push_back(graph.network.host(r));
  std::sort(side.begin(), side.end());
  return side;
}

std::int64_t links_out_of(const NetworkGraph& graph, const Topology& topology, const std::vector<Vertex>& side) {
  std::vector<char> inside(static_cast<std::size_t>(graph.network.vertices()), 0);
  for (const Vertex v : side) inside[static_cast<std::size_t>(v)] = 1;
  const auto is_inside = [&](Vertex v) { return inside[static_cast<std::size_t>(v)] != 0; };
  std::int64_t count = 0;
  for (Link link = 0; link < topology.links(); ++link)
    count += exists(topology, link) && is_inside(topology.tail(link)) && !is_inside(topology.head(link));
  for (Rank r = 0; r < graph.network.ranks(); ++r)
    if (const Vertex host = graph.network.host(r); host != r) count += is_inside(host) && !is_inside(r);
  return count;
}

}  // namespace quadrille::cost
