#include "flow/breadth_first.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "flow/distances.hpp"
#include "flow/max_flow.hpp"

namespace quadrille::flow {

namespace {

/// Which of a host's arriving arcs may bring a block, and how many blocks are so.
using Choices = std::map<std::vector<std::int32_t>, std::int64_t>;

/// The least time in which all blocks arrive, each over arcs that may bring it: the most blocks for their arcs, over
/// all sets of arcs (Hall). Found from flows whose smallest cuts are such sets.
Ratio least_time(const Choices& choices, const std::vector<std::int64_t>& capacities) {
  std::int64_t all = 0, capacity = 0;
  std::vector<char> used(capacities.size(), 0);
  for (const auto& [arcs, blocks] : choices) {
    all += blocks;
    for (const std::int32_t arc : arcs) used[static_cast<std::size_t>(arc)] = 1;
  }
  for (std::size_t i = 0; i < used.size(); ++i) capacity += used[i] ? capacities[i] : 0;
  const auto kinds = static_cast<std::int64_t>(choices.size()), arcs = static_cast<std::int64_t>(capacities.size());
  for (Ratio time(all, capacity);;) {
    const std::int64_t p = narrow(time.top()), q = narrow(time.bottom());
    MaxFlow flow(kinds + arcs + 2);  // kinds of blocks, then arcs, where blocks start, where they end
    std::int64_t kind = 0;
    for (const auto& [allowed, blocks] : choices) {
      flow.add(kinds + arcs, kind, narrow(multiply(blocks, q)));
      for (const std::int32_t arc : allowed) flow.add(kind, kinds + arc, narrow(multiply(all, q)));
      ++kind;
    }
    for (std::int64_t arc = 0; arc < arcs; ++arc)
      flow.add(kinds + arc, kinds + arcs + 1, narrow(multiply(capacities[static_cast<std::size_t>(arc)], p)));
    flow.make_end(kinds + arcs + 1);
    const std::int64_t enough = narrow(multiply(all, q));
    if (flow.run(kinds + arcs, enough) == enough) return time;
    std::int64_t blocks = 0, out = 0;
    kind = 0;
    for (const auto& [allowed, count] : choices) blocks += flow.on_side_of_start(kind++) ? count : 0;
    for (std::int64_t arc = 0; arc < arcs; ++arc)
      out += flow.on_side_of_start(kinds + arc) ? capacities[static_cast<std::size_t>(arc)] : 0;
    const Ratio more(blocks, out);
    if (more <= time) throw Error(Error::Kind::internal, "a failed flow gave no better set of links");
    time = more;
  }
}

}  // namespace

Ratio BreadthFirst::time() const {
  Ratio sum = 0;
  for (const Ratio& round : rounds) sum = sum + round;
  return sum;
}

BreadthFirst breadth_first_allgather(const Network& network) {
  if (network.ranks() != network.vertices())
    throw Error(Error::Kind::argument, "breadth first: switches keep no blocks; expected a network of hosts alone");
  const Network turned = network.reversed();
  std::vector<std::vector<std::int64_t>> far(static_cast<std::size_t>(network.vertices()));  // to each, from all
  std::int64_t wide = 0;
  for (Vertex v = 0; v < network.vertices(); ++v) {
    far[static_cast<std::size_t>(v)] = links_from(turned, v);
    for (Vertex u = 0; u < network.vertices(); ++u) {
      const std::int64_t distance = far[static_cast<std::size_t>(v)][static_cast<std::size_t>(u)];
      if (distance == nowhere)
        throw Error(Error::Kind::argument,
                    fmt::format("no links lead from rank {} to rank {}", network.rank(u), network.rank(v)));
      wide = std::max(wide, distance);
    }
  }
  BreadthFirst result{std::vector<Ratio>(static_cast<std::size_t>(wide), Ratio(0))};
  for (Vertex v = 0; v < network.vertices(); ++v) {
    const std::span<const Arc> arriving = turned.leaving(v);
    std::vector<std::int64_t> capacities;
    for (const Arc& arc : arriving) capacities.push_back(arc.capacity);
    std::vector<Choices> rounds(static_cast<std::size_t>(wide));
    for (Vertex u = 0; u < network.vertices(); ++u) {
      const auto from = static_cast<std::size_t>(u);
      const std::int64_t distance = far[static_cast<std::size_t>(v)][from];
      if (distance == 0) continue;
      std::vector<std::int32_t> allowed;
      for (std::size_t i = 0; i < arriving.size(); ++i)
        if (far[static_cast<std::size_t>(arriving[i].to)][from] == distance - 1)
          allowed.push_back(static_cast<std::int32_t>(i));
      ++rounds[static_cast<std::size_t>(distance - 1)][allowed];
    }
    for (std::size_t t = 0; t < rounds.size(); ++t)
      if (!rounds[t].empty()) result.rounds[t] = std::max(result.rounds[t], least_time(rounds[t], capacities));
  }
  return result;
}

}  // namespace quadrille::flow
