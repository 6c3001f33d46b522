#include "flow/shortest_trees.hpp"

#include <algorithm>
#include <limits>

namespace quadrille::flow {

const Wants& ShortestTrees::one_word_each() {
  static const Wants wants;
  return wants;
}

ShortestTrees::ShortestTrees(const Network& network, const Wants& wants) : network_(network), wants_(wants) {
  const auto vertices = static_cast<std::size_t>(network.vertices());
  distance_.resize(vertices);
  arrival_.resize(vertices);
  words_.resize(vertices);
  wanted_.resize(vertices);
}

void ShortestTrees::start(Rank from) {
  const auto source = static_cast<std::int32_t>(network_.host(from));
  std::fill(distance_.begin(), distance_.end(), std::numeric_limits<double>::infinity());
  std::fill(arrival_.begin(), arrival_.end(), -1);
  distance_[static_cast<std::size_t>(source)] = 0;
  heap_.assign(1, {0, source});
}

double ShortestTrees::grow(Rank from, const std::vector<double>& lengths) {
  start(from);
  std::fill(words_.begin(), words_.end(), 0);
  order_.clear();
  loads_.clear();
  const auto length_of = [&](std::int32_t arc) { return lengths[static_cast<std::size_t>(arc)]; };
  for (std::int32_t v = next(length_of); v >= 0; v = next(length_of)) order_.push_back(v);
  double sum = 0;
  for (auto v = order_.rbegin(); v != order_.rend() && *v != network_.host(from); ++v) {
    const auto at = static_cast<std::size_t>(*v);
    if (network_.is_host(*v)) {
      const std::int64_t own = wants_.of(network_, from, network_.rank(*v));
      words_[at] += own;
      sum += static_cast<double>(own) * distance_[at];
    }
    if (words_[at] == 0) continue;
    loads_.push_back({arrival_[at], words_[at]});
    words_[static_cast<std::size_t>(network_.arcs()[static_cast<std::size_t>(arrival_[at])].from)] += words_[at];
  }
  return sum;
}

}  // namespace quadrille::flow
