#include "algorithm/kit/ways.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <mutex>
#include <set>
#include <utility>

#include "algorithm/kit/support.hpp"
#include "cost/link_costs.hpp"

namespace quadrille::algorithm::kit {

namespace {

constexpr int most_at_once = 64;  ///< chunks of a round on the fastest link

/// Links between neighbours by their ends; of several that join the same two, the one that the route takes.
std::vector<Link> links_used(const Topology& t) {
  std::map<std::pair<Rank, Rank>, Link> by_ends;
  std::vector<Link> route;
  for (Link link = 0; link < t.links(); ++link) {
    const Rank from = t.tail(link), to = t.head(link);
    if (from == to || std::min(from, to) < 0 || std::max(from, to) >= t.ranks() || by_ends.contains({from, to}))
      continue;
    route.clear();
    t.route(from, to, route);
    if (route.size() == 1) by_ends[{from, to}] = route.front();
  }
  std::vector<Link> links;
  for (const auto& [ends, link] : by_ends) links.push_back(link);
  return links;
}

/// Where all pairs are joined by routes through switches, each rank takes from so many others.
std::vector<std::pair<Rank, Rank>> pairs_through_switches(Rank ranks) {
  std::vector<std::pair<Rank, Rank>> pairs;
  for (Rank to = 0; to < ranks; ++to) {
    if (ranks <= most_all_joined) {
      for (Rank from = 0; from < ranks; ++from)
        if (from != to) pairs.emplace_back(from, to);
      continue;
    }
    const auto begin = std::ssize(pairs);
    for (Rank step = 1; step < ranks; step *= 2)
      for (const Rank from : {(to + step) % ranks, (to - step % ranks + ranks) % ranks})
        if (std::find(pairs.begin() + begin, pairs.end(), std::pair(from, to)) == pairs.end())
          pairs.emplace_back(from, to);
  }
  return pairs;
}

/// A link carries in a round what it carries while the slowest link carries a chunk.
std::int32_t chunks_at_once(double slowness, double slowest) {
  return static_cast<std::int32_t>(std::clamp(slowest / slowness + 1e-9, 1.0, double{most_at_once}));
}

void add_arriving(Ways& ways, const Machine& machine, Rank to, double slowness) {
  double& rate = ways.arriving[static_cast<std::size_t>(to)];
  rate = machine.ports == Ports::one ? std::max(rate, 1 / slowness) : rate + 1 / slowness;
  ways.fastest = std::min(ways.fastest, slowness);
}

Ways ways_between_neighbours(const Topology& t, const Machine& machine, const cost::LinkCosts& costs) {
  Ways ways{.channels = {}, .link_chunks = {}, .arriving = std::vector<double>(static_cast<std::size_t>(t.ranks()), 0)};
  std::map<std::pair<Rank, Rank>, std::int32_t> wires;
  const std::vector<Link> links = links_used(t);
  double slowest = 0;
  for (const Link link : links) slowest = std::max(slowest, costs.slowness(link));
  ways.slowest = slowest;
  for (const Link link : links) {
    const auto from = static_cast<std::int32_t>(t.tail(link)), to = static_cast<std::int32_t>(t.head(link));
    const auto wire = wires.try_emplace({std::min(from, to), std::max(from, to)}, wires.size()).first->second;
    ways.channels.push_back({from, to, chunks_at_once(costs.slowness(link), slowest), wire});
    add_arriving(ways, machine, to, costs.slowness(link));
  }
  return ways;
}

/// By routes. Through switches they pass no other rank.
Ways ways_on_routes(const Topology& t, const Machine& machine, const cost::LinkCosts& costs, Reach reach) {
  Ways ways{.channels = {}, .link_chunks = {}, .arriving = std::vector<double>(static_cast<std::size_t>(t.ranks()), 0)};
  double slowest = 0;
  for (Link link = 0; link < t.links(); ++link) slowest = std::max(slowest, costs.slowness(link));
  ways.slowest = slowest;
  for (Link link = 0; link < t.links(); ++link) {
    ways.link_chunks.push_back(chunks_at_once(costs.slowness(link), slowest));
    ways.fastest = std::min(ways.fastest, costs.slowness(link));
  }
  // Of stages of switches routes lead past ranks by nature.
  const bool leave_out = t.structure().routed && reach == Reach::neighbours;
  std::set<Link> last;
  std::vector<Link> route;
  for (const auto& [from, to] : pairs_through_switches(t.ranks())) {
    route.clear();
    t.route(from, to, route);
    flow::Channel channel{static_cast<std::int32_t>(from), static_cast<std::int32_t>(to)};
    for (const Link link : route) channel.links.push_back(static_cast<std::int32_t>(link));
    if (last.insert(route.back()).second) add_arriving(ways, machine, to, costs.slowness(route.back()));
    const bool passes =
        leave_out && std::any_of(route.begin(), route.end() - 1, [&](Link link) { return t.head(link) < t.ranks(); });
    if (!passes) ways.channels.push_back(std::move(channel));
  }
  return ways;
}

/// Both directions of a wire of half duplex are one link.
void join_directions(flow::SharedLinks& shared, const Topology& t) {
  for (std::vector<std::int32_t>& links : shared.of_arc)
    for (std::int32_t& link : links) link = std::min(link, static_cast<std::int32_t>(t.reverse(link)));
}

/// What a rank sends takes its port, and what it receives; half duplex: the same one. A port is as fast as the fastest
/// link.
void add_ports(flow::SharedLinks& shared, const flow::Network& network, bool half) {
  const std::int64_t fastest = *std::max_element(shared.capacity.begin(), shared.capacity.end());
  const auto first = static_cast<std::int32_t>(shared.capacity.size()),
             ranks = static_cast<std::int32_t>(network.ranks()), receives = first + (half ? 0 : ranks);
  shared.capacity.resize(static_cast<std::size_t>(receives + ranks), fastest);
  for (std::size_t i = 0; i < shared.of_arc.size(); ++i) {
    const flow::Arc& arc = network.arcs()[i];
    shared.of_arc[i].push_back(first + static_cast<std::int32_t>(arc.from));
    shared.of_arc[i].push_back(receives + static_cast<std::int32_t>(arc.to));
  }
}

/// The next plan's network has been read anew.
bool is_same(const TopologyPtr& a, const TopologyPtr& b) { return a == b || a->text() == b->text(); }

}  // namespace

/// A plan asks for the same ways many times: those of the last networks are kept, which keeps these networks, too.
WaysPtr ways_of(const TopologyPtr& topology, const Machine& machine, Reach reach) {
  struct Known {
    TopologyPtr topology;
    Ports ports;
    Reach reach;
    double beta;
    Seconds alpha;
    std::vector<LinkCost> links;
    WaysPtr ways;
  };
  static std::mutex mutex;
  static std::deque<Known> known;
  constexpr std::size_t most_known = 4;
  const std::lock_guard lock(mutex);
  for (const Known& k : known)
    if (is_same(k.topology, topology) && k.ports == machine.ports && k.reach == reach && k.beta == machine.beta &&
        k.alpha == machine.alpha && k.links == machine.links)
      return k.ways;
  const cost::LinkCosts costs(machine, *topology);
  const auto ways = std::make_shared<const Ways>(topology->direct() && reach == Reach::neighbours
                                                     ? ways_between_neighbours(*topology, machine, costs)
                                                     : ways_on_routes(*topology, machine, costs, reach));
  if (known.size() == most_known) known.pop_front();
  known.push_back({topology, machine.ports, reach, machine.beta, machine.alpha, machine.links, ways});
  return ways;
}

bool lead_everywhere(const std::vector<flow::Channel>& channels, Rank ranks) {
  for (const bool back : {false, true}) {
    std::vector<std::vector<Rank>> next(static_cast<std::size_t>(ranks));
    for (const flow::Channel& c : channels)
      next[static_cast<std::size_t>(back ? c.to : c.from)].push_back(back ? c.from : c.to);
    std::vector<char> seen(next.size(), 0);
    std::vector<Rank> queue{0};
    seen[0] = 1;
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const Rank other : next[static_cast<std::size_t>(queue[i])])
        if (!std::exchange(seen[static_cast<std::size_t>(other)], 1)) queue.push_back(other);
    if (std::ssize(queue) < ranks) return false;
  }
  return true;
}

flow::Network network_of(const Spec& spec, const Machine& machine, Reach reach) {
  std::vector<flow::Vertex> hosts;
  for (Rank r = 0; r < spec.ranks(); ++r) hosts.push_back(r);
  std::vector<flow::Arc> arcs;
  const WaysPtr ways = ways_of(spec.topology, machine, reach);
  for (const flow::Channel& c : ways->channels) arcs.push_back({c.from, c.to, c.chunks});
  return {spec.ranks(), std::move(hosts), std::move(arcs)};
}

flow::SharedLinks shared_links(const Spec& spec, const Machine& machine, const flow::Network& network, Reach reach) {
  flow::SharedLinks shared;
  if (spec.topology->direct() && reach == Reach::neighbours) return shared;
  const WaysPtr ways = ways_of(spec.topology, machine, reach);
  shared.capacity.assign(ways->link_chunks.begin(), ways->link_chunks.end());
  shared.of_arc.resize(network.arcs().size());
  for (const flow::Channel& c : ways->channels)
    shared.of_arc[static_cast<std::size_t>(network.find(c.from, c.to))] = c.links;
  if (reach == Reach::neighbours) return shared;
  if (half_duplex(machine)) join_directions(shared, *spec.topology);
  if (machine.ports == Ports::one) add_ports(shared, network, half_duplex(machine));
  return shared;
}

bool joins_ranks(const Spec& spec) {
  const Topology& t = *spec.topology;
  if (!t.direct() || t.shared_medium() || t.nodes() != t.ranks()) return false;
  const bool from_some = spec.collective == Collective::multibcast || spec.collective == Collective::bcast;
  return t.contended() || (from_some && t.ranks() <= most_all_joined);
}

std::string needs_links(const Spec& spec) {
  const Topology& t = *spec.topology;
  if (joins_ranks(spec)) return {};
  return fmt::format("needs links from rank to rank on which messages can meet, and {} has none; nearest: {}", t.text(),
                     nearest_torus(spec));
}

std::string lead_somewhere(const Spec& spec, const Machine& machine) {
  const Topology& t = *spec.topology;
  if (!t.structure().routed || lead_everywhere(ways_of(spec.topology, machine)->channels, spec.ranks())) return {};
  return fmt::format("some routes of {} pass other ranks, and no others lead everywhere; try :routes=shortest",
                     t.text());
}

std::string needs_free_links(const Spec& spec, const Machine& machine) {
  if (std::string reason = needs_links(spec); !reason.empty()) return reason;
  if (std::string reason = needs_all_ports(machine); !reason.empty()) return reason;
  if (half_duplex(machine)) return "sends both ways over a wire at once; try --set duplex=full";
  return lead_somewhere(spec, machine);
}

}  // namespace quadrille::algorithm::kit
