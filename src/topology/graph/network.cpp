#include "topology/graph/network.hpp"

#include <fmt/format.h>

#include "base/bits.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "topology/graph/arcs.hpp"
#include "topology/graph/routed.hpp"

namespace quadrille::topology {

namespace {

[[noreturn]] void refuse(const std::string& what, const std::string& why) {
  throw Error(Error::Kind::argument, fmt::format("{}: {}", what, why));
}

void check_wires(const Network& n, const std::string& what) {
  std::int64_t arcs = 0;
  for (const Wire& w : n.wires) {
    arcs += w.both_ways ? 2 : 1;
    if (w.a == w.b) refuse(what, fmt::format("a link joins {} to itself; expected two nodes", n.name(w.a)));
    if (w.width < 1 || w.width > most_width)
      refuse(what, fmt::format("the link {}-{} is {} wide; expected 1 to 2^31", n.name(w.a), n.name(w.b), w.width));
  }
  if (arcs > most_arcs) refuse(what, fmt::format("{} directed links; expected at most 2^24", arcs));
}

}  // namespace

std::string_view to_string(Routing routing) {
  switch (routing) {
    case Routing::shortest:
      return "shortest";
    case Routing::updown:
      return "updown";
    case Routing::balanced:
      return "balanced";
    case Routing::chosen:
      return "chosen";
  }
  return "";
}

std::optional<Routing> routing_of(std::string_view name) {
  for (const Routing routing : {Routing::shortest, Routing::updown, Routing::balanced, Routing::chosen})
    if (name == to_string(routing)) return routing;
  return std::nullopt;
}

Network renumbered(const Network& network, const std::vector<std::int32_t>& order, Rank ranks) {
  Network n{.vertices = static_cast<std::int64_t>(order.size()), .ranks = ranks};
  n.kinds = network.kinds, n.rate = network.rate, n.routing = network.routing;
  if (n.drawing.like = network.drawing.like; n.drawing.like != nullptr)
    for (const std::int32_t v : order)
      n.drawing.places.push_back(network.drawing.places.empty() ? v : network.drawing.places[at(v)]);
  std::vector<std::int32_t> now(static_cast<std::size_t>(network.vertices), -1);
  for (std::size_t i = 0; i < order.size(); ++i) {
    now[static_cast<std::size_t>(order[i])] = static_cast<std::int32_t>(i);
    n.places.push_back(network.place(order[i]));
    if (!network.names.empty()) n.names.push_back(network.name(order[i]));
  }
  const auto keep = [&](const std::vector<Wire>& wires, std::vector<Wire>& kept) {
    for (Wire wire : wires) {
      wire.a = now[static_cast<std::size_t>(wire.a)], wire.b = now[static_cast<std::size_t>(wire.b)];
      if (wire.a >= 0 && wire.b >= 0) kept.push_back(wire);
    }
  };
  keep(network.wires, n.wires);
  keep(network.failed, n.failed);
  return n;
}

void check(const Network& n, const std::string& what) {
  if (n.ranks < 1) refuse(what, "no host; expected at least one");
  if (n.vertices > most_vertices) refuse(what, fmt::format("{} nodes; expected at most 2^20", n.vertices));
  check_wires(n, what);
  if (n.routing == Routing::chosen && n.vertices == n.ranks)
    refuse(what, "routes chosen, and there are no switches to choose ways through; expected shortest or balanced");
  if (const auto pair = unreachable_pair(n))
    refuse(what, fmt::format("rank {} ({}) cannot be reached from rank {} ({}); expected a way between any two ranks",
                             pair->second, n.name(pair->second), pair->first, n.name(pair->first)));
}

std::optional<std::pair<Rank, Rank>> unreachable_pair(const Network& n) {
  const Arcs arcs(n);
  const std::vector<std::int32_t> there = arcs.distances_from(0), back = arcs.distances_to(0);
  for (Rank r = 0; r < n.ranks; ++r) {
    if (there[static_cast<std::size_t>(r)] < 0) return std::pair(Rank{0}, r);
    if (back[static_cast<std::size_t>(r)] < 0) return std::pair(r, Rank{0});
  }
  return std::nullopt;
}

std::string fingerprint(const Network& n) {
  std::uint64_t hash = base::hash_of(n.vertices, n.ranks, static_cast<int>(n.routing),
                                     static_cast<std::int64_t>(base::bit_cast<std::uint64_t>(n.rate)));
  const auto add = [&](std::uint64_t value) { hash = base::combined(hash, value); };
  const auto add_text = [&](std::string_view text) {
    add(text.size());
    for (const char c : text) add(static_cast<unsigned char>(c));
  };
  for (const Wire& w : n.wires) {
    add(static_cast<std::uint64_t>(w.a)), add(static_cast<std::uint64_t>(w.b));
    add(static_cast<std::uint64_t>(w.width)), add(base::bit_cast<std::uint64_t>(w.latency));
    add(static_cast<std::uint64_t>(w.kind)), add(w.both_ways);
  }
  for (const std::string& kind : n.kinds) add_text(kind);
  for (std::int64_t v = 0; v < n.vertices; ++v) add_text(n.name(v));
  return fmt::format("{:016x}", base::scrambled(hash));
}

namespace {

/// For a network that is changed so that its family's own rule may lead nowhere. As a subnet manager does: balanced, as
/// long as the tables take a few seconds.
Routing routing_instead_of_own(const Topology& t) {
  constexpr std::int64_t most_entries = std::int64_t{1} << 24;
  return t.vertices() * t.ranks() <= most_entries ? Routing::balanced : Routing::shortest;
}

}  // namespace

Network network_of(const Topology& t) {
  const bool routed = t.structure().routed;
  if (t.structure().per_node > 0)
    refuse("topology " + base::quoted(t.text(), 200),
           "what has failed or is gone is said of nodes; expected ranks for each node (*) behind it");
  if (!routed && (!t.direct() || t.shared_medium() || t.nodes() != t.ranks()))
    refuse("topology " + base::quoted(t.text(), 200),
           "its links do not join ranks or switches, so that none can be failed or allotted; expected a network such "
           "as torus:4x4, fattree:4 or graph:FILE");
  if (t.vertices() > most_vertices || t.links() > most_arcs)
    refuse("topology " + base::quoted(t.text(), 200),
           fmt::format("{} nodes and {} links; to fail or remove some, expected at most 2^20 and 2^24", t.vertices(),
                       t.links()));
  Network n{.vertices = t.vertices(), .ranks = t.ranks()};
  n.kinds = t.kinds(), n.rate = t.rate();
  if (const auto* names = dynamic_cast<const Routed*>(&t)) {
    n.routing = routing_of(names->routing()).value_or(routing_instead_of_own(t));
    for (std::int64_t v = 0; v < t.vertices(); ++v) n.names.push_back(names->vertex_name(v));
    for (std::int64_t v = 0; v < t.vertices(); ++v) n.places.push_back(names->place(v));
  }
  for (Link link = 0; link < t.links(); ++link) {
    const Rank tail = t.tail(link), head = t.head(link);
    // links() may number some that do not exist.
    if (!routed && (head < 0 || head >= t.vertices() || head == tail || t.next(-1, tail, head) != link)) continue;
    const Topology::LinkFacts facts = t.facts(link);
    const Link back = t.reverse(link);
    const bool both = back != link && t.tail(back) == head && t.head(back) == tail && t.facts(back) == facts;
    if (both && back < link) continue;
    n.wires.push_back({static_cast<std::int32_t>(tail), static_cast<std::int32_t>(head), facts.width, facts.latency,
                       facts.kind, both});
  }
  return n;
}

}  // namespace quadrille::topology
