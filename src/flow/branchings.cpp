#include "flow/branchings.hpp"

#include "flow/requirement.hpp"

namespace quadrille::flow {

namespace {

using Places = std::vector<std::int32_t>;

struct CostArc {
  std::int32_t from, to;
  double cost;
};

/// Into each vertex the cheapest arc; -1: the root.
Places cheapest_into(std::int32_t vertices, std::int32_t root, const std::vector<CostArc>& arcs) {
  Places into(at(vertices), -1);
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    std::int32_t& best = into[at(arcs[i].to)];
    if (arcs[i].to != root && (best < 0 || arcs[i].cost < arcs[at(best)].cost)) best = static_cast<std::int32_t>(i);
  }
  for (std::int32_t v = 0; v < vertices; ++v)
    if (v != root && into[at(v)] < 0)
      throw Error(Error::Kind::argument, "some vertices cannot be reached from the root");
  return into;
}

/// Vertices of one cycle of these arcs are one; the others stay on their own. Returns how many there are then.
std::int32_t contract(const Places& into, const std::vector<CostArc>& arcs, Places& part) {
  const auto vertices = static_cast<std::int32_t>(into.size());
  std::int32_t parts = 0;
  Places seen(into.size(), -1);
  part.assign(into.size(), -1);
  for (std::int32_t start = 0; start < vertices; ++start) {
    std::int32_t v = start;
    while (v >= 0 && seen[at(v)] < 0) {
      seen[at(v)] = start;
      v = into[at(v)] < 0 ? -1 : arcs[at(into[at(v)])].from;
    }
    if (v < 0 || seen[at(v)] != start || part[at(v)] >= 0) continue;
    for (std::int32_t u = v; part[at(u)] < 0; u = arcs[at(into[at(u)])].from) part[at(u)] = parts;
    ++parts;
  }
  for (std::int32_t& p : part)
    if (p < 0) p = parts++;
  return parts;
}

Places cheapest(std::int32_t vertices, std::int32_t root, const std::vector<CostArc>& arcs) {
  Places into = cheapest_into(vertices, root, arcs), part;
  const std::int32_t parts = contract(into, arcs, part);
  if (parts == vertices) return into;
  std::vector<CostArc> between;
  Places place;
  for (std::size_t i = 0; i < arcs.size(); ++i) {
    const auto [from, to, cost] = arcs[i];
    if (part[at(from)] == part[at(to)] || to == root) continue;
    between.push_back({part[at(from)], part[at(to)], cost - arcs[at(into[at(to)])].cost});
    place.push_back(static_cast<std::int32_t>(i));
  }
  // Where an arc enters a cycle, it takes the place of the cycle's own arc there.
  for (const std::int32_t chosen : cheapest(parts, part[at(root)], between))
    if (chosen >= 0) into[at(arcs[at(place[at(chosen)])].to)] = place[at(chosen)];
  return into;
}

}  // namespace

std::vector<std::int32_t> cheapest_branching(Vertex vertices, Vertex root, const std::vector<Arc>& arcs,
                                             const std::vector<double>& costs) {
  std::vector<CostArc> all;
  for (std::size_t i = 0; i < arcs.size(); ++i)
    all.push_back({static_cast<std::int32_t>(arcs[i].from), static_cast<std::int32_t>(arcs[i].to), costs[i]});
  return cheapest(static_cast<std::int32_t>(vertices), static_cast<std::int32_t>(root), all);
}

}  // namespace quadrille::flow
