#include "algorithm/sendrecv/shared/flow.hpp"

#include <algorithm>
#include <deque>
#include <set>
#include <utility>

namespace quadrille::algorithm::sendrecv {

namespace {

using Wire = std::pair<Rank, Rank>;  // with the direction in which it is used

std::size_t at(Rank r) { return static_cast<std::size_t>(r); }

/// A shortest way to the target where taking a used wire back counts -1; empty: none.
std::vector<Rank> augmenting(const Neighbours& neighbours, const std::set<Wire>& used, Rank source, Rank target) {
  constexpr std::int64_t far = std::int64_t{1} << 40;
  std::vector<std::int64_t> length(neighbours.size(), far);
  std::vector<Rank> before(neighbours.size(), -1);
  std::vector<bool> queued(neighbours.size(), false);
  std::deque<Rank> queue{source};
  length[at(source)] = 0;
  while (!queue.empty()) {
    const Rank r = queue.front();
    queue.pop_front();
    queued[at(r)] = false;
    for (const Rank next : neighbours[at(r)]) {
      if (used.contains({r, next})) continue;
      const std::int64_t reached = length[at(r)] + (used.contains({next, r}) ? -1 : 1);
      if (reached >= length[at(next)]) continue;
      length[at(next)] = reached;
      before[at(next)] = r;
      if (!queued[at(next)]) queue.push_back(next), queued[at(next)] = true;
    }
  }
  if (length[at(target)] == far) return {};
  std::vector<Rank> way{target};
  while (way.back() != source) way.push_back(before[at(way.back())]);
  std::reverse(way.begin(), way.end());
  return way;
}

}  // namespace

std::vector<std::vector<Rank>> least_paths(const Neighbours& neighbours, Rank source, Rank target) {
  std::set<Wire> used;
  std::size_t count = 0;
  for (std::vector<Rank> way; !(way = augmenting(neighbours, used, source, target)).empty(); ++count)
    for (std::size_t i = 1; i < way.size(); ++i)
      if (used.erase({way[i], way[i - 1]}) == 0) used.insert({way[i - 1], way[i]});
  std::vector<std::vector<Rank>> paths;
  for (; count > 0; --count) {
    std::vector<Rank> path{source};
    while (path.back() != target) {
      const auto wire = used.lower_bound({path.back(), -1});
      path.push_back(wire->second);
      used.erase(wire);
    }
    paths.push_back(std::move(path));
  }
  return paths;
}

}  // namespace quadrille::algorithm::sendrecv
