// Loads added up along lines are those of messages followed link by link.
#include "algorithm/pattern/grid_loads.hpp"

#include <gtest/gtest.h>

#include <map>

#include "quadrille/topology.hpp"

namespace quadrille::gridloads_test {
namespace {

Bytes busiest_by_routes(const topology::Grid& grid, const std::vector<std::pair<Rank, Rank>>& messages, bool wires) {
  std::map<Link, Bytes> loads;
  std::vector<Link> path;
  for (std::size_t i = 0; i < messages.size(); ++i) {
    path.clear();
    grid.route(messages[i].first, messages[i].second, path);
    for (const Link link : path) loads[link] += static_cast<Bytes>(i) + 1;
  }
  Bytes most = 0;
  for (const auto& [link, load] : loads) {
    const Link back = grid.reverse(link);
    const auto other = loads.find(back);
    most = std::max(most, load + (wires && back != link && other != loads.end() ? other->second : 0));
  }
  return most;
}

TEST(GridLoads, AreThoseOfEveryRoute) {
  for (const bool wraps : {false, true})
    for (const std::vector<Rank>& sides :
         {std::vector<Rank>{7}, {2, 2}, {1, 6}, {5, 4}, {3, 8}, {8, 8}, {2, 3, 4}, {3, 1, 5}, {4, 4, 2}}) {
      const topology::Grid grid(sides, wraps);
      SCOPED_TRACE(grid.text());
      algorithm::pattern::GridLoads loads(grid);
      const Rank p = grid.ranks();
      for (const Rank factor : {1, 3, 7, 11})
        for (const bool wires : {false, true}) {
          std::vector<std::pair<Rank, Rank>> messages;
          for (Rank r = 0; r < p; ++r) messages.emplace_back(r, (factor * r + p / 2) % p);
          for (std::size_t i = 0; i < messages.size(); ++i)
            loads.add(messages[i].first, messages[i].second, static_cast<Bytes>(i) + 1);
          EXPECT_EQ(loads.busiest(wires), busiest_by_routes(grid, messages, wires));
        }
    }
}

}  // namespace
}  // namespace quadrille::gridloads_test
