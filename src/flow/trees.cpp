#include "flow/trees.hpp"

#include <algorithm>
#include <utility>

namespace quadrille::flow {

namespace {

/// Whether each rank can root its trees where arc capacities are multiplied by `factor` and rounded down.
bool enough(const Network& network, const Words& trees, const Ratio& factor) {
  try {
    return spread(scaled_down(network, factor), trees).time() <= Ratio(1);
  } catch (const Error& e) {
    if (e.kind() != Error::Kind::argument) throw;
    return false;  // arcs that carry no tree are gone, and with them all ways to some rank
  }
}

}  // namespace

Network scaled_down(const Network& network, const Ratio& factor) {
  std::vector<Arc> whole;
  for (Arc arc : network.arcs()) {
    arc.capacity = narrow((factor * Ratio(arc.capacity)).floor());
    if (arc.capacity > 0) whole.push_back(arc);
  }
  return {network.vertices(), network.hosts(), std::move(whole)};
}

Ratio factor_for_trees(const Network& network, const Words& trees) {
  const Ratio least = spread(network, trees).time();
  if (least == Ratio(0)) return 0;
  std::vector<std::int64_t> capacities;
  for (const Arc& arc : network.arcs()) capacities.push_back(arc.capacity);
  std::sort(capacities.begin(), capacities.end());
  capacities.erase(std::unique(capacities.begin(), capacities.end()), capacities.end());
  // With 1 / (least capacity) more, every arc carries what it carries at `least` unrounded. In between, what arcs carry
  // changes at multiples of 1 / capacity.
  const Ratio most = least + Ratio(1, capacities.front());
  std::vector<Ratio> factors;
  for (const std::int64_t c : capacities)
    for (Wide j = (least * Ratio(c)).ceil(); Ratio(j, c) <= most; ++j) factors.emplace_back(j, c);
  std::sort(factors.begin(), factors.end());
  const auto first = std::partition_point(factors.begin(), factors.end(),
                                          [&](const Ratio& factor) { return !enough(network, trees, factor); });
  if (first == factors.end()) throw Error(Error::Kind::internal, "trees need more than the time that suffices");
  return *first;
}

Ratio allgather_by_trees(const Network& network, std::int64_t trees) {
  return factor_for_trees(network, Words(static_cast<std::size_t>(network.ranks()), trees)) / Ratio(trees);
}

}  // namespace quadrille::flow
