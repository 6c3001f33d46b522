#include "flow/distances.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <queue>
#include <utility>

namespace quadrille::flow {

namespace {

/// With lengths 0 and 1 a queue of two ends keeps vertices in order.
template <class Length>
std::vector<std::int64_t> by_zeros_and_ones(const Network& network, Vertex from, const Length& length) {
  std::vector<std::int64_t> found(static_cast<std::size_t>(network.vertices()), nowhere);
  std::deque<std::pair<std::int64_t, Vertex>> queue{{0, from}};
  while (!queue.empty()) {
    const auto [distance, v] = queue.front();
    queue.pop_front();
    std::int64_t& known = found[static_cast<std::size_t>(v)];
    if (known != nowhere) continue;
    known = distance;
    for (const Arc& arc : network.leaving(v)) {
      if (found[static_cast<std::size_t>(arc.to)] != nowhere) continue;
      if (length(arc) == 0)
        queue.emplace_front(distance, arc.to);
      else
        queue.emplace_back(distance + 1, arc.to);
    }
  }
  return found;
}

std::vector<std::int64_t> by_lengths(const Network& network, Vertex from, const Lengths& lengths) {
  std::vector<std::int64_t> found(static_cast<std::size_t>(network.vertices()), nowhere);
  using Entry = std::pair<std::int64_t, Vertex>;
  std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue;
  queue.emplace(0, from);
  while (!queue.empty()) {
    const auto [distance, v] = queue.top();
    queue.pop();
    std::int64_t& known = found[static_cast<std::size_t>(v)];
    if (known != nowhere) continue;
    known = distance;
    for (const Arc& arc : network.leaving(v))
      if (found[static_cast<std::size_t>(arc.to)] == nowhere)
        queue.emplace(distance + lengths[static_cast<std::size_t>(&arc - network.arcs().data())], arc.to);
  }
  return found;
}

template <class From>
Extent extent(const Network& network, const From& from) {
  Extent extent;
  for (Rank r = 0; r < network.ranks(); ++r) {
    const std::vector<std::int64_t> found = from(network.host(r));
    for (Rank other = 0; other < network.ranks(); ++other) {
      const std::int64_t distance = found[static_cast<std::size_t>(network.host(other))];
      if (distance == nowhere)
        throw Error(Error::Kind::argument, fmt::format("no links lead from rank {} to rank {}", r, other));
      extent.longest = std::max(extent.longest, distance);
      extent.sum += distance;
    }
  }
  return extent;
}

}  // namespace

std::vector<std::int64_t> distances(const Network& network, Vertex from, const Lengths& lengths) {
  if (std::any_of(lengths.begin(), lengths.end(), [](std::int64_t n) { return n > 1; }))
    return by_lengths(network, from, lengths);
  return by_zeros_and_ones(
      network, from, [&](const Arc& arc) { return lengths[static_cast<std::size_t>(&arc - network.arcs().data())]; });
}

std::vector<std::int64_t> links_from(const Network& network, Vertex from) {
  return by_zeros_and_ones(network, from, [](const Arc&) { return 1; });
}

std::vector<std::int64_t> hops_from(const Network& network, Vertex from) {
  return by_zeros_and_ones(network, from, [&](const Arc& arc) { return network.is_host(arc.to) ? 1 : 0; });
}

Extent extent_in_links(const Network& network) {
  return extent(network, [&](Vertex v) { return links_from(network, v); });
}

Extent extent_in_hops(const Network& network) {
  return extent(network, [&](Vertex v) { return hops_from(network, v); });
}

std::int64_t eccentricity_in_hops(const Network& network, Rank from) {
  std::int64_t most = 0;
  const std::vector<std::int64_t> found = hops_from(network, network.host(from));
  for (Rank other = 0; other < network.ranks(); ++other) {
    const std::int64_t distance = found[static_cast<std::size_t>(network.host(other))];
    if (distance == nowhere)
      throw Error(Error::Kind::argument, fmt::format("no links lead from rank {} to rank {}", from, other));
    most = std::max(most, distance);
  }
  return most;
}

}  // namespace quadrille::flow
