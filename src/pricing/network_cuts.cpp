#include "pricing/network_cuts.hpp"

#include <algorithm>
#include <functional>
#include <utility>

#include "collective/traits.hpp"

namespace quadrille::pricing {

namespace {

using flow::Cut;
using flow::Network;
using flow::Vertex;
using flow::Words;

constexpr Vertex most_vertices = 1 << 14;  ///< that a flow for each rank may have: half a second, or less

Words only(Rank ranks, Rank r) {
  Words words(static_cast<std::size_t>(ranks), 0);
  words[static_cast<std::size_t>(r)] = 1;
  return words;
}

std::vector<Vertex> others(const Network& network, const std::vector<Vertex>& side) {
  std::vector<Vertex> rest;
  for (Vertex v = 0; v < network.vertices(); ++v)
    if (!std::binary_search(side.begin(), side.end(), v)) rest.push_back(v);
  return rest;
}

bool better(const Cut& a, const Cut& b) { return a.demand > 0 && (b.demand == 0 || b.time() < a.time()); }

/// Capacities that leave and enter a set of vertices which grows.
class Rim {
 public:
  explicit Rim(const Network& network)
      : network_(network), turned_(network.reversed()), inside_(static_cast<std::size_t>(network.vertices()), 0) {}
  void enter(Vertex v) {
    inside_[static_cast<std::size_t>(v)] = 1;
    entered_.push_back(v);
    for (const flow::Arc& arc : network_.leaving(v))
      (has(arc.to) ? in_ : out_) += has(arc.to) ? -arc.capacity : arc.capacity;
    for (const flow::Arc& arc : turned_.leaving(v))
      (has(arc.to) ? out_ : in_) += has(arc.to) ? -arc.capacity : arc.capacity;
  }
  bool has(Vertex v) const { return inside_[static_cast<std::size_t>(v)] != 0; }
  std::int64_t out() const { return out_; }
  std::int64_t in() const { return in_; }
  void clear() {
    out_ = in_ = 0;
    for (const Vertex v : entered_) inside_[static_cast<std::size_t>(v)] = 0;
    entered_.clear();
  }

 private:
  const Network& network_;
  Network turned_;
  std::vector<Vertex> entered_;
  std::vector<char> inside_;
  std::int64_t out_ = 0, in_ = 0;
};

/// Vertices as a breadth-first search meets them.
std::vector<Vertex> by_distance(const Network& network, Vertex start) {
  std::vector<char> seen(static_cast<std::size_t>(network.vertices()), 0);
  std::vector<Vertex> order{start};
  seen[static_cast<std::size_t>(start)] = 1;
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const flow::Arc& arc : network.leaving(order[i]))
      if (!std::exchange(seen[static_cast<std::size_t>(arc.to)], 1)) order.push_back(arc.to);
  return order;
}

/// Hosts by their ranks, each with its place behind a port, and a switch as soon as half of what leaves it leads to
/// vertices before it.
std::vector<Vertex> by_rank(const Network& network) {
  std::vector<std::int64_t> outside;
  for (Vertex v = 0; v < network.vertices(); ++v) outside.push_back(network.out(v));
  std::vector<char> seen(outside.size(), 0);
  std::vector<Vertex> order;
  for (Rank r = 0; r < network.ranks(); ++r) {
    std::size_t next = order.size();
    order.push_back(network.host(r));
    if (network.host(r) != r && !std::exchange(seen[static_cast<std::size_t>(r)], 1)) order.push_back(r);
    for (; next < order.size(); ++next)
      for (const flow::Arc& arc : network.leaving(order[next])) {
        if (network.is_host(arc.to)) continue;
        std::int64_t& rest = outside[static_cast<std::size_t>(arc.to)];
        rest -= arc.capacity;
        if (2 * rest <= network.out(arc.to) && !std::exchange(seen[static_cast<std::size_t>(arc.to)], 1))
          order.push_back(arc.to);
      }
  }
  return order;
}

/// Looks at cuts one after the other, and keeps the best.
class Search {
 public:
  using Demand = std::function<std::pair<std::int64_t, std::int64_t>()>;  ///< words out of what is inside, and into it
  Search(const Network& network, std::function<void(Rank)> enter, std::function<void()> clear, Demand demand)
      : network_(network),
        rim_(network),
        enter_(std::move(enter)),
        clear_(std::move(clear)),
        demand_(std::move(demand)) {}

  void side(const std::vector<Vertex>& vertices) {
    start();
    for (const Vertex v : vertices) add(v);
    look(vertices, vertices.size());
  }
  /// All that an order begins with.
  void prefixes(const std::vector<Vertex>& order) {
    start();
    for (std::size_t i = 0; i < order.size(); ++i) {
      add(order[i]);
      look(order, i + 1);
    }
  }
  Cut best() const {
    Cut cut = best_;
    std::sort(cut.side.begin(), cut.side.end());
    if (turned_) cut.side = others(network_, cut.side);
    if (cut.demand > 0 && flow::capacity_out(network_, cut.side) != cut.out)
      throw Error(Error::Kind::internal, "a cut does not hold what it claims");
    return cut;
  }

 private:
  void start() {
    rim_.clear();
    clear_();
  }
  void add(Vertex v) {
    rim_.enter(v);
    if (const Rank r = network_.rank(v); r >= 0) enter_(r);
  }
  void look(const std::vector<Vertex>& order, std::size_t count) {
    const auto [out, in] = demand_();
    for (const bool turned : {false, true}) {
      const Cut cut{{}, turned ? in : out, turned ? rim_.in() : rim_.out()};
      if (cut.demand == 0 || cut.out == 0 || !better(cut, best_)) continue;
      best_ = cut;
      best_.side.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
      turned_ = turned;
    }
  }

  const Network& network_;
  Rim rim_;
  std::function<void(Rank)> enter_;
  std::function<void()> clear_;
  Demand demand_;
  Cut best_;
  bool turned_ = false;
};

/// Each rank, and each node.
void structural(Search& search, const Spec& spec, const NetworkGraph& graph) {
  for (Rank r = 0; r < graph.network.ranks(); ++r) {
    const Vertex host = graph.network.host(r);
    search.side({host});
    if (host != r) search.side({r, host});  // with its place behind the port
  }
  for (std::int64_t node = 0; node < graph.nodes; ++node)
    if (const auto side = node_side(graph, *spec.topology, node); !side.empty()) search.side(side);
}

/// The best cut for what ranks have and all others want.
Cut spread(const Spec& spec, const NetworkGraph& graph, const Words& has, bool towards_all) {
  if (graph.network.vertices() <= most_vertices) {
    if (towards_all) return flow::spread(graph.network, has);
    Cut cut = flow::spread(graph.network.reversed(), has);
    if (cut.demand > 0) cut.side = others(graph.network, cut.side);
    return cut;
  }
  std::int64_t all = 0, inside = 0;
  Rank ranks = 0;
  for (const std::int64_t words : has) all += words;
  const auto demand = [&]() -> std::pair<std::int64_t, std::int64_t> {
    const std::int64_t out = ranks < spec.ranks() ? inside : 0, in = ranks > 0 ? all - inside : 0;
    return towards_all ? std::pair(out, in) : std::pair(in, out);
  };
  Search search(
      graph.network, [&](Rank r) { inside += has[static_cast<std::size_t>(r)], ++ranks; }, [&] { inside = ranks = 0; },
      demand);
  structural(search, spec, graph);
  return search.best();
}

NeededCut exchange(const Spec& spec, const NetworkGraph& graph) {
  Crossing crossing(spec);
  Search search(
      graph.network, [&](Rank r) { crossing.enter(r); }, [&] { crossing.clear(); },
      [&] { return std::pair(crossing.out(), crossing.in()); });
  structural(search, spec, graph);
  search.prefixes(by_rank(graph.network));
  search.prefixes(by_distance(graph.network, graph.network.host(0)));
  if (graph.network.vertices() <= most_vertices) {
    search.side(flow::allgather(graph.network).side);
    search.side(flow::allgather(graph.network.reversed()).side);
  }
  return {search.best(), crossing.word()};
}

NeededCut stronger(NeededCut a, NeededCut b) { return better(b.cut, a.cut) ? std::move(b) : std::move(a); }

}  // namespace

NeededCut best_cut(const Spec& spec, const NetworkGraph& graph) {
  const Network& network = graph.network;
  const auto one = [&](Rank r, bool towards_all) {
    return NeededCut{spread(spec, graph, only(spec.ranks(), r), towards_all), spec.bytes};
  };
  const Need need = need_of(spec);
  switch (need) {
    case Need::spread:
    case Need::collect: {
      const Weights weights = weights_of(spec);
      return {spread(spec, graph, weights.words, need == Need::spread), weights.word};
    }
    case Need::from_root:
      return {flow::scatter(network, spec.root, flow::one_each(network)), spec.bytes};
    case Need::to_root:
      return {flow::gather(network, spec.root, flow::one_each(network)), spec.bytes};
    case Need::prefixes:
      return stronger(one(0, true), one(spec.ranks() - 1, false));
    case Need::results:
      return stronger(one(0, true), one(0, false));
    case Need::exchange:
      return exchange(spec, graph);
    case Need::pairs:
      break;
  }
  if (!collective::facts(spec).target) return exchange(spec, graph);
  return {flow::scatter(network, spec.root, only(spec.ranks(), spec.target)), spec.bytes};
}

}  // namespace quadrille::pricing
