#include "topology/graph/cut.hpp"

#include <algorithm>
#include <numeric>

#include "base/hash.hpp"

namespace quadrille::topology {

namespace {

constexpr int most_sweeps = 20;
constexpr Rank most_swapped = 64;  ///< ranks of graphs in which pairs are tried
constexpr int most_searches = 6;
constexpr std::uint64_t shuffles = 12;  ///< of the ranks, where they are few

/// Vertices on two sides; the cut is what leads out of side 1.
class Halves {
 public:
  Halves(const Network& network, const Arcs& arcs, const std::vector<Rank>& order)
      : network_(network), arcs_(arcs), side_(at(network.vertices), -1) {
    for (std::size_t i = 0; i < order.size(); ++i) side_[at(order[i])] = i < order.size() / 2;
    place_switches();
    improve();
  }

  std::int64_t width() const {
    std::int64_t width = 0;
    for (Link link = 0; link < arcs_.size(); ++link)
      if (side_[at(arcs_.tail(link))] == 1 && side_[at(arcs_.head(link))] == 0) width += width_of(link);
    return width;
  }

 private:
  std::int64_t width_of(Link link) const { return network_.wires[at(arcs_.wire(link))].width; }

  /// What the cut is wider by when the vertex is on side 1 rather than on side 0. Vertices without a side do not count.
  std::int64_t wider_on_one(std::int64_t v) const {
    std::int64_t wider = 0;
    const Arcs::Range out = arcs_.leaving(v);
    for (Link link = out.begin_; link < out.end_; ++link)
      if (side_[at(arcs_.head(link))] == 0) wider += width_of(link);
    for (const Link link : arcs_.entering(v))
      if (side_[at(arcs_.tail(link))] == 1) wider -= width_of(link);
    return wider;
  }

  /// Each to the side of most of its neighbours, from the ranks on.
  void place_switches() {
    std::vector<std::int32_t> queue(at(network_.ranks));
    std::iota(queue.begin(), queue.end(), 0);
    std::vector<bool> queued(at(network_.vertices), false);
    std::fill_n(queued.begin(), network_.ranks, true);
    const auto meet = [&](std::int32_t v) {
      if (!queued[at(v)]) queue.push_back(v);
      queued[at(v)] = true;
    };
    for (std::size_t i = 0; i < queue.size(); ++i) {
      if (side_[at(queue[i])] < 0) side_[at(queue[i])] = wider_on_one(queue[i]) < 0;
      const Arcs::Range out = arcs_.leaving(queue[i]);
      for (Link link = out.begin_; link < out.end_; ++link) meet(arcs_.head(link));
      for (const Link link : arcs_.entering(queue[i])) meet(arcs_.tail(link));
    }
    for (auto& side : side_) side = side < 0 ? static_cast<signed char>(0) : side;  // joined to no rank
  }

  void improve() {
    bool better = true;
    for (int sweep = 0; sweep < most_sweeps && better; ++sweep) {
      better = false;
      for (std::int64_t v = network_.ranks; v < network_.vertices; ++v) {
        const std::int64_t wider = wider_on_one(v);
        const auto best = static_cast<signed char>(wider < 0);
        if (wider == 0 || side_[at(v)] == best) continue;
        side_[at(v)] = best;
        better = true;
      }
      if (network_.ranks <= most_swapped) better = swap_ranks() || better;
    }
  }

  bool swap_ranks() {
    bool better = false;
    for (Rank a = 0; a < network_.ranks; ++a)
      for (Rank b = a + 1; b < network_.ranks; ++b) {
        if (side_[at(a)] == side_[at(b)]) continue;
        const std::int64_t before = change(a, b);
        std::swap(side_[at(a)], side_[at(b)]);
        if (change(a, b) < before)
          better = true;
        else
          std::swap(side_[at(a)], side_[at(b)]);
      }
    return better;
  }
  /// The part of the cut that changes when a and b change sides.
  std::int64_t change(Rank a, Rank b) const {
    std::int64_t width = 0;
    for (const Rank v : {a, b}) {
      const Arcs::Range out = arcs_.leaving(v);
      for (Link link = out.begin_; link < out.end_; ++link)
        if (side_[at(v)] == 1 && side_[at(arcs_.head(link))] == 0) width += width_of(link);
      for (const Link link : arcs_.entering(v)) {
        const bool counted = arcs_.tail(link) == a || arcs_.tail(link) == b;
        if (!counted && side_[at(v)] == 0 && side_[at(arcs_.tail(link))] == 1) width += width_of(link);
      }
    }
    return width;
  }

  const Network& network_;
  const Arcs& arcs_;
  std::vector<signed char> side_;
};

/// Ranks by their distance from a vertex.
std::vector<Rank> searched(const Network& network, const std::vector<std::int32_t>& far) {
  std::vector<Rank> order(at(network.ranks));
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](Rank a, Rank b) { return far[at(a)] < far[at(b)]; });
  return order;
}

}  // namespace

Cut narrow_cut(const Network& network, const Arcs& arcs) {
  const Rank half = network.ranks / 2;
  if (half == 0) return {};
  std::vector<Rank> order(at(network.ranks));
  std::iota(order.begin(), order.end(), 0);
  std::int64_t width = Halves(network, arcs, order).width();
  Rank start = 0;
  for (int i = 0; i < most_searches; ++i) {
    const std::vector<std::int32_t> far = arcs.distances_from(start);
    order = searched(network, far);
    width = std::min(width, Halves(network, arcs, order).width());
    start = i % 2 == 0 ? order.back() : (start + half / 2 + 1) % network.ranks;
  }
  for (std::uint64_t seed = 0; seed < shuffles && network.ranks <= most_swapped; ++seed) {
    const auto key = [&](Rank r) { return base::hash_of(seed, r); };
    std::sort(order.begin(), order.end(), [&](Rank a, Rank b) { return key(a) < key(b); });
    width = std::min(width, Halves(network, arcs, order).width());
  }
  return {width, half};
}

}  // namespace quadrille::topology
