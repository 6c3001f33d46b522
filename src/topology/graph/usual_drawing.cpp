#include "topology/graph/usual_drawing.hpp"

#include <algorithm>
#include <utility>

namespace quadrille::topology {

namespace {

class Drawer {
 public:
  explicit Drawer(const Network& network)
      : ranks_(network.ranks), neighbours_(at(network.vertices)), level_(at(network.vertices), -1) {
    for (const Wire& w : network.wires) neighbours_[at(w.a)].push_back(w.b), neighbours_[at(w.b)].push_back(w.a);
    std::vector<std::int64_t> queue;
    for (Rank r = 0; r < ranks_; ++r) level_[at(r)] = 0, queue.push_back(r);
    for (std::size_t i = 0; i < queue.size(); ++i)
      for (const std::int32_t next : neighbours_[at(queue[i])])
        if (level_[at(next)] < 0) level_[at(next)] = level_[at(queue[i])] + 1, queue.push_back(next);
    highest_ = *std::max_element(level_.begin(), level_.end());
  }

  Drawing draw() const {
    std::vector<Drawing> leaves, apart;
    for (std::int64_t v = ranks_; v < std::ssize(level_); ++v)
      if (level_[at(v)] == 1) leaves.push_back(leaf(v));
    for (Rank r = 0; r < ranks_; ++r)
      if (own_switch(r) < 0) apart.push_back({.vertex = r});
    if (highest_ == 1 && apart.empty()) return around(std::move(leaves));
    Drawing all;
    for (int level = highest_; level > 1; --level) {
      all.rows.emplace_back();
      for (std::int64_t v = ranks_; v < std::ssize(level_); ++v)
        if (level_[at(v)] == level) all.rows.back().push_back({.vertex = v});
    }
    all.rows.push_back(std::move(leaves));
    for (auto& row : rows_of(std::move(apart), wide)) all.rows.push_back(std::move(row));
    return all;
  }

 private:
  static constexpr double wide = 8;  ///< rows of hosts, against how many there are

  /// The switch that is all a host is joined to; else -1.
  std::int64_t own_switch(Rank host) const {
    const std::vector<std::int32_t>& all = neighbours_[at(host)];
    const bool one = !all.empty() && std::count(all.begin(), all.end(), all.front()) == std::ssize(all);
    return one && all.front() >= ranks_ ? all.front() : -1;
  }

  /// A switch above its hosts.
  Drawing leaf(std::int64_t v) const {
    std::vector<Drawing> hosts;
    std::vector<std::int32_t> below = neighbours_[at(v)];
    std::sort(below.begin(), below.end());
    below.erase(std::unique(below.begin(), below.end()), below.end());
    for (const std::int32_t r : below)
      if (r < ranks_ && own_switch(r) == v) hosts.push_back({.vertex = r});
    if (hosts.empty()) return {.vertex = v};
    Drawing drawing{.rows = rows_of(std::move(hosts), 2)};
    drawing.rows.insert(drawing.rows.begin(), {Drawing{.vertex = v}});
    return drawing;
  }

  /// One switch in the middle of its hosts, or several round a ring.
  static Drawing around(std::vector<Drawing> leaves) {
    if (leaves.size() > 1) return {.rows = {{}, std::move(leaves)}, .ring = true};
    Drawing star{.rows = {{}, {}}, .ring = true};
    for (Drawing::Rows::value_type& row : leaves.front().rows)
      for (Drawing& part : row) star.rows[star.rows.front().empty() ? 0 : 1].push_back(std::move(part));
    return star;
  }

  Rank ranks_;
  std::vector<std::vector<std::int32_t>> neighbours_;
  std::vector<int> level_;  ///< links to the nearest host
  int highest_ = 0;
};

}  // namespace

Drawing usual_drawing(const Network& network) {
  if (network.vertices == network.ranks) return {};
  return Drawer(network).draw();
}

}  // namespace quadrille::topology
