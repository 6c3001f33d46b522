#include "flow/exchange_flow.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

#include "flow/exchange_optimum.hpp"
#include "flow/parcel_ways.hpp"

namespace quadrille::flow {

namespace {

double words_of_part(const FlowDemand& d) { return static_cast<double>(d.words) / static_cast<double>(d.parts); }

std::vector<FlowWay> listed(const std::map<std::pair<std::int32_t, Way>, std::int32_t>& found) {
  std::vector<FlowWay> all;
  for (const auto& [way, parts] : found) all.push_back({way.first, parts, way.second});
  return all;
}

std::vector<FlowWay> by_parcels(const Network& network, const std::vector<FlowDemand>& demands,
                                const SharedLinks& shared) {
  std::vector<std::int32_t> by_source(demands.size());
  std::iota(by_source.begin(), by_source.end(), 0);
  const auto demand = [&](std::int32_t i) -> const FlowDemand& { return demands[static_cast<std::size_t>(i)]; };
  std::stable_sort(by_source.begin(), by_source.end(),
                   [&](std::int32_t a, std::int32_t b) { return demand(a).source < demand(b).source; });
  const LinksOfArcs links(network, shared);
  double widest = 1 << 12, most = 1;
  for (std::size_t i = 0; i < links.count(); ++i) widest = std::max(widest, static_cast<double>(links.capacity(i)));
  std::int32_t parts = 0;
  for (const FlowDemand& d : demands) most = std::max(most, words_of_part(d)), parts = std::max(parts, d.parts);
  const double unit = std::min(widest, 1e9) / most;
  std::vector<Parcel> parcels;
  std::vector<std::int32_t> demand_of;
  for (std::int32_t part = 0; part < parts; ++part)
    for (const std::int32_t i : by_source) {
      if (part >= demand(i).parts) continue;
      parcels.push_back({demand(i).source, demand(i).target, part,
                         static_cast<std::int32_t>(std::max(1.0, unit * words_of_part(demand(i))))});
      demand_of.push_back(i);
    }
  ParcelWays ways(network, links, parcels, 1);
  ways.find();
  std::map<std::pair<std::int32_t, Way>, std::int32_t> found;
  for (std::size_t i = 0; i < parcels.size(); ++i) ++found[{demand_of[i], ways.ways()[i]}];
  return listed(found);
}

/// Shares of trees as whole parts: what rounding gives or takes of one demand, the next one makes up for.
class WholeParts {
 public:
  explicit WholeParts(std::size_t trees) : owed_(trees, 0) {}
  /// Of one demand, for each tree of its source.
  std::vector<std::int32_t> next(const std::vector<double>& shares, std::int32_t parts) {
    std::vector<std::int32_t> whole;
    std::int32_t left = parts;
    for (std::size_t j = 0; j < shares.size(); ++j) {
      owed_[j] += shares[j] * parts;
      whole.push_back(std::clamp(static_cast<std::int32_t>(owed_[j]), 0, left));
      left -= whole.back();
    }
    for (; left > 0; --left) {
      std::size_t neediest = 0;
      for (std::size_t j = 1; j < shares.size(); ++j)
        if (owed_[j] - whole[j] > owed_[neediest] - whole[neediest] + 1e-9) neediest = j;
      ++whole[neediest];
    }
    for (std::size_t j = 0; j < shares.size(); ++j) owed_[j] -= whole[j];
    return whole;
  }

 private:
  std::vector<double> owed_;
};

/// The ways of demands down trees that reach the optimum.
std::vector<FlowWay> by_trees(const Network& network, const std::vector<FlowDemand>& demands,
                              const std::vector<TreeShare>& trees) {
  std::map<std::pair<std::int32_t, Way>, std::int32_t> found;
  for (Rank source = 0; source < network.ranks(); ++source) {
    std::vector<double> shares;
    std::vector<std::vector<std::int32_t>> arrivals;  // of each tree: the arc by which a vertex is reached
    for (const TreeShare& tree : trees) {
      if (tree.source != source) continue;
      shares.push_back(tree.share);
      arrivals.emplace_back(static_cast<std::size_t>(network.vertices()), -1);
      for (const std::int32_t arc : tree.arcs)
        arrivals.back()[static_cast<std::size_t>(network.arcs()[static_cast<std::size_t>(arc)].to)] = arc;
    }
    WholeParts whole(shares.size());
    for (std::size_t i = 0; i < demands.size(); ++i) {
      if (demands[i].source != source) continue;
      const std::vector<std::int32_t> counts = whole.next(shares, demands[i].parts);
      for (std::size_t j = 0; j < counts.size(); ++j) {
        if (counts[j] == 0) continue;
        Way way;
        for (Vertex v = network.host(demands[i].target); v != network.host(source);) {
          way.push_back(arrivals[j][static_cast<std::size_t>(v)]);
          v = network.arcs()[static_cast<std::size_t>(way.back())].from;
        }
        std::reverse(way.begin(), way.end());
        found[{static_cast<std::int32_t>(i), std::move(way)}] += counts[j];
      }
    }
  }
  return listed(found);
}

}  // namespace

std::vector<FlowWay> exchange_flow(const Network& network, const std::vector<FlowDemand>& demands,
                                   const SharedLinks& shared) {
  if (shared.of_arc.empty() && small_enough_for_optimum(network)) {
    if (const std::vector<TreeShare> trees = best_trees(network, wants_of(network, demands)); !trees.empty())
      return by_trees(network, demands, trees);
  }
  return by_parcels(network, demands, shared);
}

Wants wants_of(const Network& network, const std::vector<FlowDemand>& demands) {
  const auto ranks = static_cast<std::size_t>(network.ranks());
  Wants wants{std::vector<std::int64_t>(ranks * ranks, 0)};
  for (const FlowDemand& d : demands)
    wants.words[static_cast<std::size_t>(d.source) * ranks + static_cast<std::size_t>(d.target)] += d.words;
  return wants;
}

double busiest_share(const Network& network, const std::vector<FlowDemand>& demands, const std::vector<FlowWay>& ways,
                     const SharedLinks& shared) {
  const LinksOfArcs links(network, shared);
  std::vector<double> carried(links.count(), 0);
  for (const FlowWay& way : ways)
    for (const std::int32_t arc : way.arcs)
      links.each(arc, [&](std::size_t link) {
        carried[link] += words_of_part(demands[static_cast<std::size_t>(way.demand)]) * static_cast<double>(way.parts);
      });
  double most = 0;
  for (std::size_t i = 0; i < carried.size(); ++i)
    most = std::max(most, carried[i] / static_cast<double>(links.capacity(i)));
  return most;
}

}  // namespace quadrille::flow
