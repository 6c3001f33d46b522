#include "tuner/survey.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

namespace quadrille::tuner {

namespace {

constexpr std::int64_t most_pairs = 120;
constexpr std::size_t most_at_once = 8;

/// Pairs of ranks, all or as many as are affordable, evenly chosen.
std::vector<Edge> chosen_pairs(Rank ranks) {
  const std::int64_t all = ranks * (ranks - 1) / 2, stride = (all + most_pairs - 1) / most_pairs;
  std::vector<Edge> chosen;
  std::int64_t n = 0;
  for (Rank a = 0; a < ranks; ++a)
    for (Rank b = a + 1; b < ranks; ++b)
      if (n++ % stride == 0) chosen.emplace_back(a, b);
  return chosen;
}

/// Ranks one link away; where every rank is, the two beside.
template <class Distance>
std::vector<Rank> beside(Rank n, Rank r, Distance distance) {
  std::vector<Rank> found;
  for (Rank other = 0; other < n; ++other)
    if (other != r && distance(r, other) == 1) found.push_back(other);
  if (!found.empty() && (n <= 3 || std::ssize(found) < n - 1)) return found;
  return n == 2 ? std::vector<Rank>{1 - r} : std::vector<Rank>{(r + 1) % n, (r + n - 1) % n};
}

/// Of groups of ranks near each other: who stands at the same place in the next group, and in the one before.
std::vector<Rank> across(const std::vector<std::vector<Rank>>& groups, Rank r) {
  const auto count = groups.size();
  for (std::size_t g = 0; g < count; ++g) {
    const auto at = std::find(groups[g].begin(), groups[g].end(), r) - groups[g].begin();
    if (at == std::ssize(groups[g])) continue;
    const auto counterpart = [&](const std::vector<Rank>& other) {
      return other[static_cast<std::size_t>(at) % other.size()];
    };
    std::vector<Rank> found{counterpart(groups[(g + 1) % count])};
    if (count > 2) found.push_back(counterpart(groups[(g + count - 1) % count]));
    return found;
  }
  return {};
}

/// Hosts as a list that says of each rank where it is; empty lists where groups differ in size.
topology::Hosts hosts_of_groups(Rank ranks, const std::vector<std::vector<Rank>>& groups) {
  std::vector<std::int64_t> group_of(static_cast<std::size_t>(ranks), 0);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    if (groups[g].size() != groups.front().size()) return {};
    for (const Rank r : groups[g]) group_of[static_cast<std::size_t>(r)] = static_cast<std::int64_t>(g);
  }
  return topology::Hosts(group_of);
}

}  // namespace

Survey::Survey(const TuneOptions& options, Bench& bench, Tuned& tuned)
    : options_(options), bench_(bench), tuned_(tuned) {
  // Twice, one pass after the other: what is seen once only is a busy moment's doing.
  const std::vector<Edge> chosen = chosen_pairs(options_.ranks);
  const std::vector<PairSample> first = pairs("pairs", chosen, 0.25);
  const std::vector<PairSample> second =
      pairs("pairs again", {chosen.begin(), chosen.begin() + std::ssize(first)}, 0.5);
  tuned_.pairs = least(first, second);
  tuned_.network = revealed(options_.ranks, first, second);
  hosts_ = hosts_at_hand();
  hosts_.shared() ? choose_network_of_nodes() : choose_network();
  choose_neighbours();
}

/// Pair by pair, as many as fit into that share of the time.
std::vector<PairSample> Survey::pairs(std::string_view what, const std::vector<Edge>& chosen, double share) {
  const auto one_way = [&](const Edge& pair, Bytes bytes, int there_and_back) {
    return bench_.shortest(Probe(options_.ranks, {pair}, Probe::Way::to_and_fro, 2 * there_and_back, bytes)) /
           (2 * there_and_back);
  };
  std::vector<PairSample> measured;
  for (const Edge& pair : chosen) {
    if (bench_.over(share)) break;
    bench_.begin(fmt::format("{}, {} of {}", what, measured.size() + 1, chosen.size()));
    measured.push_back({pair.first, pair.second, one_way(pair, small_size, trips / 2), one_way(pair, middle_size, 1)});
  }
  return measured;
}

/// Who shares links shows in what takes longer at once, even where distance costs next to nothing. The patterns number
/// the ranks that they are among.
std::vector<PatternSample> Survey::measured_patterns(const std::vector<Rank>& among) {
  std::vector<PatternSample> found;
  for (std::vector<Rank>& to : patterns(std::ssize(among))) {
    if (bench_.over(0.6)) break;
    bench_.begin(fmt::format("patterns, {}", found.size() + 1));
    std::vector<Edge> edges;
    for (std::size_t i = 0; i < to.size(); ++i) {
      const Rank from = among[i % among.size()], peer = among[static_cast<std::size_t>(to[i])];
      if (peer != from) edges.emplace_back(from, peer);
    }
    found.push_back({std::move(to), bench_.shortest(Probe(options_.ranks, edges, Probe::Way::on, 1, middle_size))});
  }
  return found;
}

/// Nodes with several ranks: of the network that is named, of the hosts that are known, or of equal groups that show.
/// Groups of hosts are no nodes: what is near there is a switch, and no memory.
topology::Hosts Survey::hosts_at_hand() const {
  const topology::Hosts told(options_.hosts);
  if (options_.topology) {
    const Topology::Structure structure = options_.topology->structure();
    if (!structure.routed || structure.per_node == 0)
      return structure.routed && told.shared() ? told : topology::Hosts();
    std::vector<std::int64_t> node_of_rank;
    for (Rank r = 0; r < options_.ranks; ++r)
      node_of_rank.push_back((options_.nodes.empty() ? r : options_.nodes[static_cast<std::size_t>(r)]) /
                             structure.per_node);
    return topology::Hosts(node_of_rank);
  }
  if (told.count() > 1) return told;
  return tuned_.network.groups.empty() ? topology::Hosts() : hosts_of_groups(options_.ranks, tuned_.network.groups);
}

void Survey::choose_network() {
  std::vector<Rank> all(static_cast<std::size_t>(options_.ranks));
  std::iota(all.begin(), all.end(), Rank{0});
  tuned_.patterns = measured_patterns(all);
  if (const Revealed shared = revealed_at_once(options_.ranks, tuned_.patterns);
      tuned_.network.groups.empty() && shared.explained > 0)
    tuned_.network = shared;
  tuned_.topology = options_.topology ? options_.topology : parse_topology(tuned_.network.topology);
  tuned_.nodes = options_.nodes;
}

/// Between nodes the first rank of each speaks. Where they differ in size nothing but a switch is known for them.
void Survey::choose_network_of_nodes() {
  const std::vector<Rank> all = speakers();
  tuned_.patterns = measured_patterns(all);
  const Revealed between = revealed_at_once(hosts_.count(), tuned_.patterns);
  const bool found = between.explained > 0 && hosts_.fewest() == hosts_.most();
  Revealed& network = tuned_.network;
  network.topology = found ? fmt::format("{}*{}", between.topology, hosts_.most()) : hosts_.star();
  network.explained = found ? between.explained : 0;
  network.text = fmt::format("{}; between nodes {}", hosts_.words(),
                             found ? between.text : "messages at once share no links that are known; taken for a star");
  network.groups.clear();
  for (Rank host = 0; host < hosts_.count(); ++host) network.groups.push_back(hosts_.ranks_of(host));
  tuned_.topology = options_.topology ? options_.topology : parse_topology(network.topology);
  tuned_.nodes = options_.topology ? options_.nodes : hosts_.nodes();
}

void Survey::choose_neighbours() {
  neighbours_.resize(static_cast<std::size_t>(options_.ranks));
  if (!hosts_.shared()) {
    for (Rank r = 0; r < options_.ranks; ++r)
      neighbours_[static_cast<std::size_t>(r)] =
          known() ? beside(options_.ranks, r, [this](Rank a, Rank b) { return distance(a, b); })
                  : across(tuned_.network.groups, r);
    return;
  }
  const std::vector<Rank> all = speakers();
  int nearest = std::numeric_limits<int>::max();
  for (std::size_t i = 1; i < all.size(); ++i) nearest = std::min(nearest, distance(all[0], all[i]));
  for (Rank host = 0; host < hosts_.count(); ++host) {
    std::vector<Rank>& found = neighbours_[static_cast<std::size_t>(all[static_cast<std::size_t>(host)])];
    for (const Rank other : beside(hosts_.count(), host, [&](Rank a, Rank b) {
           return 1 + distance(all[static_cast<std::size_t>(a)], all[static_cast<std::size_t>(b)]) - nearest;
         }))
      found.push_back(all[static_cast<std::size_t>(other)]);
  }
}

std::vector<Rank> Survey::speakers() const {
  std::vector<Rank> all;
  for (Rank host = 0; host < hosts_.count(); ++host) all.push_back(hosts_.ranks_of(host).front());
  return all;
}

int Survey::distance(Rank a, Rank b) const {
  const auto node = [&](Rank r) { return tuned_.nodes.empty() ? r : tuned_.nodes[static_cast<std::size_t>(r)]; };
  return tuned_.topology->distance(node(a), node(b));
}

Rank Survey::farthest() const {
  Rank far = neighbours(0).front();
  for (Rank r = 1; known() && r < options_.ranks; ++r)
    if ((!hosts_.shared() || hosts_.ranks_of(hosts_.host(r)).front() == r) && distance(0, r) > distance(0, far))
      far = r;
  return far;
}

std::vector<Rank> Survey::crowd() const {
  std::vector<Rank> found;
  const int near = hosts_.shared() ? distance(0, neighbours(0).front()) : 1;
  for (Rank r = 1; known() && r < options_.ranks && found.size() < most_at_once; ++r)
    if ((!hosts_.shared() || hosts_.ranks_of(hosts_.host(r)).front() == r) && distance(0, r) == near)
      found.push_back(r);
  return found.size() > neighbours(0).size() ? found : neighbours(0);
}

std::vector<Edge> Survey::all_edges() const {
  std::vector<Edge> edges;
  for (Rank r = 0; r < options_.ranks; ++r)
    for (const Rank peer : neighbours(r))
      for (const Edge& edge : {Edge{r, peer}, Edge{peer, r}})
        if (std::find(edges.begin(), edges.end(), edge) == edges.end()) edges.push_back(edge);
  return edges;
}

Edge Survey::within() const {
  Rank host = 0;
  while (hosts_.ranks_of(host).size() < 2) ++host;
  return {hosts_.ranks_of(host)[0], hosts_.ranks_of(host)[1]};
}

std::vector<Edge> Survey::leaving() const {
  Rank full = 0, next = 1;
  for (Rank host = 1; host < hosts_.count(); ++host) {
    if (hosts_.ranks_of(host).size() > hosts_.ranks_of(full).size())
      next = full, full = host;
    else if (host > 1 && hosts_.ranks_of(host).size() > hosts_.ranks_of(next).size())
      next = host;
  }
  const std::vector<Rank>&from = hosts_.ranks_of(full), &to = hosts_.ranks_of(next);
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < std::min(from.size(), to.size()); ++i) edges.emplace_back(from[i], to[i]);
  return edges;
}

std::vector<Edge> Survey::incast() const {
  std::vector<Edge> edges;
  for (const Rank speaker : speakers())
    if (speaker != 0 && edges.size() < most_at_once) edges.emplace_back(speaker, 0);
  return edges;
}

}  // namespace quadrille::tuner
