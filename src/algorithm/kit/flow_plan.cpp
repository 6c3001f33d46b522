#include "algorithm/kit/flow_plan.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/recent.hpp"

namespace quadrille::algorithm::kit {

namespace {

/// What one rank sends another, by the switches that it passes: as arcs, and how many ranks a rank sends to or takes
/// from at most.
class SentBetweenRanks {
 public:
  void add(std::int32_t from, std::int32_t to, std::vector<flow::Vertex> switches,
           const std::vector<std::size_t>& links, std::int64_t parts) {
    sent_[{from, to}][std::move(switches)] += parts;
    Carried& carried = carried_[{from, to}];
    carried.parts += parts;
    for (const std::size_t link : links) carried.by_link[link] += parts;
  }
  std::vector<Crossing> crossed(const schedule::PartsWay& way) const {
    std::vector<Crossing> all;
    for (std::size_t i = 0; i + 1 < way.ranks.size(); ++i) {
      const Carried& carried = carried_.at({way.ranks[i], way.ranks[i + 1]});
      for (const auto& [link, parts] : carried.by_link)
        all.push_back({static_cast<std::int32_t>(i), static_cast<std::int32_t>(link),
                       static_cast<double>(parts) / static_cast<double>(carried.parts)});
    }
    return all;
  }
  flow::LogicalNetwork logical(std::int32_t ranks) const {
    std::vector<flow::Arc> arcs;
    std::vector<std::vector<flow::Through>> ways;
    for (const auto& [ends, passed] : sent_) {
      arcs.push_back({ends.first, ends.second, 0});
      for (const auto& [switches, amount] : passed) {
        if (arcs.back().capacity == 0) ways.emplace_back();
        ways.back().push_back({amount, switches});
        arcs.back().capacity += amount;
      }
    }
    std::vector<flow::Vertex> hosts;
    for (std::int32_t r = 0; r < ranks; ++r) hosts.push_back(r);
    return {flow::Network(ranks, std::move(hosts), std::move(arcs)), std::move(ways), true};
  }
  std::int64_t crowd(std::int32_t ranks) const {
    std::vector<std::int64_t> messages(2 * static_cast<std::size_t>(ranks), 0);
    std::int64_t most = 1;
    for (const auto& [ends, passed] : sent_)
      for (const std::int32_t end : {ends.first, ranks + ends.second})
        most = std::max(most, ++messages[static_cast<std::size_t>(end)]);
    return most;
  }

 private:
  using Ends = std::pair<std::int32_t, std::int32_t>;
  struct Carried {
    std::int64_t parts = 0;
    std::map<std::size_t, std::int64_t> by_link;
  };
  std::map<Ends, std::map<std::vector<flow::Vertex>, std::int64_t>> sent_;
  std::map<Ends, Carried> carried_;
};

FlowPlan planned(const FlowGround& ground, const std::vector<flow::FlowDemand>& demands) {
  const flow::Network& network = ground.network;
  const auto ranks = static_cast<std::int32_t>(network.ranks());
  const std::vector<flow::FlowWay> found = exchange_flow(network, demands, ground.shared);
  FlowPlan plan{{}, {}, {}, {network, {}, true}, busiest_share(network, demands, found, ground.shared)};
  const flow::LinksOfArcs links(network, ground.shared);
  for (std::size_t link = 0; link < links.count(); ++link) plan.capacity.push_back(links.capacity(link));
  SentBetweenRanks sent;
  std::int32_t first = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (i == 0 || found[i].demand != found[i - 1].demand) first = 0;
    const flow::FlowDemand& demand = demands[static_cast<std::size_t>(found[i].demand)];
    schedule::PartsWay way{first, found[i].parts, {demand.source}, demand.target, demand.source};
    std::vector<flow::Vertex> switches;
    std::vector<std::size_t> passed;
    for (const std::int32_t arc : found[i].arcs) {
      links.each(arc, [&](std::size_t link) { passed.push_back(link); });
      const flow::Vertex here = network.arcs()[static_cast<std::size_t>(arc)].to;
      const auto rank = static_cast<std::int32_t>(network.rank(here));
      if (rank < 0) {
        switches.push_back(here);
        continue;
      }
      sent.add(way.ranks.back(), rank, std::exchange(switches, {}), std::exchange(passed, {}), found[i].parts);
      way.ranks.push_back(rank);
    }
    first += found[i].parts;
    plan.longest = std::max<std::int64_t>(plan.longest, std::ssize(way.ranks) - 1);
    plan.segments += std::ssize(way.ranks) - 1;
    plan.slots += (std::ssize(way.ranks) - 1) * way.parts;
    plan.ways.push_back(std::move(way));
  }
  for (const schedule::PartsWay& way : plan.ways) plan.crossed.push_back(sent.crossed(way));
  plan.logical = sent.logical(ranks);
  plan.crowd = sent.crowd(ranks);
  return plan;
}

}  // namespace

std::vector<std::int64_t> flow_key(const FlowGround& ground, const std::vector<flow::FlowDemand>& demands) {
  std::vector<std::int64_t> key{ground.network.ranks(), ground.network.vertices()};
  for (const flow::Arc& arc : ground.network.arcs()) key.insert(key.end(), {arc.from, arc.to, arc.capacity});
  key.insert(key.end(), ground.shared.capacity.begin(), ground.shared.capacity.end());
  for (const std::vector<std::int32_t>& links : ground.shared.of_arc) {
    key.push_back(-1);
    key.insert(key.end(), links.begin(), links.end());
  }
  key.push_back(-2);
  for (const flow::FlowDemand& d : demands) key.insert(key.end(), {d.source, d.target, d.words, d.parts});
  return key;
}

std::shared_ptr<const FlowPlan> flow_plan(const FlowGround& ground, const std::vector<flow::FlowDemand>& demands) {
  static base::Recent<std::vector<std::int64_t>, FlowPlan> known;
  return known.get(flow_key(ground, demands), [&] { return planned(ground, demands); });
}

}  // namespace quadrille::algorithm::kit
