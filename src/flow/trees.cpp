#include "flow/trees.hpp"

#include <algorithm>

#include "flow/cuts.hpp"

namespace quadrille::flow {

namespace {

/// Whether every rank can root the trees where arc capacities are multiplied by `factor` and rounded down.
bool enough(const Network& network, std::int64_t trees, const Ratio& factor) {
  std::vector<Arc> whole;
  for (Arc arc : network.arcs()) {
    arc.capacity = narrow((factor * Ratio(arc.capacity)).floor());
    if (arc.capacity > 0) whole.push_back(arc);
  }
  const Network rounded(network.vertices(), network.hosts(), std::move(whole));
  try {
    return spread(rounded, Words(static_cast<std::size_t>(network.ranks()), trees)).time() <= Ratio(1);
  } catch (const Error& e) {
    if (e.kind() != Error::Kind::argument) throw;
    return false;  // arcs that carry no tree are gone, and with them all ways to some rank
  }
}

}  // namespace

Ratio allgather_by_trees(const Network& network, std::int64_t trees) {
  const Ratio least = allgather(network).time() * Ratio(trees);
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
  return *first / Ratio(trees);
}

}  // namespace quadrille::flow
