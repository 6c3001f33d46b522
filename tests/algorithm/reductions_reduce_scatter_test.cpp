// Reduce-scatters, each on the networks it is for.
#include "algorithm/pattern/two_cycles.hpp"
#include "algorithm/reduce_scatter/shared/bases.hpp"
#include "reductions.hpp"

namespace quadrille::reduce_scatter_test {
namespace {

const std::vector<std::string> networks{
    "crossbar:2",  "crossbar:3",  "crossbar:4",  "crossbar:5",  "crossbar:7",  "crossbar:8",  "crossbar:9",
    "omega:1",     "omega:3",     "crossbar:12", "crossbar:16", "crossbar:17", "hypercube:1", "hypercube:2",
    "hypercube:3", "hypercube:4", "ring:2",      "ring:3",      "ring:5",      "ring:8",      "torus:3x3",
    "torus:3x4",   "torus:5x4",   "torus:4x4",   "mesh:2x3",    "mesh:5",      "mesh:2x3x2",  "mesh:3x4",
    "bus:2",       "bus:3",       "bus:6",       "memory:2",    "memory:3",    "memory:8",    "star:3*2"};

TEST(ReduceScatter, EveryAlgorithmIsProvenAndCountedWhereverItIsLegal) {
  int known = 0;
  for (const Algorithm& a : algorithms()) {
    if (a.collective != Collective::reduce_scatter) continue;
    EXPECT_GT(testing::expect_reduced_everywhere(a, networks), 0) << a.name << " is never legal";
    ++known;
    if (HasFailure()) return;
  }
  EXPECT_GE(known, 15);
}

/// Blocks of different lengths, some of none, in elements of 4 bytes.
Spec uneven(const std::string& network) {
  Spec spec{.collective = Collective::reduce_scatter, .topology = parse_topology(network), .element = 4};
  auto offsets = std::make_shared<std::vector<Bytes>>(1, 0);
  for (Rank r = 0; r < spec.ranks(); ++r) offsets->push_back(offsets->back() + 4 * (r * 5 % 7));
  spec.offsets = offsets;
  return checked(spec);
}

TEST(ReduceScatter, TakesBlocksOfDifferentLengths) {
  const Machine machine = testing::test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  for (const auto& [choice, network] : {std::pair{"reduce_scatter_circulant", "crossbar:11"},
                                        {"reduce_scatter_pairwise", "crossbar:6"},
                                        {"reduce_scatter_halving:far=0", "crossbar:8"},
                                        {"reduce_scatter_halving:far=1", "hypercube:3"},
                                        {"reduce_scatter_radix:radix=3", "crossbar:9"},
                                        {"reduce_scatter_cycles:ways=2", "torus:3x4"},
                                        {"reduce_scatter_bus", "bus:5"}})
    testing::expect_reduced(uneven(network), machine, parse_choice(choice));
}

TEST(ReduceScatter, ThroughAMemoryRefusesBlocksOfDifferentLengths) {
  const Algorithm& a = find_algorithm("reduce_scatter_memory");
  EXPECT_NE(a.illegal(uneven("memory:5"), Machine{}, {}), "");
}

TEST(ReduceScatter, HalvingKeepsTheOrderOfRanksWithNeighboursFirstOnly) {
  Spec spec = testing::request(Collective::reduce_scatter, "crossbar:8", 40);
  const Machine machine = testing::test_machine(Ports::one, Duplex::full, Switching::store_and_forward);
  const Proof near = testing::expect_reduced(spec, machine, parse_choice("reduce_scatter_halving:far=0"));
  const Proof far = testing::expect_reduced(spec, machine, parse_choice("reduce_scatter_halving:far=1"));
  EXPECT_EQ(near.in_order, std::optional(true));
  EXPECT_EQ(far.in_order, std::optional(false));
  spec.operands = Operands::ordered;
  const Algorithm& a = find_algorithm("reduce_scatter_halving");
  EXPECT_EQ(a.variants(spec, machine).size(), 1u);
  EXPECT_THROW(build(spec, machine, {&a, {{"far", {1}}}}), Error);
}

/// Fewest rounds and least bytes for any number of ranks.
TEST(ReduceScatter, CirculantMeetsBothBoundsOfASwitch) {
  const Machine machine = testing::test_machine(Ports::one, Duplex::full, Switching::store_and_forward);
  for (const Rank p : {2, 3, 5, 8, 13, 31, 100}) {
    const Spec spec = testing::request(Collective::reduce_scatter, "crossbar:" + std::to_string(p), 12);
    const Built built = build(spec, machine, parse_choice("reduce_scatter_circulant"));
    const Cost cost = count(spec, machine, *built.schedule).cost;
    EXPECT_EQ(cost.bytes, 12 * (p - 1)) << p;
    EXPECT_EQ(cost.combined, 12 * (p - 1)) << p;
    EXPECT_EQ(Rank{1} << (cost.startups - 1) < p && p <= Rank{1} << cost.startups, true) << p;
  }
}

TEST(TwoCycles, ShareNoWireAndGoThroughAllRanks) {
  for (Rank rows = 3; rows <= 12; ++rows)
    for (Rank columns = 3; columns <= 14; ++columns) {
      const TopologyPtr torus = parse_topology("torus:" + std::to_string(rows) + "x" + std::to_string(columns));
      std::vector<bool> used(static_cast<std::size_t>(torus->links()));
      for (const std::vector<Rank>& cycle : algorithm::pattern::two_cycles(rows, columns)) {
        ASSERT_EQ(std::ssize(cycle), rows * columns);
        std::vector<bool> seen(cycle.size());
        for (std::size_t i = 0; i < cycle.size(); ++i) {
          const Rank from = cycle[i], to = cycle[(i + 1) % cycle.size()];
          ASSERT_FALSE(seen[static_cast<std::size_t>(from)]);
          seen[static_cast<std::size_t>(from)] = true;
          ASSERT_EQ(torus->distance(from, to), 1);
          std::vector<Link> way;
          torus->route(from, to, way);
          for (const Link link : {way.front(), torus->reverse(way.front())}) {
            ASSERT_FALSE(used[static_cast<std::size_t>(link)]) << torus->text();
            used[static_cast<std::size_t>(link)] = true;
          }
        }
      }
    }
}

}  // namespace
}  // namespace quadrille::reduce_scatter_test
