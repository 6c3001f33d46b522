// The planner ranks by closed forms; its winner must win by the count, too, also where local copies are not free.
#include "quadrille/plan.hpp"

#include <gtest/gtest.h>

#include <set>

#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::plan_test {
namespace {

std::vector<std::string> networks() {
  std::vector<std::string> all;
  for (int d = 1; d <= 5; ++d) all.push_back("hypercube:" + std::to_string(d));
  for (const int p : {2, 3, 4, 5, 6, 7, 8, 11, 16})
    for (const std::string family : {"ring:", "crossbar:"}) all.push_back(family + std::to_string(p));
  return all;
}

class WhereCopiesCost : public ::testing::TestWithParam<const char*> {};

TEST_P(WhereCopiesCost, TheWinnerByFormulaWinsByCount) {
  std::set<std::string> winners;
  for (const Ports ports : {Ports::one, Ports::all})
    for (const Duplex duplex : {Duplex::full, Duplex::half}) {
      if (ports == Ports::one && duplex == Duplex::half) continue;  // nothing gathers on an odd ring
      Machine machine = load_machine(GetParam());
      machine.ports = ports, machine.duplex = duplex;
      ASSERT_GT(machine.rho, 0);
      for (const std::string& network : networks())
        for (const Collective c : {Collective::sendrecv, Collective::bcast, Collective::allgather, Collective::scatter,
                                   Collective::gather, Collective::alltoall})
          for (const Bytes bytes : {Bytes{1}, Bytes{97}, Bytes{4096}, Bytes{1000000}}) {
            SCOPED_TRACE(std::string(to_string(c)) + " on " + network + " of " + to_text(machine));
            const Spec spec = testing::request(c, network, bytes, 0, c == Collective::sendrecv ? 1 : -1);
            if (!testing::sampled(to_text(spec) + to_text(machine), 3)) continue;
            const auto counted = [&](const Candidate& x) {
              const Built built = build(spec, machine, {x.algorithm, x.params});
              return seconds(count(spec, machine, *built.schedule).cost, machine, *spec.topology);
            };
            const Plan plan = quadrille::plan(spec, machine);
            const Seconds best = counted(plan.best());
            for (const Candidate& x : plan.candidates) {
              if (x.cost.startups > 10000) continue;  // packets of one byte take a million rounds, and are far behind
              ASSERT_LE(best, counted(x) * (1 + 1e-12)) << to_text(*x.algorithm, x.params);
            }
            winners.emplace(plan.best().algorithm->name);
          }
    }
  EXPECT_GE(winners.size(), 12U);
}

INSTANTIATE_TEST_SUITE_P(Machines, WhereCopiesCost, ::testing::Values("ipsc860", "localhost"),
                         [](const auto& one) { return std::string(one.param); });

// The ring of a torus goes through its ranks in another order than theirs: blocks of different lengths cannot go round
// it. Other algorithms can be planned, at one port and any number of them.
TEST(Plan, LeavesOutWhatCannotMoveBlocksOfDifferentLengths) {
  Spec spec = testing::request(Collective::reduce_scatter, "torus:5x3", 8);
  std::vector<Bytes> offsets(1, 0);
  for (Rank r = 0; r < spec.ranks(); ++r) offsets.push_back(offsets.back() + 8 * (r % 3));
  spec.offsets = std::make_shared<const std::vector<Bytes>>(offsets);
  spec = checked(spec);
  const Algorithm& ring = find_algorithm("reduce_scatter_ring");
  for (const Machine& m : testing::test_machines()) {
    EXPECT_TRUE(plan(spec, m).possible() || m.multicast) << m.name;
    if (m.switching == Switching::circuit) continue;
    EXPECT_NE(ring.illegal(spec, m, {}), "") << m.name;
  }
  // Parts of a block go round a cube in turned orders.
  Spec cube = testing::request(Collective::reduce_scatter, "hypercube:2", 8);
  cube.offsets = std::make_shared<const std::vector<Bytes>>(std::vector<Bytes>{0, 455488, 455488, 891648, 891648});
  cube = checked(cube);
  EXPECT_TRUE(plan(cube, load_machine("aurora")).possible());
}

}  // namespace
}  // namespace quadrille::plan_test
