// The directed links of a graph, by where they start and by where they end.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topology/graph/network.hpp"

namespace quadrille::topology {

/// Links are numbered by their tail, of one tail by the place of their head, of parallel ones as the network lists
/// them.
class Arcs {
 public:
  explicit Arcs(const Network& network);

  std::int64_t vertices() const { return std::ssize(first_) - 1; }
  Link size() const { return std::ssize(head_); }
  std::int32_t tail(Link link) const { return tail_[static_cast<std::size_t>(link)]; }
  std::int32_t head(Link link) const { return head_[static_cast<std::size_t>(link)]; }
  std::int32_t wire(Link link) const { return wire_[static_cast<std::size_t>(link)]; }
  Link reverse(Link link) const { return reverse_[static_cast<std::size_t>(link)]; }
  /// Links with the same ends have numbers from this one on, and are so many.
  Link bundle(Link link) const { return bundle_[static_cast<std::size_t>(link)]; }
  std::int64_t bundle_size(Link link) const { return size_[static_cast<std::size_t>(bundle(link))]; }

  /// The numbers of the links that leave a vertex: from the first one up to, without it, the first of the next.
  struct Range {
    Link begin_, end_;
    bool empty() const { return begin_ == end_; }
    std::int64_t count() const { return end_ - begin_; }
  };
  Range leaving(std::int64_t vertex) const {
    return {first_[static_cast<std::size_t>(vertex)], first_[static_cast<std::size_t>(vertex) + 1]};
  }
  std::span<const std::int32_t> entering(std::int64_t vertex) const;

  /// Links on the shortest way, -1 where there is none.
  std::vector<std::int32_t> distances_from(std::int64_t vertex) const;
  std::vector<std::int32_t> distances_to(std::int64_t vertex) const;
  /// The only vertex whose links enter `vertex`, or that its links lead to; itself where there are several or none.
  std::int32_t only_source(std::int64_t vertex) const;
  std::int32_t only_target(std::int64_t vertex) const;

 private:
  void bundle_up();
  std::vector<std::int32_t> first_, tail_, head_, wire_, reverse_, bundle_, size_, into_, into_first_;
};

}  // namespace quadrille::topology
