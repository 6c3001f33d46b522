#include "topology/graph/arcs.hpp"

#include <algorithm>
#include <tuple>

namespace quadrille::topology {

namespace {

struct Half {
  std::int32_t tail, head, wire;
};

std::vector<Half> halves_of(const Network& network) {
  std::vector<Half> halves;
  for (std::size_t i = 0; i < network.wires.size(); ++i) {
    const Wire& w = network.wires[i];
    halves.push_back({w.a, w.b, static_cast<std::int32_t>(i)});
    if (w.both_ways) halves.push_back({w.b, w.a, static_cast<std::int32_t>(i)});
  }
  std::stable_sort(halves.begin(), halves.end(), [&](const Half& x, const Half& y) {
    return std::tuple(x.tail, network.place(x.head)) < std::tuple(y.tail, network.place(y.head));
  });
  return halves;
}

}  // namespace

Arcs::Arcs(const Network& network) : first_(at(network.vertices) + 1), into_first_(first_) {
  const std::vector<Half> halves = halves_of(network);
  std::vector<std::int32_t> seen(network.wires.size(), -1);
  reverse_.resize(halves.size());
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const Half& h = halves[i];
    tail_.push_back(h.tail), head_.push_back(h.head), wire_.push_back(h.wire);
    ++first_[at(h.tail) + 1], ++into_first_[at(h.head) + 1];
    std::int32_t& other = seen[at(h.wire)];
    const auto link = static_cast<std::int32_t>(i);
    reverse_[i] = other < 0 ? link : other;
    if (other >= 0) reverse_[at(other)] = link;
    other = link;
  }
  for (std::size_t v = 1; v < first_.size(); ++v) first_[v] += first_[v - 1], into_first_[v] += into_first_[v - 1];
  into_.resize(halves.size());
  std::vector<std::int32_t> next = into_first_;
  for (std::size_t i = 0; i < halves.size(); ++i) into_[at(next[at(head_[i])]++)] = static_cast<std::int32_t>(i);
  bundle_up();
}

void Arcs::bundle_up() {
  bundle_.resize(head_.size()), size_.resize(head_.size());
  for (std::size_t i = 0; i < head_.size(); ++i) {
    const bool more = i > 0 && tail_[i] == tail_[i - 1] && head_[i] == head_[i - 1];
    bundle_[i] = more ? bundle_[i - 1] : static_cast<std::int32_t>(i);
    ++size_[at(bundle_[i])];
  }
}

std::span<const std::int32_t> Arcs::entering(std::int64_t vertex) const {
  const auto begin = at(into_first_[at(vertex)]), end = at(into_first_[at(vertex) + 1]);
  return std::span(into_).subspan(begin, end - begin);
}

std::vector<std::int32_t> Arcs::distances_from(std::int64_t vertex) const {
  std::vector<std::int32_t> far(at(vertices()), -1), queue{static_cast<std::int32_t>(vertex)};
  far[at(vertex)] = 0;
  for (std::size_t i = 0; i < queue.size() && std::ssize(queue) < vertices(); ++i) {
    const Range out = leaving(queue[i]);
    for (Link link = out.begin_; link < out.end_; ++link)
      if (far[at(head(link))] < 0) {
        far[at(head(link))] = far[at(queue[i])] + 1;
        queue.push_back(head(link));
      }
  }
  return far;
}

std::vector<std::int32_t> Arcs::distances_to(std::int64_t vertex) const {
  std::vector<std::int32_t> far(at(vertices()), -1), queue{static_cast<std::int32_t>(vertex)};
  far[at(vertex)] = 0;
  for (std::size_t i = 0; i < queue.size() && std::ssize(queue) < vertices(); ++i)
    for (const Link link : entering(queue[i]))
      if (far[at(tail(link))] < 0) {
        far[at(tail(link))] = far[at(queue[i])] + 1;
        queue.push_back(tail(link));
      }
  return far;
}

std::int32_t Arcs::only_source(std::int64_t vertex) const {
  const auto links = entering(vertex);
  const auto itself = static_cast<std::int32_t>(vertex);
  if (links.empty()) return itself;
  const std::int32_t one = tail(links.front());
  return std::all_of(links.begin(), links.end(), [&](Link link) { return tail(link) == one; }) ? one : itself;
}

std::int32_t Arcs::only_target(std::int64_t vertex) const {
  const Range links = leaving(vertex);
  if (links.empty()) return static_cast<std::int32_t>(vertex);
  const std::int32_t one = head(links.begin_);
  return head(links.end_ - 1) == one ? one : static_cast<std::int32_t>(vertex);
}

}  // namespace quadrille::topology
