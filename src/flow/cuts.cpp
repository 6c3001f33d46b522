// Newton's iteration on cuts: while some flow fails at the best time known, its smallest cut gives a better one.
#include "flow/cuts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "flow/max_flow.hpp"

namespace quadrille::flow {

namespace {

std::int64_t total(const Words& words) {
  Wide sum = 0;
  for (const std::int64_t n : words) sum = add(sum, n);
  return narrow(sum);
}

void check_words(const Network& network, const Words& words) {
  if (static_cast<Rank>(words.size()) == network.ranks() &&
      std::all_of(words.begin(), words.end(), [](std::int64_t n) { return n >= 0; }))
    return;
  throw Error(Error::Kind::internal, "words of a network: expected a number of 0 or more for each rank");
}

[[noreturn]] void unreachable(Rank from, Rank to) {
  throw Error(Error::Kind::argument,
              fmt::format("no links lead from rank {} to rank {}; the collective needs a way between them", from, to));
}

std::vector<char> members(const Network& network, const std::vector<Vertex>& side) {
  std::vector<char> inside(static_cast<std::size_t>(network.vertices()), 0);
  for (const Vertex v : side) inside[static_cast<std::size_t>(v)] = 1;
  return inside;
}

std::int64_t leaving(const Network& network, const std::vector<char>& inside) {
  Wide out = 0;
  for (const Arc& arc : network.arcs())
    if (inside[static_cast<std::size_t>(arc.from)] && !inside[static_cast<std::size_t>(arc.to)])
      out = add(out, arc.capacity);
  return narrow(out);
}

/// Words of the ranks inside, or outside.
std::int64_t held(const Network& network, const Words& words, const std::vector<char>& inside, bool within) {
  Wide sum = 0;
  for (Rank r = 0; r < network.ranks(); ++r)
    if ((inside[static_cast<std::size_t>(network.host(r))] != 0) == within)
      sum = add(sum, words[static_cast<std::size_t>(r)]);
  return narrow(sum);
}

/// The lowest rank with words inside, or outside; -1 where there is none.
Rank lowest(const Network& network, const Words* words, const std::vector<char>& inside, bool within) {
  for (Rank r = 0; r < network.ranks(); ++r)
    if ((inside[static_cast<std::size_t>(network.host(r))] != 0) == within &&
        (words == nullptr || (*words)[static_cast<std::size_t>(r)] > 0))
      return r;
  return -1;
}

Cut spread_cut(const Network& network, const Words& has, const std::vector<char>& inside) {
  Cut cut{{}, held(network, has, inside, true), leaving(network, inside)};
  if (cut.demand > 0 && cut.out == 0)
    unreachable(lowest(network, &has, inside, true), lowest(network, nullptr, inside, false));
  for (Vertex v = 0; v < network.vertices(); ++v)
    if (inside[static_cast<std::size_t>(v)]) cut.side.push_back(v);
  return cut;
}

/// `turned`: the network is the other way round, because the root collects.
Cut scatter_cut(const Network& network, Rank root, const Words& wants, const std::vector<char>& inside, bool turned) {
  Cut cut{{}, held(network, wants, inside, false), leaving(network, inside)};
  if (cut.demand > 0 && cut.out == 0) {
    const Rank other = lowest(network, &wants, inside, false);
    turned ? unreachable(other, root) : unreachable(root, other);
  }
  for (Vertex v = 0; v < network.vertices(); ++v)
    if (inside[static_cast<std::size_t>(v)]) cut.side.push_back(v);
  return cut;
}

/// The best of each rank's own links: what it gives must leave it, and what others have must come in.
Cut best_single(const Network& network, const Words& has) {
  std::vector<std::int64_t> in(static_cast<std::size_t>(network.vertices()), 0);
  for (const Arc& arc : network.arcs()) in[static_cast<std::size_t>(arc.to)] += arc.capacity;
  const std::int64_t all = total(has);
  Ratio best = 0;
  Vertex at = -1;
  bool alone = false;  // the side is the rank, not all but the rank
  const auto better = [&](std::int64_t demand, std::int64_t capacity, Vertex v, bool leaves) {
    if (demand == 0 || (capacity > 0 && Ratio(demand, capacity) <= best)) return;
    std::vector<char> inside(static_cast<std::size_t>(network.vertices()), leaves ? 0 : 1);
    inside[static_cast<std::size_t>(v)] = leaves ? 1 : 0;
    if (capacity == 0) spread_cut(network, has, inside);  // says who cannot reach whom
    best = Ratio(demand, capacity), at = v, alone = leaves;
  };
  for (Rank r = 0; r < network.ranks() && network.ranks() > 1; ++r) {
    const Vertex v = network.host(r);
    const std::int64_t own = has[static_cast<std::size_t>(r)];
    better(own, network.out(v), v, true);
    better(all - own, in[static_cast<std::size_t>(v)], v, false);
  }
  if (at < 0) return {};
  std::vector<char> inside(static_cast<std::size_t>(network.vertices()), alone ? 0 : 1);
  inside[static_cast<std::size_t>(at)] = alone ? 1 : 0;
  return spread_cut(network, has, inside);
}

std::int64_t scaled(std::int64_t n, std::int64_t by) { return narrow(multiply(n, by)); }

/// The best side that holds the root, and what the others want.
Cut best_side(const Network& network, Rank root, const Words& wants, bool turned) {
  const std::int64_t all = total(wants);
  if (all == 0) return {};
  std::vector<char> inside(static_cast<std::size_t>(network.vertices()), 0);
  inside[static_cast<std::size_t>(network.host(root))] = 1;
  Cut best = scatter_cut(network, root, wants, inside, turned);
  for (;;) {
    const std::int64_t p = narrow(best.time().top()), q = narrow(best.time().bottom());
    MaxFlow flow(network.vertices() + 1);
    for (const Arc& arc : network.arcs()) flow.add(arc.from, arc.to, scaled(arc.capacity, p));
    for (Rank r = 0; r < network.ranks(); ++r)
      if (const std::int64_t own = wants[static_cast<std::size_t>(r)]; own > 0)
        flow.add(network.host(r), network.vertices(), scaled(own, q));
    flow.make_end(network.vertices());
    if (flow.run(network.host(root), scaled(all, q)) == scaled(all, q)) break;
    for (Vertex u = 0; u < network.vertices(); ++u) inside[static_cast<std::size_t>(u)] = flow.on_side_of_start(u);
    Cut better = scatter_cut(network, root, wants, inside, turned);
    if (better.time() <= best.time()) throw Error(Error::Kind::internal, "a failed flow gave no better cut");
    best = std::move(better);
  }
  check_scatter(network, root, wants, best);
  return best;
}

/// Without what the root has for itself.
Words moved(Words words, Rank root) {
  words[static_cast<std::size_t>(root)] = 0;
  return words;
}

/// The network the other way round, so that a flow starts at the rank that must be reached and ends wherever all words
/// are known to be; the last vertex is where ranks get their own words from.
MaxFlow backwards(const Network& network, const Words& has, std::int64_t capacity_factor, std::int64_t word_factor) {
  MaxFlow flow(network.vertices() + 1);
  for (const Arc& arc : network.arcs()) {
    const std::int64_t opposite = network.find(arc.to, arc.from);
    if (opposite >= 0 && arc.from > arc.to) continue;
    const std::int64_t back = opposite < 0 ? 0 : network.arcs()[static_cast<std::size_t>(opposite)].capacity;
    flow.add(arc.to, arc.from, scaled(arc.capacity, capacity_factor), scaled(back, capacity_factor));
  }
  for (Rank r = 0; r < network.ranks(); ++r)
    if (const std::int64_t own = has[static_cast<std::size_t>(r)]; own > 0)
      flow.add(network.host(r), network.vertices(), scaled(own, word_factor));
  flow.make_end(network.vertices());
  return flow;
}

/// Ranks near each other stand one after the other, so that a flow that ends at earlier ones is short.
std::vector<Vertex> nearby_order(const Network& network) {
  std::vector<char> seen(static_cast<std::size_t>(network.vertices()), 0);
  std::vector<Vertex> order, queue;
  for (const Vertex start : network.hosts()) {
    if (seen[static_cast<std::size_t>(start)]) continue;
    seen[static_cast<std::size_t>(start)] = 1;
    queue.assign(1, start);
    for (std::size_t i = 0; i < queue.size(); ++i) {
      if (network.is_host(queue[i])) order.push_back(queue[i]);
      for (const Arc& arc : network.leaving(queue[i]))
        if (!std::exchange(seen[static_cast<std::size_t>(arc.to)], 1)) queue.push_back(arc.to);
    }
  }
  return order;
}

}  // namespace

Words one_each(const Network& network) { return Words(static_cast<std::size_t>(network.ranks()), 1); }

std::int64_t capacity_out(const Network& network, const std::vector<Vertex>& side) {
  return leaving(network, members(network, side));
}

void check_spread(const Network& network, const Words& has, const Cut& cut) {
  const std::vector<char> inside = members(network, cut.side);
  const bool somebody_outside = lowest(network, nullptr, inside, false) >= 0;
  if (cut.demand == 0 && cut.side.empty()) return;
  if (somebody_outside && cut.demand == held(network, has, inside, true) && cut.out == leaving(network, inside)) return;
  throw Error(Error::Kind::internal, "a cut does not hold what it claims");
}

void check_scatter(const Network& network, Rank root, const Words& wants, const Cut& cut) {
  const std::vector<char> inside = members(network, cut.side);
  if (cut.demand == 0 && cut.side.empty()) return;
  if (inside[static_cast<std::size_t>(network.host(root))] && cut.demand == held(network, wants, inside, false) &&
      cut.out == leaving(network, inside))
    return;
  throw Error(Error::Kind::internal, "a cut does not hold what it claims");
}

Cut spread(const Network& network, const Words& has) {
  check_words(network, has);
  Cut best = best_single(network, has);
  if (best.demand == 0) return {};
  const std::int64_t all = total(has);
  const auto flow_at = [&](const Ratio& time) {
    return backwards(network, has, narrow(time.top()), narrow(time.bottom()));
  };
  MaxFlow flow = flow_at(best.time());
  std::vector<Vertex> reached;  // at this time, so at any later one: whoever reaches one of them has all words to give
  for (const Vertex v : nearby_order(network)) {
    for (;;) {
      const std::int64_t enough = scaled(all, narrow(best.time().bottom()));
      if (flow.run(v, enough) == enough) break;
      std::vector<char> inside(static_cast<std::size_t>(network.vertices()));
      for (Vertex u = 0; u < network.vertices(); ++u) inside[static_cast<std::size_t>(u)] = !flow.on_side_of_start(u);
      Cut better = spread_cut(network, has, inside);
      if (better.time() <= best.time()) throw Error(Error::Kind::internal, "a failed flow gave no better cut");
      best = std::move(better);
      flow = flow_at(best.time());
      for (const Vertex u : reached) flow.make_end(u);
    }
    reached.push_back(v);
    flow.make_end(v);
  }
  check_spread(network, has, best);
  return best;
}

Cut allgather(const Network& network) { return spread(network, one_each(network)); }

Cut bcast(const Network& network, Rank root) {
  Words has(static_cast<std::size_t>(network.ranks()), 0);
  has[static_cast<std::size_t>(root)] = 1;
  return spread(network, has);
}

Cut scatter(const Network& network, Rank root, const Words& wants) {
  check_words(network, wants);
  return best_side(network, root, moved(wants, root), false);
}

Cut gather(const Network& network, Rank root, const Words& gives) {
  check_words(network, gives);
  Cut cut = best_side(network.reversed(), root, moved(gives, root), true);
  if (cut.demand == 0) return cut;
  const std::vector<char> inside = members(network, cut.side);
  cut.side.clear();
  for (Vertex v = 0; v < network.vertices(); ++v)
    if (!inside[static_cast<std::size_t>(v)]) cut.side.push_back(v);
  return cut;
}

}  // namespace quadrille::flow
