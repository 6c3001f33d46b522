#include "algorithm/kit/tree_ways.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>
#include <utility>

#include "cost/network_graph.hpp"
#include "schedule/combine.hpp"

namespace quadrille::algorithm::kit {

namespace {

/// Links from one vertex to another. They are filled one after the other, in proportion to their widths.
struct Bundle {
  std::vector<Link> links;
  std::int64_t width = 0;  ///< of all
  double amount = 0;       ///< that all ways carry over them
  double used = 0;         ///< of it, by ways so far
};

class ArcWays {
 public:
  ArcWays(const Topology& topology, const flow::LogicalNetwork& logical, bool backwards)
      : topology_(topology), logical_(logical), backwards_(backwards) {
    for (Link link = 0; link < topology.links(); ++link) {
      Bundle& bundle = bundles_[{topology.tail(link), topology.head(link)}];
      bundle.links.push_back(link);
      bundle.width += topology.facts(link).width;
    }
  }

  std::vector<Topology::Way> all() {
    each([&](Rank, Rank, const std::vector<Bundle*>& hops, std::int64_t amount) {
      for (Bundle* bundle : hops) bundle->amount += static_cast<double>(amount);
    });
    each([&](Rank from, Rank to, const std::vector<Bundle*>& hops, std::int64_t amount) {
      divide(from, to, hops, static_cast<double>(amount));
    });
    return whole_parts();
  }

 private:
  /// What joined two ways may pass a switch twice.
  static void leave_out_circles(std::vector<flow::Vertex>& met) {
    for (std::size_t i = 0; i < met.size(); ++i)
      for (std::size_t j = met.size() - 1; j > i; --j)
        if (met[j] == met[i]) {
          met.erase(met.begin() + static_cast<std::ptrdiff_t>(i), met.begin() + static_cast<std::ptrdiff_t>(j));
          break;
        }
  }
  template <class Visit>
  void each(Visit visit) {
    std::vector<Bundle*> hops;
    const std::vector<flow::Arc>& arcs = logical_.network.arcs();
    for (std::size_t a = 0; a < arcs.size(); ++a)
      for (const flow::Through& way : logical_.ways[a]) {
        std::vector<flow::Vertex> met{arcs[a].from};
        met.insert(met.end(), way.switches.begin(), way.switches.end());
        met.push_back(arcs[a].to);
        leave_out_circles(met);
        if (backwards_) std::reverse(met.begin(), met.end());
        hops.clear();
        for (std::size_t i = 1; i < met.size(); ++i) hops.push_back(&bundles_.at({met[i - 1], met[i]}));
        visit(met.front(), met.back(), hops, way.amount);
      }
  }

  /// Goes on to the next link of a hop where one is full.
  void divide(Rank from, Rank to, const std::vector<Bundle*>& hops, double amount) {
    const double least = amount * 1e-9;
    while (amount > least) {
      double some = amount;
      std::vector<Link> links;
      for (const Bundle* bundle : hops) {
        const auto [link, left] = next_of(*bundle);
        links.push_back(link);
        if (left > least) some = std::min(some, left);
      }
      for (Bundle* bundle : hops) bundle->used += some;
      shares_[{from, to, std::move(links)}] += some;
      amount -= some;
    }
  }
  /// The link that takes what comes next, and how much of it.
  std::pair<Link, double> next_of(const Bundle& bundle) const {
    double end = 0;
    for (const Link link : bundle.links) {
      end += bundle.amount * static_cast<double>(topology_.facts(link).width) / static_cast<double>(bundle.width);
      if (end > bundle.used * (1 + 1e-12)) return {link, end - bundle.used};
    }
    return {bundle.links.back(), 0};
  }

  std::vector<Topology::Way> whole_parts() const {
    constexpr double most = 1 << 16;  // parts of a pair
    std::map<std::pair<Rank, Rank>, double> sums;
    for (const auto& [way, share] : shares_) sums[{std::get<0>(way), std::get<1>(way)}] += share;
    std::vector<Topology::Way> ways;
    for (const auto& [way, share] : shares_) {
      const auto& [from, to, links] = way;
      const double parts = share * std::max(1.0, most / sums[{from, to}]);
      ways.push_back({from, to, links, std::max(1, static_cast<std::int32_t>(parts + 0.5))});
    }
    return ways;
  }

  const Topology& topology_;
  const flow::LogicalNetwork& logical_;
  bool backwards_;
  std::map<std::pair<flow::Vertex, flow::Vertex>, Bundle> bundles_;
  std::map<std::tuple<Rank, Rank, std::vector<Link>>, double> shares_;
};

}  // namespace

std::string needs_balance(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  if (t.direct()) return {};
  const cost::NetworkGraph graph = *cost::network_graph(t, machine);
  std::vector<std::int64_t> beyond(static_cast<std::size_t>(graph.network.vertices()), 0);
  for (const flow::Arc& arc : graph.network.arcs()) {
    beyond[static_cast<std::size_t>(arc.from)] -= arc.capacity;
    beyond[static_cast<std::size_t>(arc.to)] += arc.capacity;
  }
  for (flow::Vertex v = 0; v < graph.network.vertices(); ++v)
    if (beyond[static_cast<std::size_t>(v)] != 0 && !graph.network.is_host(v))
      return fmt::format("switch {} of {} gives out another amount than it takes in; nearest: links both ways", v,
                         t.text());
  return {};
}

std::vector<Topology::Way> ways_of_arcs(const Topology& topology, const flow::LogicalNetwork& logical, bool backwards) {
  return ArcWays(topology, logical, backwards).all();
}

SchedulePtr on_ways_of_arcs(const Spec& spec, SchedulePtr schedule, const flow::LogicalNetwork& logical,
                            bool backwards) {
  if (!spec.topology->chooses_ways() || logical.ways.empty()) return schedule;
  return schedule::on_network(std::move(schedule),
                              spec.topology->with_ways(ways_of_arcs(*spec.topology, logical, backwards)));
}

}  // namespace quadrille::algorithm::kit
