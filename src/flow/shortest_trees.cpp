#include "flow/shortest_trees.hpp"

#include <algorithm>
#include <functional>
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
}

void ShortestTrees::relax(std::int32_t vertex, const std::vector<double>& lengths) {
  const double here = distance_[static_cast<std::size_t>(vertex)];
  for (const Arc& arc : network_.leaving(vertex)) {
    const std::ptrdiff_t place = &arc - network_.arcs().data();
    const double there = here + lengths[static_cast<std::size_t>(place)];
    double& known = distance_[static_cast<std::size_t>(arc.to)];
    if (there >= known) continue;
    known = there;
    arrival_[static_cast<std::size_t>(arc.to)] = static_cast<std::int32_t>(place);
    heap_.push_back({there, static_cast<std::int32_t>(arc.to)});
    std::push_heap(heap_.begin(), heap_.end(), std::greater<>());
  }
}

double ShortestTrees::grow(Rank from, const std::vector<double>& lengths) {
  const auto start = static_cast<std::int32_t>(network_.host(from));
  std::fill(distance_.begin(), distance_.end(), std::numeric_limits<double>::infinity());
  std::fill(arrival_.begin(), arrival_.end(), -1);
  std::fill(words_.begin(), words_.end(), 0);
  order_.clear();
  loads_.clear();
  distance_[static_cast<std::size_t>(start)] = 0;
  heap_.assign(1, {0, start});
  while (!heap_.empty()) {
    const Near next = heap_.front();
    std::pop_heap(heap_.begin(), heap_.end(), std::greater<>());
    heap_.pop_back();
    if (next.distance > distance_[static_cast<std::size_t>(next.vertex)]) continue;
    order_.push_back(next.vertex);
    relax(next.vertex, lengths);
  }
  double sum = 0;
  for (auto v = order_.rbegin(); v != order_.rend() && *v != start; ++v) {
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
