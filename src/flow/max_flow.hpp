// The most that can flow from one vertex to any of several, by shortest augmenting paths in layers (Dinic 1970).
#pragma once

#include <cstdint>
#include <vector>

namespace quadrille::flow {

/// Looks only as far as it must: vertices nearer than the nearest end, and what an earlier flow touched is undone
/// alone. Many flows that each end near their start then cost little.
class MaxFlow {
 public:
  explicit MaxFlow(std::int64_t vertices);

  /// Arcs stay in place; `back` is the capacity of the arc the other way.
  void add(std::int64_t from, std::int64_t to, std::int64_t capacity, std::int64_t back = 0);
  /// The capacity, from now on, of an arc; they are numbered in the order in which they were added.
  void set(std::int64_t number, std::int64_t capacity);
  /// Takes in any flow from now on, or none any more.
  void make_end(std::int64_t vertex, bool end = true) { is_end_[static_cast<std::size_t>(vertex)] = end; }
  /// What can flow from here to the ends, or `enough` where it is more. Forgets the flow before.
  std::int64_t run(std::int64_t start, std::int64_t enough);
  /// What the last run sends over an arc; below 0: the other way.
  std::int64_t carried(std::int64_t number) const {
    const Half& half = halves_[static_cast<std::size_t>(places_[static_cast<std::size_t>(number)])];
    return half.capacity - half.rest;
  }
  /// Whether the last run, which must have found less than enough, could have sent more to this vertex: the side of a
  /// smallest cut where the start is.
  bool on_side_of_start(std::int64_t vertex) const { return level_[static_cast<std::size_t>(vertex)] >= 0; }

 private:
  struct Added {
    std::int32_t from, to;
    std::int64_t capacity, back;
  };
  struct Half {
    std::int32_t to, back;  ///< back: the half the other way
    std::int64_t rest, capacity;
  };
  void lay_out();
  bool layer(std::int32_t start);
  std::int64_t block(std::int32_t start, std::int64_t wanted);
  std::int64_t augment(std::int64_t wanted);
  void undo();

  std::vector<Added> added_;
  std::vector<Half> halves_;                  ///< those of a tail side by side, the last added first
  std::vector<std::int32_t> places_, first_;  ///< of each arc that was added; of each tail, and the end
  std::vector<std::int32_t> current_, level_, queue_;
  std::vector<std::int32_t> path_, touched_;
  std::vector<char> is_end_;
};

}  // namespace quadrille::flow
