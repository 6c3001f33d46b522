// Flows that start at a vertex which trees must reach, against the arcs, and end where trees start.
#include "flow/requirement.hpp"

#include <algorithm>
#include <numeric>

namespace quadrille::flow {

std::vector<Side> crowded_cuts(std::int64_t vertices, const std::vector<Arc>& arcs,
                               const std::vector<std::int64_t>& rooted, const std::vector<Vertex>& wanted,
                               std::size_t most) {
  MaxFlow flow(vertices + 1);
  for (const Arc& arc : arcs)
    if (arc.capacity > 0) flow.add(arc.to, arc.from, arc.capacity);
  for (std::int64_t v = 0; v < vertices; ++v)
    if (rooted[static_cast<std::size_t>(v)] > 0) flow.add(v, vertices, rooted[static_cast<std::size_t>(v)]);
  flow.make_end(vertices);
  const std::int64_t all = std::accumulate(rooted.begin(), rooted.end(), std::int64_t{0});
  std::vector<Side> cuts;
  for (const Vertex v : wanted) {
    // One cut is enough for the vertices that it crowds: those of a box have the same.
    if (std::any_of(cuts.begin(), cuts.end(), [&](const Side& side) { return side[static_cast<std::size_t>(v)] != 0; }))
      continue;
    if (flow.run(v, all) == all) {
      flow.make_end(v);  // whoever takes in all from here takes in all trees
      continue;
    }
    Side& side = cuts.emplace_back(static_cast<std::size_t>(vertices));
    for (std::int64_t u = 0; u < vertices; ++u) side[static_cast<std::size_t>(u)] = flow.on_side_of_start(u);
    if (cuts.size() == most) break;
  }
  return cuts;
}

}  // namespace quadrille::flow
