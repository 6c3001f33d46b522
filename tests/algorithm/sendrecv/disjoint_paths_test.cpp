// Paths between two ranks that share no wire, against exhaustive search and against the lengths
// worked out by hand; and messages split over paths that do not wait for each other.
#include <cmath>
#include <functional>
#include <numeric>
#include <set>

#include "algorithm/kit/support.hpp"
#include "algorithm/sendrecv/shared/flow.hpp"
#include "algorithm/sendrecv/shared/grid_paths.hpp"
#include "proven.hpp"

namespace quadrille::paths_test {
namespace {

using testing::proven_where_legal;
using testing::request;
using testing::test_machine;

Spec between(const std::string& topology, Rank root, Rank target) {
  return request(Collective::sendrecv, topology, 1, root, target);
}

std::string torus(Rank rows, Rank columns) { return "torus:" + std::to_string(rows) + "x" + std::to_string(columns); }

void expect_disjoint(const Spec& spec, const algorithm::sendrecv::PathSet& paths) {
  SCOPED_TRACE(spec.topology->text() + " " + std::to_string(spec.root) + " to " + std::to_string(spec.target) + ", " +
               ::testing::PrintToString(algorithm::sendrecv::lengths_of(paths)));
  std::set<std::pair<Rank, Rank>> wires;
  std::int64_t links = 0;
  for (const algorithm::sendrecv::Path& path : paths) {
    ASSERT_EQ(path.at(0), spec.root);
    ASSERT_EQ(path.at(path.length), spec.target);
    links += path.length;
    std::int64_t visited = 0;
    for (Rank r = 0; r < spec.ranks(); ++r)
      if (path.position(r) >= 0) {
        ++visited;
        ASSERT_EQ(path.at(path.position(r)), r);
      }
    ASSERT_EQ(visited, path.length + 1);
    for (std::int64_t i = 0; i < path.length; ++i) {
      ASSERT_EQ(spec.topology->distance(path.at(i), path.at(i + 1)), 1);
      wires.insert(std::minmax({path.at(i), path.at(i + 1)}));
    }
  }
  ASSERT_EQ(static_cast<std::int64_t>(wires.size()), links);
}

TEST(DisjointPaths, ShareNoWireAndLeadToTheTarget) {
  for (const std::string topology :
       {"torus:3x3",   "torus:3x4", "torus:4x4", "torus:3x7",  "torus:5x4", "torus:5x5", "torus:6x4",
        "torus:6x6",   "torus:7x5", "torus:8x8", "torus:9x10", "torus:2x2", "torus:2x6", "torus:3x3x3",
        "torus:2x4x3", "torus:7",   "mesh:2x2",  "mesh:1x5",   "mesh:4x4",  "mesh:3x5",  "mesh:3x2x3"}) {
    const Rank p = parse_topology(topology)->ranks();
    for (const Rank root : std::set<Rank>{0, p / 3})
      for (Rank target = 0; target < p; ++target) {
        if (target == root) continue;
        const Spec spec = between(topology, root, target);
        for (const algorithm::sendrecv::PathSet& paths : algorithm::sendrecv::path_sets(spec)) {
          expect_disjoint(spec, paths);
          if (HasFatalFailure()) return;
        }
      }
  }
}

TEST(DisjointPaths, AreAsManyAsTheWiresOfTheRanks) {
  const auto count = [](const std::string& topology, Rank root, Rank target) {
    return algorithm::sendrecv::path_sets(between(topology, root, target)).front().size();
  };
  EXPECT_EQ(count("mesh:4x4", 0, 15), 2U);  // corners
  EXPECT_EQ(count("mesh:4x4", 0, 5), 2U);
  EXPECT_EQ(count("mesh:4x4", 1, 14), 3U);  // edges
  EXPECT_EQ(count("mesh:4x4", 5, 10), 4U);
  EXPECT_EQ(count("mesh:1x4", 0, 3), 1U);
  EXPECT_EQ(count("torus:3x3", 0, 4), 4U);
  EXPECT_EQ(count("torus:2x4", 0, 6), 3U);
  EXPECT_EQ(count("torus:3x3x3", 0, 26), 6U);
}

std::vector<std::vector<Rank>> beside(const Spec& spec) {
  std::vector<std::vector<Rank>> all(static_cast<std::size_t>(spec.ranks()));
  for (Rank r = 0; r < spec.ranks(); ++r)
    for (Rank other = 0; other < spec.ranks(); ++other)
      if (spec.topology->distance(r, other) == 1) all[static_cast<std::size_t>(r)].push_back(other);
  return all;
}

/// Whether one path from each rank next to the root reaches the target in `most` links, none sharing a wire.
bool exist(const Spec& spec, const std::vector<std::vector<Rank>>& neighbours, std::int64_t most) {
  std::set<std::pair<Rank, Rank>> used;
  const std::vector<Rank>& starts = neighbours[static_cast<std::size_t>(spec.root)];
  std::function<bool(std::size_t, Rank, std::int64_t)> from = [&](std::size_t path, Rank r, std::int64_t left) {
    if (r == spec.target) {
      if (++path == starts.size()) return true;
      r = spec.root, left = most;
    }
    const auto go = [&](Rank next) {
      if (next == spec.root || spec.topology->distance(next, spec.target) > left - 1) return false;
      const std::pair<Rank, Rank> wire = std::minmax({r, next});
      if (!used.insert(wire).second) return false;
      if (from(path, next, left - 1)) return true;
      used.erase(wire);
      return false;
    };
    if (r == spec.root) return go(starts[path]);
    const auto& list = neighbours[static_cast<std::size_t>(r)];
    return std::any_of(list.begin(), list.end(), go);
  };
  return from(0, spec.root, most);
}

TEST(DisjointPaths, AreAsShortAsExhaustiveSearchFinds) {
  for (const auto& [rows, columns] : std::vector<std::pair<Rank, Rank>>{{3, 3},
                                                                        {3, 4},
                                                                        {3, 5},
                                                                        {3, 8},
                                                                        {4, 4},
                                                                        {4, 5},
                                                                        {4, 6},
                                                                        {4, 7},
                                                                        {4, 8},
                                                                        {5, 5},
                                                                        {5, 6},
                                                                        {5, 8},
                                                                        {6, 6},
                                                                        {7, 6}})
    for (Rank b = 0; b <= rows / 2; ++b)
      for (Rank a = 0; a <= columns / 2; ++a) {
        if (a + b == 0) continue;
        const Spec spec = between(torus(rows, columns), 0, b * columns + a);
        const auto neighbours = beside(spec);
        std::int64_t total = 0;
        for (const auto& path : algorithm::sendrecv::least_paths(neighbours, spec.root, spec.target))
          total += std::ssize(path) - 1;
        const algorithm::kit::Lengths shortest = algorithm::sendrecv::chosen_lengths(spec, {},
                                                                                     algorithm::sendrecv::Least::total),
                                      even = algorithm::sendrecv::chosen_lengths(spec, {},
                                                                                 algorithm::sendrecv::Least::longest);
        EXPECT_EQ(std::accumulate(shortest.begin(), shortest.end(), Rank{0}), total) << torus(rows, columns) << b << a;
        // Four paths that are shorter would each be at most one link shorter than the longest.
        if (4 * (even.back() - 1) >= total) {
          EXPECT_FALSE(exist(spec, neighbours, even.back() - 1)) << torus(rows, columns) << b << a;
        }
      }
}

TEST(DisjointPaths, OfATorusTooLargeToListAreKnown) {
  const Machine m = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);
  for (const std::string topology : {"torus:3x268435456", "torus:32768x32768", "torus:1073741824"}) {
    const Spec spec = request(Collective::sendrecv, topology, 1 << 20);
    for (const std::string name : {"sendrecv_multipath", "sendrecv_balanced", "sendrecv_unsynchronised"}) {
      const Algorithm& a = find_algorithm(name);
      const Params params = a.variants(spec, m).front();
      EXPECT_EQ(build(spec, m, {&a, params}).schedule->shape().rounds, a.cost(spec, m, params).startups) << name;
    }
  }
}

TEST(DisjointPaths, AreNamedByTheirLengths) {
  const Machine m = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);
  const Spec spec = request(Collective::sendrecv, "torus:8x8", 360, 0, 19);
  const Algorithm& a = find_algorithm("sendrecv_balanced");
  EXPECT_EQ(algorithm::sendrecv::chosen_lengths(spec, {}, algorithm::sendrecv::Least::total),
            (algorithm::kit::Lengths{5, 7, 7, 7}));
  EXPECT_EQ(algorithm::sendrecv::chosen_lengths(spec, {}, algorithm::sendrecv::Least::longest),
            (algorithm::kit::Lengths{5, 7, 7, 7}));
  EXPECT_EQ(
      a.cost(spec, m, {{"packet_bytes", {10}}, {"lengths", {7, 7, 7, 7}}}),
      algorithm::kit::with_messages(
          4, algorithm::kit::neighbour_cost(15, 150)));  // nine packets leave by each path, then nine times four come
  EXPECT_NE(a.illegal(spec, m, {{"lengths", {5, 5, 5, 5}}}).find("try lengths=7,7,7,7 or lengths="), std::string::npos);
}

TEST(DisjointPaths, OnlySetsThatMayBeBestArePriced) {
  const Machine m = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);
  const auto priced = [&](Rank target) {
    std::vector<algorithm::kit::Lengths> all;
    for (const Params& p : find_algorithm("sendrecv_multipath").variants(between("torus:6x6", 0, target), m))
      all.push_back(p.list("lengths"));
    return all;
  };
  EXPECT_EQ(priced(21), (std::vector<algorithm::kit::Lengths>{{6, 6, 6, 6}}));  // antipodes: four shortest paths
  EXPECT_EQ(priced(1), (std::vector<algorithm::kit::Lengths>{{1, 3, 3, 5}}));
  EXPECT_EQ(priced(2), (std::vector<algorithm::kit::Lengths>{{2, 4, 4, 4}}));
}

/// Least over all splits and packet counts of the slowest path.
double exhaustive(const algorithm::kit::Lengths& lengths, std::size_t path, Bytes bytes, double tau, double g) {
  const auto alone = [&](Bytes share) {
    double least = share == 0 ? 0 : 1e300;
    for (std::int64_t nu = 1; nu <= share; ++nu) {
      const auto depth = static_cast<double>(lengths[path]), size = static_cast<double>((share + nu - 1) / nu);
      least = std::min(
          least, (static_cast<double>(nu - 1) + depth) * tau + (static_cast<double>(share) + (depth - 1) * size) * g);
    }
    return least;
  };
  if (path + 1 == lengths.size()) return alone(bytes);
  double least = 1e300;
  for (Bytes share = 0; share <= bytes; ++share)
    least = std::min(least, std::max(alone(share), exhaustive(lengths, path + 1, bytes - share, tau, g)));
  return least;
}

TEST(Splits, AreAsGoodAsExhaustiveSearchFinds) {
  for (const algorithm::kit::Lengths& lengths :
       {algorithm::kit::Lengths{1, 3}, {2, 8}, {3, 5}, {4, 4}, {1, 15}, {1, 3, 3}, {2, 2, 6}})
    for (const double tau : {0., 1., 2., 5., 30.})
      for (const double g : {0., 1., 3.})
        for (const Bytes bytes : {1, 2, 7, 24}) {
          const algorithm::kit::Split split = algorithm::kit::best_split(lengths, bytes, tau, g);
          EXPECT_EQ(std::accumulate(split.bytes.begin(), split.bytes.end(), Bytes{0}), bytes);
          EXPECT_NEAR(algorithm::kit::split_time(lengths, split, tau, g), exhaustive(lengths, 0, bytes, tau, g), 1e-9)
              << ::testing::PrintToString(lengths) << " tau " << tau << " g " << g << " N " << bytes;
        }
}

// Rings of 8 and 10, 60 words, 3 and 2 links apart: 63 and 80, 35 and 48 words on the short path. The bound for any
// real split is T = (sqrt(2a - delta^2) + sqrt((p-1) tau) + sqrt((q-1) tau))^2 / 4.
TEST(Splits, KnownOptima) {
  struct Row {
    algorithm::kit::Lengths lengths;
    double tau, time, bound;
  };
  for (const Row& row : {Row{{3, 5}, 2, 63, 62.02750564}, Row{{2, 8}, 4, 80, 78.67474076}}) {
    const algorithm::kit::Split split = algorithm::kit::best_split(row.lengths, 60, row.tau, 1);
    EXPECT_DOUBLE_EQ(algorithm::kit::split_time(row.lengths, split, row.tau, 1), row.time);
    const double p = std::sqrt(static_cast<double>(row.lengths[0] - 1) * row.tau);
    const double q = std::sqrt(static_cast<double>(row.lengths[1] - 1) * row.tau), a = 60;
    EXPECT_NEAR(std::pow(std::sqrt(2 * a - (q - p) * (q - p)) + p + q, 2) / 4, row.bound, 1e-8);
  }
}

TEST(Splits, AreProvenAndExactAsGiven) {
  const std::vector<std::pair<std::string, Rank>> cases{
      {"ring:8", 3}, {"hypercube:2", 3}, {"torus:3x4", 5}, {"mesh:3x3", 8}, {"ring:5", 1}};
  const Machine half = test_machine(Ports::all, Duplex::half, Switching::store_and_forward);
  int legal = 0;
  for (const auto& [topology, target] : cases)
    for (const std::vector<Bytes>& bytes : {std::vector<Bytes>{97, 0}, {0, 97}, {60, 37}, {9, 8, 7, 73}, {97, 0, 0, 0}})
      for (const std::vector<std::int64_t>& packets :
           {std::vector<std::int64_t>{1, 1}, {5, 1}, {1, 7}, {3, 1, 7, 11}, {4, 1, 1, 1}}) {
        const Spec spec = request(Collective::sendrecv, topology, 97, 0, target);
        legal += proven_where_legal(spec, half, "sendrecv_unsynchronised", {{"bytes", bytes}, {"packets", packets}});
      }
  EXPECT_GT(legal, 10);
}

}  // namespace
}  // namespace quadrille::paths_test
