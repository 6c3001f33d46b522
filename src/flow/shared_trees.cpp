#include "flow/shared_trees.hpp"

#include <algorithm>
#include <numeric>

#include "flow/max_flow.hpp"
#include "flow/requirement.hpp"

namespace quadrille::flow {

namespace {

/// A link and its capacity, from the lower vertex to the higher.
struct Link {
  Vertex low, high;
  std::int64_t capacity;
};

std::vector<Link> links_of(const Network& network) {
  std::vector<Link> links;
  for (const Arc& arc : network.arcs())
    if (arc.from < arc.to) links.push_back({arc.from, arc.to, arc.capacity});
  return links;
}

/// So many trees fit if and only if every set of vertices with a rank has surplus(set) + links out of it >= 2 trees,
/// and all ranks together have exactly 2 trees. A rank's surplus is twice the arcs and roots that it gets, less its
/// links; a switch has none. Ranks lower theirs one after the other as far as the sets allow, which gives the least
/// sum.
class Surplus {
 public:
  Surplus(const Network& network, std::int64_t trees)
      : network_(network),
        links_(links_of(network)),
        twice_(narrow(multiply(2, trees))),
        flow_(network.vertices() + 2),
        surplus_(at(network.vertices()), 0) {
    for (const Link& link : links_) flow_.add(link.low, link.high, link.capacity, link.capacity);
    for (Vertex v = 0; v < network.vertices(); ++v) flow_.add(v, end(), 0), flow_.add(start(), v, 0);
    flow_.make_end(end());
    for (const Vertex v : network.hosts()) set(v, twice_ + network.out(v) % 2);
  }

  TreesOnLinks lower() {
    std::vector<Side> tight;
    for (const Vertex v : network_.hosts()) tight.push_back(lower(v));
    std::int64_t all = 0;
    for (const Vertex v : network_.hosts()) all += surplus_[at(v)];
    if (all < twice_) throw Error(Error::Kind::internal, "ranks have fewer trees than each set of them needs");
    return all == twice_ ? orient() : TreesOnLinks{false, {}, {}, joined(std::move(tight))};
  }

 private:
  Vertex end() const { return network_.vertices(); }
  Vertex start() const { return network_.vertices() + 1; }

  void set(Vertex v, std::int64_t surplus) {
    negative_ += std::min<std::int64_t>(0, surplus) - std::min<std::int64_t>(0, surplus_[at(v)]);
    surplus_[at(v)] = surplus;
    const std::int64_t arc = std::ssize(links_) + 2 * v;
    flow_.set(arc, std::max<std::int64_t>(0, surplus));
    flow_.set(arc + 1, std::max<std::int64_t>(0, -surplus));
  }

  /// The smallest of the sets with v that allow least; it allows nothing more afterwards.
  Side lower(Vertex v) {
    const std::int64_t own = surplus_[at(v)];
    set(v, 0);
    const std::int64_t into = std::ssize(links_) + 2 * v + 1;
    flow_.set(into, enough);
    const std::int64_t least = own + negative_ + flow_.run(start(), enough);
    Side side(at(network_.vertices()));
    for (Vertex u = 0; u < network_.vertices(); ++u) side[at(u)] = flow_.on_side_of_start(u);
    flow_.set(into, 0);
    set(v, own - (least - twice_));
    return side;
  }

  /// Sets that have a rank in common are one.
  std::vector<std::vector<Vertex>> joined(std::vector<Side> sides) const {
    std::vector<Side> parties;
    for (Side& side : sides) {
      for (std::size_t i = 0; i < parties.size();) {
        const bool meets = std::any_of(network_.hosts().begin(), network_.hosts().end(),
                                       [&](Vertex v) { return side[at(v)] != 0 && parties[i][at(v)] != 0; });
        if (!meets && ++i > 0) continue;
        for (std::size_t v = 0; v < side.size(); ++v) side[v] = side[v] != 0 || parties[i][v] != 0;
        parties.erase(parties.begin() + static_cast<std::ptrdiff_t>(i));
      }
      parties.push_back(std::move(side));
    }
    std::vector<std::vector<Vertex>> lists;
    for (const Side& party : parties) {
      lists.emplace_back();
      for (Vertex v = 0; v < network_.vertices(); ++v)
        if (party[at(v)] != 0) lists.back().push_back(v);
    }
    return lists;
  }

  /// Which way trees take links: each end first gets half of a link, and who has too many arcs passes some on.
  TreesOnLinks orient() const {
    MaxFlow flow(network_.vertices() + 2);
    std::vector<std::int64_t> gets(at(network_.vertices()), 0), may(gets);
    for (const Link& link : links_) {
      const std::int64_t low = link.capacity / 2, high = link.capacity - low;
      flow.add(link.low, link.high, low, high);
      gets[at(link.low)] += low, gets[at(link.high)] += high;
    }
    flow.make_end(end());
    std::int64_t beyond = 0;
    for (const Vertex v : network_.hosts()) {
      may[at(v)] = (surplus_[at(v)] + network_.out(v)) / 2;
      const std::int64_t more = gets[at(v)] - may[at(v)];
      if (more > 0) flow.add(start(), v, more), beyond += more;
      if (more < 0) flow.add(v, end(), -more);
    }
    if (flow.run(start(), enough) != beyond) throw Error(Error::Kind::internal, "trees that fit have no directions");
    TreesOnLinks found{true, Words(at(network_.ranks()), 0), {}, {}};
    std::vector<std::int64_t> arcs(at(network_.vertices()), 0);
    for (std::size_t i = 0; i < links_.size(); ++i) {
      const Link& link = links_[i];
      const std::int64_t low = link.capacity / 2 - flow.carried(static_cast<std::int64_t>(i)),
                         high = link.capacity - low;
      if (low > 0) found.down.push_back({link.high, link.low, low});
      if (high > 0) found.down.push_back({link.low, link.high, high});
      arcs[at(link.low)] += low, arcs[at(link.high)] += high;
    }
    for (Rank r = 0; r < network_.ranks(); ++r)
      found.rooted[at(r)] = may[at(network_.host(r))] - arcs[at(network_.host(r))];
    return found;
  }

  static constexpr std::int64_t enough = std::int64_t{1} << 60;
  const Network& network_;
  std::vector<Link> links_;
  std::int64_t twice_;  ///< the number of trees
  MaxFlow flow_;        ///< links, then of each vertex the arc to the end and that from the start
  std::vector<std::int64_t> surplus_;
  std::int64_t negative_ = 0;  ///< sum of those below 0
};

/// Of all that leaves the parties.
std::int64_t capacity_between(const Network& network, const std::vector<std::vector<Vertex>>& parties) {
  Wide all = 0;
  for (const std::vector<Vertex>& party : parties) all = add(all, capacity_out(network, party));
  return narrow(all);
}

}  // namespace

bool leads_both_ways(const Network& network) {
  return std::all_of(network.arcs().begin(), network.arcs().end(), [&](const Arc& arc) {
    const std::int64_t back = network.find(arc.to, arc.from);
    return back >= 0 && network.arcs()[at(back)].capacity == arc.capacity;
  });
}

TreesOnLinks trees_on_links(const Network& network, std::int64_t trees) {
  for (const Arc& arc : network.arcs())
    if (arc.capacity % 2 != 0 && !(network.is_host(arc.from) && network.is_host(arc.to)))
      throw Error(Error::Kind::argument, "trees over switches need links of even capacities");
  return Surplus(network, trees).lower();
}

std::int64_t shared_trees_looks(const Network& network) {
  return network.ranks() * static_cast<std::int64_t>(network.arcs().size());
}

SharedTrees shared_trees(const Network& network) {
  SharedTrees best{0, {}};
  if (network.ranks() < 2) return best;
  for (const Vertex v : network.hosts()) best.parties.push_back({v});
  for (;;) {
    const std::int64_t between = capacity_between(network, best.parties);
    if (between == 0)
      throw Error(Error::Kind::argument, "no links join all ranks; the collective needs a way between any two");
    const Ratio time(2 * (std::ssize(best.parties) - 1), between);
    if (time <= best.time) throw Error(Error::Kind::internal, "trees that do not fit gave no better parties");
    best.time = time;
    // Capacities times 2 top, and 2 bottom trees: even at switches.
    const std::int64_t by = narrow(multiply(2, time.top()));
    TreesOnLinks found = trees_on_links(scaled_links(network, Ratio(by)), narrow(multiply(2, time.bottom())));
    if (found.fit) return best;
    best.parties = std::move(found.parties);
  }
}

Network scaled_links(const Network& network, const Ratio& factor) {
  std::vector<Arc> arcs;
  for (const Arc& arc : network.arcs()) {
    std::int64_t capacity = narrow((Ratio(arc.capacity) * factor).floor());
    if (!network.is_host(arc.from) || !network.is_host(arc.to)) capacity -= capacity % 2;
    if (capacity > 0) arcs.push_back({arc.from, arc.to, capacity});
  }
  return {network.vertices(), network.hosts(), std::move(arcs)};
}

Ratio factor_for_links(const Network& network, const Ratio& least, std::int64_t trees) {
  constexpr int halvings = 8;
  const auto fits = [&](const Ratio& factor) { return trees_on_links(scaled_links(network, factor), trees).fit; };
  Ratio low = least * Ratio(trees), high = low;
  if (fits(low)) return low;
  do high = high * Ratio(2);
  while (!fits(high));
  for (int i = 0; i < halvings; ++i) {
    const Ratio middle = (low + high) * Ratio(1, 2);
    (fits(middle) ? high : low) = middle;
  }
  Ratio same = 0;  // the least factor by which links carry as much
  for (const Arc& arc : network.arcs()) {
    const Wide step = network.is_host(arc.from) && network.is_host(arc.to) ? 1 : 2;
    same = std::max(same, Ratio((Ratio(arc.capacity) * high / Ratio(step)).floor() * step, arc.capacity));
  }
  return same;
}

}  // namespace quadrille::flow
