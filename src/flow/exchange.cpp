#include "flow/exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace quadrille::flow {

namespace {

/// What is for one host, split over all shortest ways to it, added to what arcs carry.
void add_ways_to(const Network& network, const Network& turned, Vertex host, std::vector<Ratio>& load) {
  const std::vector<std::int64_t> far = links_from(turned, host);
  std::vector<Vertex> order;
  std::vector<Ratio> arriving(static_cast<std::size_t>(network.vertices()));
  for (Vertex v = 0; v < network.vertices(); ++v) {
    if (far[static_cast<std::size_t>(v)] != nowhere && v != host) order.push_back(v);
    if (network.is_host(v)) arriving[static_cast<std::size_t>(v)] = 1;
  }
  const auto farther = [&](Vertex a, Vertex b) {
    return far[static_cast<std::size_t>(a)] > far[static_cast<std::size_t>(b)];
  };
  std::stable_sort(order.begin(), order.end(), farther);
  for (const Vertex v : order) {
    const Ratio& all = arriving[static_cast<std::size_t>(v)];
    if (all == Ratio(0)) continue;
    const auto nearer = [&](const Arc& arc) {
      return far[static_cast<std::size_t>(arc.to)] == far[static_cast<std::size_t>(v)] - 1;
    };
    const std::span<const Arc> arcs = network.leaving(v);
    const Ratio share = all / Ratio(std::count_if(arcs.begin(), arcs.end(), nearer));
    for (const Arc& arc : arcs) {
      if (!nearer(arc)) continue;
      Ratio& carried = load[static_cast<std::size_t>(&arc - network.arcs().data())];
      carried = carried + share;
      Ratio& next = arriving[static_cast<std::size_t>(arc.to)];
      next = next + share;
    }
  }
}

/// Length 1 on arcs that leave the side, or that leave or enter it.
Lengths across(const Network& network, const std::vector<Vertex>& side, bool both) {
  std::vector<char> inside(static_cast<std::size_t>(network.vertices()), 0);
  for (const Vertex v : side) inside[static_cast<std::size_t>(v)] = 1;
  Lengths lengths;
  for (const Arc& arc : network.arcs()) {
    const bool from = inside[static_cast<std::size_t>(arc.from)], to = inside[static_cast<std::size_t>(arc.to)];
    lengths.push_back(from != to && (from || both) ? 1 : 0);
  }
  return lengths;
}

/// The time where every pair's words go one shortest way, its links weighed by 1 / capacity.
Ratio single_ways(const Network& network, const Wants& wants) {
  std::vector<double> lengths;
  std::vector<std::int64_t> carried(network.arcs().size(), 0);
  for (const Arc& arc : network.arcs()) lengths.push_back(1 / static_cast<double>(arc.capacity));
  ShortestTrees trees(network, wants);
  for (Rank r = 0; r < network.ranks(); ++r) {
    trees.grow(r, lengths);
    for (const ShortestTrees::Load& load : trees.loads()) carried[static_cast<std::size_t>(load.arc)] += load.words;
  }
  Ratio most = 0;
  for (std::size_t i = 0; i < carried.size(); ++i) most = std::max(most, Ratio(carried[i], network.arcs()[i].capacity));
  return most;
}

/// By equal shares of all shortest ways; by single ways where shares are fractions beyond 127 bits.
Ratio upper_end(const Network& network, const Wants& wants) {
  if (!wants.words.empty()) return single_ways(network, wants);
  try {
    return equal_split(network);
  } catch (const Error& error) {
    if (error.kind() != Error::Kind::budget) throw;
    return single_ways(network, wants);
  }
}

/// Ranks whose own links may bind: all of a small network, else those by which the least can leave or enter.
std::vector<Rank> narrow_ranks(const Network& network) {
  constexpr std::int64_t most_visits = std::int64_t{1} << 22;
  std::vector<Rank> ranks(static_cast<std::size_t>(network.ranks() > 1 ? network.ranks() : 0));
  std::iota(ranks.begin(), ranks.end(), Rank{0});
  const auto arcs = static_cast<std::int64_t>(network.arcs().size());
  if (ranks.empty() || network.ranks() * network.ranks() <= most_visits / std::max<std::int64_t>(1, arcs)) return ranks;
  const Network turned = network.reversed();
  const auto narrowest = [&](const Network& on) {
    return *std::min_element(ranks.begin(), ranks.end(),
                             [&](Rank a, Rank b) { return on.out(on.host(a)) < on.out(on.host(b)); });
  };
  return {narrowest(network), narrowest(turned)};
}

/// Length 2 on arcs from a rank straight to one for whom it has something, 1 on others from who has and to who gets
/// something: where all are joined, such a pair's words take as much of others' arcs as of their own.
Lengths straight_twice(const Network& network, const Wants& wants) {
  const auto ranks = static_cast<std::size_t>(network.ranks());
  std::vector<char> gives(ranks, 0), gets(ranks, 0);
  for (std::size_t i = 0; i < wants.words.size(); ++i)
    if (wants.words[i] > 0) gives[i / ranks] = gets[i % ranks] = 1;
  Lengths lengths;
  for (const Arc& arc : network.arcs()) {
    const Rank from = network.rank(arc.from), to = network.rank(arc.to);
    const bool leaves = from >= 0 && gives[static_cast<std::size_t>(from)] != 0;
    const bool arrives = to >= 0 && gets[static_cast<std::size_t>(to)] != 0;
    const bool straight = from >= 0 && to >= 0 && wants.of(network, from, to) > 0;
    lengths.push_back(straight ? 2 : leaves || arrives ? 1 : 0);
  }
  return lengths;
}

}  // namespace

Lengths inverse_capacities(const Network& network) {
  constexpr std::int64_t most = std::int64_t{1} << 24;
  std::int64_t scale = 1;
  for (const Arc& arc : network.arcs()) {
    const Wide next = multiply(scale / std::gcd(scale, arc.capacity), arc.capacity);
    if (next > most) {
      scale = most;
      break;
    }
    scale = narrow(next);
  }
  Lengths lengths;
  for (const Arc& arc : network.arcs()) lengths.push_back(std::max<std::int64_t>(1, scale / arc.capacity));
  return lengths;
}

Ratio exchange_bound(const Network& network, const Lengths& lengths, const Wants& wants) {
  Wide needed = 0, offered = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i)
    offered = add(offered, multiply(lengths[i], network.arcs()[i].capacity));
  for (Rank r = 0; r < network.ranks(); ++r) {
    const std::vector<std::int64_t> found = distances(network, network.host(r), lengths);
    for (Rank other = 0; other < network.ranks(); ++other) {
      const std::int64_t distance = found[static_cast<std::size_t>(network.host(other))];
      const std::int64_t words = wants.of(network, r, other);
      if (words == 0) continue;
      if (distance == nowhere)
        throw Error(Error::Kind::argument, fmt::format("no links lead from rank {} to rank {}", r, other));
      needed = add(needed, multiply(words, distance));
    }
  }
  return offered == 0 ? Ratio(0) : Ratio(needed, offered);
}

Ratio equal_split(const Network& network) {
  const Network turned = network.reversed();
  std::vector<Ratio> load(network.arcs().size());
  for (const Vertex host : network.hosts()) add_ways_to(network, turned, host, load);
  Ratio most = 0;
  for (std::size_t i = 0; i < load.size(); ++i) most = std::max(most, load[i] / Ratio(network.arcs()[i].capacity));
  return most;
}

ExchangeBracket exchange_bracket(const Network& network, const Wants& wants) {
  ExchangeBracket best;
  const auto attempt = [&](const Lengths& lengths, const std::string& from) {
    const Ratio bound = exchange_bound(network, lengths, wants);
    if (!best.lengths.empty() && bound <= best.lower) return;
    best.lower = bound, best.lengths = lengths, best.from = from;
  };
  attempt(Lengths(network.arcs().size(), 1), "links");
  best.upper = upper_end(network, wants);
  const auto attempt_cut = [&](const std::vector<Vertex>& side, const std::string& from) {
    for (const bool both : {false, true})
      if (!best.exact()) attempt(across(network, side, both), from);
  };
  if (!best.exact()) attempt(inverse_capacities(network), "1 / capacity");
  if (!wants.words.empty() && !best.exact()) attempt(straight_twice(network, wants), "links that go straight, twice");
  if (network.ranks() > 1 && !best.exact()) {
    attempt_cut(allgather(network).side, "the cut of an allgather");
    attempt_cut(scatter(network, 0, one_each(network)).side, "the cut of a scatter");
    attempt_cut(gather(network, 0, one_each(network)).side, "the cut of a gather");
  }
  for (const Rank r : narrow_ranks(network)) {
    if (best.exact()) break;
    std::vector<Vertex> others;
    for (Vertex v = 0; v < network.vertices(); ++v)
      if (v != network.host(r)) others.push_back(v);
    attempt_cut({network.host(r)}, fmt::format("links of rank {}", r));
    if (!best.exact()) attempt(across(network, others, false), fmt::format("links of rank {}", r));
  }
  return best;
}

}  // namespace quadrille::flow
