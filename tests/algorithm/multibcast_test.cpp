// S-to-p broadcasts: every distribution on every small mesh is proven and priced exactly, and moves as many blocks as
// the paper says; sources as text; the times that simulation gives worked by hand.
#include "algorithm/multibcast/shared/multibcast.hpp"

#include <gtest/gtest.h>

#include <set>

#include "quadrille/plan.hpp"
#include "quadrille/price.hpp"
#include "quadrille/run.hpp"
#include "quadrille/simulate.hpp"
#include "quadrille/sources.hpp"
#include "quadrille/verify.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::multibcast_test {
namespace {

using testing::command;

const std::vector<std::string> patterns{"R", "C", "DR", "DL", "E", "Cr", "B"};

Machine paragon() { return load_machine("paragon-h95"); }

Spec on_mesh(const std::string& mesh, const std::string& sources, Bytes bytes = 1) {
  const TopologyPtr topology = parse_topology(mesh);
  return checked({.collective = Collective::multibcast,
                  .topology = topology,
                  .sources = parse_sources(sources, *topology, bytes)});
}

/// Blocks that must be delivered: every rank gets all but its own, and those that moved first go to one rank more.
std::int64_t deliveries(const Spec& spec, const Algorithm& a, const Params& params) {
  const Slot s = spec.sources->count();
  std::int64_t least = s * (spec.ranks() - 1);
  if (a.name == "multibcast_twostep") return least + s - (spec.sources->find(0) >= 0 ? 1 : 0);
  if (a.name == "multibcast_rarest") return least * params.get("chunks", 1);
  if (!a.name.starts_with("multibcast_repos") && !a.name.starts_with("multibcast_part")) return least;
  Summary step;
  const Built built = build(spec, paragon(), {&a, params});
  std::set<Rank> moved;
  const auto moves = dynamic_cast<const algorithm::pattern::Merging&>(*built.schedule).plan();
  for (Slot k = 0; k < s; ++k)
    least += moves.placed[static_cast<std::size_t>(k)] != spec.sources->ranks[static_cast<std::size_t>(k)];
  return least;
}

/// The others are for a bus, a shared memory, a crossbar and a cube, or need all ports, which this machine has not.
bool is_for_meshes(const Algorithm& a) {
  const std::set<std::string_view> others{"multibcast_memory",    "multibcast_sequential", "multibcast_relayed",
                                          "multibcast_circulant", "multibcast_exchange",   "multibcast_forest"};
  return a.collective == Collective::multibcast && others.count(a.name) == 0;
}

void expect_sound(const Spec& spec) {
  const Machine machine = paragon();
  for (const Algorithm& a : algorithms()) {
    if (!is_for_meshes(a)) continue;
    ASSERT_EQ(a.illegal(spec, machine, {}), "") << a.name;
    const std::vector<Params> variants = a.variants(spec, machine);
    Params params;  // without a variant the sources are where the algorithm would move them
    if (!variants.empty()) params = variants[static_cast<std::size_t>(spec.sources->count()) % variants.size()];
    SCOPED_TRACE(command(spec, machine, a, params));
    const Built built = build(spec, machine, {&a, params});
    const Proof proof = verify(spec, testing::in_turns(machine), *built.schedule, built.claims);
    ASSERT_TRUE(proof.holds) << proof.counterexample->text;
    EXPECT_EQ(proof.duplicates, 0);
    EXPECT_EQ(proof.deliveries, deliveries(spec, a, params));
    EXPECT_EQ(count(spec, machine, *built.schedule).cost, built.formula);
  }
}

TEST(Multibcast, EveryDistributionOnEverySmallMesh) {
  for (Rank rows = 1; rows <= 8; ++rows)
    for (Rank cols = 1; cols <= 8; ++cols) {
      const Rank p = rows * cols;
      if (p < 2) continue;
      const std::string mesh = "mesh:" + std::to_string(rows) + "x" + std::to_string(cols);
      for (std::size_t i = 0; i < patterns.size(); ++i) {  // the sizes in turn: all of them on some mesh
        const std::vector<Slot> sizes{1, 2, p / 3, p / 2, p - 1, p};
        const Slot s = std::max<Slot>(1, sizes[(i + static_cast<std::size_t>(3 * rows + cols)) % sizes.size()]);
        const std::string sources = patterns[i] + "(" + std::to_string(s) + ")";
        if (testing::sampled(mesh + sources, 4)) expect_sound(on_mesh(mesh, sources));
        if (HasFatalFailure()) return;
      }
    }
}

TEST(Multibcast, UnevenLengthsAndAnySet) {
  for (const char* sources : {"3:7,4:0,11:1000", "0:1,1:2,2:3,3:4,4:5,5:6,6:7,7:8,8:9,9:10,10:11,11:12", "11"})
    expect_sound(on_mesh("mesh:3x4", sources, 5));
}

TEST(Multibcast, MovesRealDataOnThreads) {
  for (const char* sources : {"R(7)", "0:5000,3:1,9:0,14:333"}) {
    const Spec spec = on_mesh("mesh:3x5", sources, 100);
    for (const Algorithm& a : algorithms()) {
      if (!is_for_meshes(a)) continue;
      const Built built = build(spec, paragon(), {&a, {}});
      EXPECT_GT(run_threads(spec, *built.schedule).checked, 0) << a.name;
    }
  }
}

TEST(Sources, SitWhereThePaperSays) {
  const auto sites = [](const std::string& text, Rank rows, Rank cols) {
    return places(parse_distribution(text), {rows, cols});
  };
  // Two of ten rows are the first and the sixth, three the first, fourth and seventh.
  EXPECT_EQ(sites("R(20)", 10, 10).at(10), 50);
  EXPECT_EQ(sites("R(30)", 10, 10).back(), 69);
  EXPECT_EQ(sites("R(27)", 10, 10).back(), 66);          // 10, 10 and 7 sources
  EXPECT_EQ(sites("R(27,balanced)", 10, 10).at(9), 30);  // 9, 9 and 9
  EXPECT_EQ(sites("Cr(15)", 8, 8).size(), 15U);          // a row and a column
  EXPECT_EQ(sites("E(every=4)", 3, 3), (std::vector<Rank>{0, 4, 8}));
  EXPECT_EQ(sites("B(2x3@1,2)", 4, 5), (std::vector<Rank>{7, 8, 9, 12, 13, 14}));
  EXPECT_EQ(sites("B(5)", 4, 5), (std::vector<Rank>{0, 1, 2, 5, 6}));
  auto equal = sites("E(20)", 10, 10), columns = sites("C(20)", 10, 10);
  std::sort(columns.begin(), columns.end());
  EXPECT_EQ(equal, columns);
  for (const std::string s : {"(10)", "(30)", "(70)"})  // diagonals put as many sources in every row and column
    for (const std::string name : {"DR", "DL"}) {
      const algorithm::multibcast::Crowding most =
          algorithm::multibcast::crowding(algorithm::pattern::whole({10, 10}), sites(name + s, 10, 10));
      EXPECT_EQ(most.row, most.column);
    }
}

TEST(Sources, AreDifferentRanksOfTheMesh) {
  for (Rank rows = 1; rows <= 8; ++rows)
    for (Rank cols = 1; cols <= 8; ++cols)
      for (const std::string& name : patterns)
        for (Slot s = 1; s <= rows * cols; ++s) {
          const std::string text = name + "(" + std::to_string(s) + ")";
          const std::vector<Rank> list = places(parse_distribution(text), {rows, cols});
          const std::set<Rank> ranks(list.begin(), list.end());
          ASSERT_EQ(list.size(), static_cast<std::size_t>(s)) << text << " on " << rows << "x" << cols;
          ASSERT_EQ(ranks.size(), list.size()) << text << " on " << rows << "x" << cols;
          ASSERT_TRUE(*ranks.begin() >= 0 && *ranks.rbegin() < rows * cols) << text;
        }
}

TEST(Sources, ParseBack) {
  for (const char* text : {"R(30)", "R(27,balanced)", "C(5)", "C(5,balanced)", "DR(1)", "DL(9)", "E(20)", "E(every=7)",
                           "Cr(15)", "B(9)", "B(3x4)", "B(3x4@1,2)", "B(9@0,2)"}) {
    EXPECT_EQ(to_text(parse_distribution(text)), text);
    EXPECT_EQ(parse_distribution(to_text(parse_distribution(text))), parse_distribution(text));
  }
  const TopologyPtr mesh = parse_topology("mesh:5x5");
  EXPECT_EQ(to_text(*parse_sources("17,0,3", *mesh, 9), 9), "0,3,17");
  EXPECT_EQ(to_text(*parse_sources("5:2KiB,0:100,6", *mesh, 9), 9), "0:100,5:2048,6");
}

TEST(Sources, RefuseWhatMakesNoSense) {
  const TopologyPtr mesh = parse_topology("mesh:3x4");
  const auto refused = [&](const std::string& text, const std::string& part) {
    try {
      parse_sources(text, *mesh, 8);
      ADD_FAILURE() << text << " passed";
    } catch (const Error& e) {
      EXPECT_EQ(e.kind(), Error::Kind::argument) << text;
      EXPECT_NE(std::string(e.what()).find(part), std::string::npos) << e.what();
      EXPECT_EQ(std::string(e.what()).find('\n'), std::string::npos);
    }
  };
  refused("", "expected ranks such as");
  refused("12", "from 0 to 11");
  refused("-1", "expected ranks such as");
  refused("3,3", "named twice");
  refused("1:x", "bytes of source 1");
  refused("R(13)", "there are 12 ranks");
  refused("R(0)", "from 1 to");
  refused("R()", "from 1 to");
  refused("R(5", "expected ranks such as");
  refused("Q(5)", "expected ranks such as");
  refused("DR(5,balanced)", "expected ranks such as");
  refused("B(4x4)", "do not fit");
  refused("B(2x2@2,3)", "do not fit");
  refused("E(every=0)", "from 1 to");
}

TEST(Multibcast, PlacementsSpreadAsFastAsAnyPlacementCan) {
  // Holders after every round, for every set of i of n positions.
  const auto holders = [](Rank n, std::vector<bool> has) {
    std::vector<Rank> counts;
    for (int level = 0; level < algorithm::pattern::line_rounds(n); ++level) {
      const std::vector<bool> before = has;
      for (Rank x = 0; x < n; ++x) {
        const algorithm::pattern::Talk talk =
            algorithm::pattern::line_talk(n, level, x, algorithm::pattern::Odd::neighbour);
        for (const Rank from : {talk.partner, talk.only_from})
          if (from >= 0 && before[static_cast<std::size_t>(from)]) has[static_cast<std::size_t>(x)] = true;
      }
      counts.push_back(std::count(has.begin(), has.end(), true));
    }
    return counts;
  };
  for (Rank n = 2; n <= 11; ++n)
    for (Slot i = 1; i <= n; ++i) {
      std::vector<bool> ideal(static_cast<std::size_t>(n));
      for (const Rank x : algorithm::pattern::ideal_positions(n, i)) ideal[static_cast<std::size_t>(x)] = true;
      const std::vector<Rank> best = holders(n, ideal);
      for (unsigned set = 0; set < 1U << n; ++set) {
        if (__builtin_popcount(set) != i) continue;
        std::vector<bool> has(static_cast<std::size_t>(n));
        for (Rank x = 0; x < n; ++x) has[static_cast<std::size_t>(x)] = set >> x & 1;
        ASSERT_LE(holders(n, has), best) << n << " positions, " << i << " sources";
      }
    }
}

TEST(Multibcast, RowMajorLineIsColumnsFirstWhenTheRowsAreAPowerOfTwo) {
  for (const std::string mesh : {"mesh:4x5", "mesh:8x3", "mesh:2x7"})
    for (const std::string& name : patterns) {
      const Spec spec = on_mesh(mesh, name + "(6)");
      const algorithm::pattern::Phases xy = algorithm::multibcast::rows_and_columns(
          algorithm::pattern::whole(rectangle_of(*spec.topology)), algorithm::multibcast::First::columns);
      const algorithm::pattern::Merging columns_first(algorithm::multibcast::merge_plan(spec, xy));
      const Built line = build(spec, paragon(), parse_choice("multibcast_lin:row_major=1:odd_last=0"));
      ASSERT_EQ(columns_first.shape().rounds, line.schedule->shape().rounds);
      Collected a, b;
      for (Round t = 0; t < columns_first.shape().rounds; ++t)
        for (Rank r = 0; r < spec.ranks(); ++r)
          ASSERT_EQ(a.all(columns_first, t, r), b.all(*line.schedule, t, r)) << mesh << " round " << t << " rank " << r;
    }
}

TEST(Multibcast, PlannerKnowsWhenMovingTheSourcesPays) {
  const auto best = [](const std::string& sources) {
    return std::string(plan(on_mesh("mesh:8x8", sources, 2048), paragon()).best().algorithm->name);
  };
  EXPECT_TRUE(best("Cr(15)").starts_with("multibcast_repos")) << best("Cr(15)");
  EXPECT_FALSE(best("E(8)").starts_with("multibcast_repos")) << best("E(8)");
}

TEST(Wormhole, WorkedByHand) {
  Machine unit = paragon();
  unit.alpha = 10, unit.beta = 1;
  const auto makespan = [&](const std::string& mesh, const std::string& sources, const std::string& algorithm) {
    const Spec spec = on_mesh(mesh, sources, 5);
    return simulate(spec, unit, *build(spec, unit, parse_choice(algorithm)).schedule, {.network = Network::wormhole})
        .makespan;
  };
  const std::string line = "multibcast_lin:row_major=0:odd_last=0";
  EXPECT_EQ(makespan("mesh:1x2", "0", line), 15);    // one message: 10 + 5
  EXPECT_EQ(makespan("mesh:1x2", "0,1", line), 25);  // a send and a receive each: 20, then both at once
  EXPECT_EQ(makespan("mesh:1x4", "0", line), 30);    // 0->2, then 0->1 and 2->3
  EXPECT_EQ(makespan("mesh:1x4", "0,1", line), 45);  // 0->2 and 1->3 share a link: to 20; then 20 + 5
  // Both reach rank 0 over one port: software 20, then 5 and 5, then the line with 10 bytes from rank 0.
  EXPECT_EQ(makespan("mesh:1x3", "1,2", "multibcast_twostep:row_major=0:odd_last=0"), 20 + 5 + 5 + 20 + 20);
}

TEST(Wormhole, NeverFasterThanALoneMessageNorThanItsRounds) {
  const Machine machine = paragon();
  for (const std::string& name : patterns)
    for (const Algorithm& a : algorithms()) {
      if (!is_for_meshes(a)) continue;
      const Spec spec = on_mesh("mesh:5x6", name + "(11)", 1000);
      const Built built = build(spec, machine, {&a, {}});
      const Timeline run = simulate(spec, machine, *built.schedule, {.network = Network::wormhole});
      EXPECT_EQ(run.messages, count(spec, machine, *built.schedule).messages);
      EXPECT_GE(run.makespan, machine.alpha * 5 + machine.beta * 10000);  // log2 30 rounds, ten blocks through a port
    }
}

}  // namespace
}  // namespace quadrille::multibcast_test
