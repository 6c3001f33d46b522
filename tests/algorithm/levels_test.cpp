// Algorithms inside nodes together with algorithms between them: every form over nodes of many sizes, every algorithm
// that can be a level, and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::levels_test {
namespace {

constexpr Collective with_levels[] = {Collective::bcast,     Collective::allgather,      Collective::scatter,
                                      Collective::gather,    Collective::alltoall,       Collective::reduce,
                                      Collective::allreduce, Collective::reduce_scatter, Collective::scan,
                                      Collective::exscan,    Collective::barrier};

const Algorithm& levels_of(Collective c) { return find_algorithm(fmt::format("{}_levels", to_string(c))); }

Machine machine(Ports ports = Ports::one, Duplex duplex = Duplex::full) {
  return testing::test_machine(ports, duplex, Switching::wormhole);
}

void expect_right(const Spec& spec, const Machine& m, const Algorithm& a, const Params& params) {
  const std::string what = fmt::format("{} {} {} bytes, element {}, root {}", to_text(a, params), spec.topology->text(),
                                       spec.bytes, spec.element, spec.root);
  SCOPED_TRACE(what);
  if (!testing::sampled(what)) return;
  const Built built = build(spec, m, {&a, params});
  const Proof proof = verify(spec, m, *built.schedule, built.claims, {.use_symmetry = false});
  EXPECT_TRUE(proof.holds) << proof.counterexample->text;
  EXPECT_EQ(count(spec, m, *built.schedule).cost, built.formula);
}

class Levels : public ::testing::TestWithParam<Collective> {};

/// Bytes: fewer than ranks, odd ones, and such as divide evenly. Elements of 4 bytes are not cut.
TEST_P(Levels, AreRightOnNodesOfEverySize) {
  const Algorithm& a = levels_of(GetParam());
  for (const char* network : {"star:2*2", "star:3*2", "star:2*3", "ring:5*3", "torus:2x2*4/2", "star:4*8"}) {
    Spec spec{.collective = a.collective, .topology = parse_topology(network)};
    const Rank roots = has_root(a.collective) ? spec.ranks() : 1;
    for (const Bytes elements : {1, 5, 97, 480})
      for (spec.root = 0; spec.root<roots; spec.root += spec.ranks()> 12 ? 7 : 1)
        for (const Bytes element : {1, 4}) {
          spec.element = combines(spec) ? element : 1;
          spec.bytes = elements * spec.element;
          const Spec asked = checked(spec);
          ASSERT_EQ(a.illegal(asked, machine(), {}), "");
          for (const Params& params : a.variants(asked, machine())) expect_right(asked, machine(), a, params);
        }
  }
}

TEST_P(Levels, AreRightWithAllPortsAndOnHalfDuplexLinks) {
  const Algorithm& a = levels_of(GetParam());
  int legal = 0;
  for (const Machine& m : {machine(Ports::all), machine(Ports::all, Duplex::half), machine(Ports::one, Duplex::half)})
    for (const char* network : {"star:3*2", "star:4*4"}) {
      const Spec spec = testing::request(a.collective, network, 97, has_root(a.collective) ? 3 : 0);
      if (!a.illegal(spec, m, {}).empty()) continue;  // nobody exchanges in one round, on one half-duplex port
      ++legal;
      for (const Params& params : a.variants(spec, m)) expect_right(spec, m, a, params);
    }
  EXPECT_GE(legal, 4);
}

TEST_P(Levels, TakeEveryAlgorithmThatRunsOnACrossbar) {
  const Algorithm& a = levels_of(GetParam());
  std::set<std::string_view> tried;
  for (const char* network : {"star:4*4", "star:3*5"}) {
    const Spec spec = testing::request(a.collective, network, 97, has_root(a.collective) ? 6 : 0);
    for (const Algorithm& level : algorithms())
      for (const Parameter& p : a.parameters) {
        if (!p.is_choice) continue;
        Params params;
        params.set_choice(std::string(p.name), std::string(level.name));
        if (!a.illegal(spec, machine(Ports::all), params).empty()) continue;
        expect_right(spec, machine(Ports::all), a, params);
        tried.insert(level.name);
      }
  }
  EXPECT_GE(tried.size(), 4U);
}

/// Operators whose operands keep their order, with levels that keep it.
TEST_P(Levels, KeepTheOrderOfRanks) {
  const Algorithm& a = levels_of(GetParam());
  if (a.collective == Collective::barrier) return;  // its operator has no order to keep
  for (const char* network : {"star:3*2", "star:2*3", "ring:5*3", "star:4*4"}) {
    Spec spec{.collective = a.collective, .topology = parse_topology(network), .operands = Operands::ordered};
    if (!combines(spec)) return;
    spec.root = has_root(a.collective) ? spec.ranks() - 2 : 0;
    for (const Bytes elements : {1, 7, 97}) {
      spec.element = 4, spec.bytes = 4 * elements;
      int legal = 0;
      for (const Params& params : a.variants(spec, machine())) {
        if (!unfit(spec, a.claims(spec, machine(), params)).empty()) continue;
        ++legal;
        expect_right(spec, machine(), a, params);
      }
      EXPECT_GE(legal, 1) << network << ' ' << spec.bytes;
    }
  }
}

/// Groups of every size that makes several, on networks with nodes, with groups, and with neither.
TEST_P(Levels, AreRightInGroupsOfAnySize) {
  const Algorithm& a = levels_of(GetParam());
  for (const char* network :
       {"crossbar:12", "dragonfly:2,2,1", "dgx-h100:2", "xgft:2;2,3;1,2", "star:4*3", "fattree:4"}) {
    Spec spec = testing::request(a.collective, network, 52, has_root(a.collective) ? 5 : 0);
    spec.element = combines(spec) && a.collective != Collective::barrier ? 4 : 1;
    for (Rank size = 2; size < spec.ranks(); ++size) {
      Params params;
      params.set("group", {size});
      const std::string reason = a.illegal(spec, machine(), params);
      ASSERT_EQ(reason.empty(), spec.ranks() % size == 0) << network << ' ' << size << ' ' << reason;
      if (reason.empty()) expect_right(spec, machine(), a, params);
    }
    if (network == std::string_view("crossbar:12")) continue;
    for (const Params& params : a.variants(spec, machine())) expect_right(spec, machine(), a, params);
  }
}

/// Three levels: the one between nodes is among the nodes of larger groups, and between these.
TEST_P(Levels, AreLevelsOfLevels) {
  const Algorithm& a = levels_of(GetParam());
  for (const char* network : {"star:4*3", "fattree:4*2", "dragonfly:2,2,1", "crossbar:12"}) {
    const Spec spec = testing::request(a.collective, network, 60, has_root(a.collective) ? 7 : 0);
    Params params;
    params.set("group", {2});
    for (const char* outer : {"allreduce", "bcast", "reduce", "allgather", "reduce_scatter", "alltoall", "scatter",
                              "gather", "exscan", "barrier"})
      for (const Rank inner : {2, 3, 4}) {
        params.set_choice("outer", fmt::format("{}_levels:group={}", outer, inner));
        if (!a.illegal(spec, machine(), params).empty()) continue;
        EXPECT_EQ(spec.ranks() / 2 % inner, 0);
        expect_right(spec, machine(), a, params);
      }
  }
}

/// Every number of pieces up to what the level between nodes cuts, with levels inside of several rounds, and with
/// vectors whose parts are uneven, or empty.
TEST_P(Levels, WorkOnPieces) {
  const Algorithm& a = levels_of(GetParam());
  const bool has_pieces =
      std::any_of(a.parameters.begin(), a.parameters.end(), [](const Parameter& p) { return p.name == "pieces"; });
  int tried = 0;
  for (const char* network : {"star:3*2", "star:5*3", "star:4*4", "dragonfly:2,2,1"})
    for (const Bytes elements : {3, 26, 97, 480}) {
      if (!has_pieces) continue;
      Spec spec = testing::request(a.collective, network, elements * 4, 0);
      spec.element = combines(spec) ? 4 : 1;
      spec.root = has_root(a.collective) ? spec.ranks() - 2 : 0;
      for (const Params& variant : a.variants(spec, machine()))
        for (std::int64_t pieces = 2; pieces < 12; ++pieces) {
          Params params = variant;
          params.set("pieces", {pieces});
          if (!a.illegal(spec, machine(), params).empty()) continue;
          ++tried;
          expect_right(spec, machine(), a, params);
        }
    }
  EXPECT_EQ(tried > 20, has_pieces) << tried;
}

/// Blocks of nobody are as long as others'.
TEST(LevelsText, TakeBlocksOfDifferentLengths) {
  Spec spec{.collective = Collective::reduce_scatter, .topology = parse_topology("star:3*2"), .element = 4};
  spec.offsets = std::make_shared<const std::vector<Bytes>>(std::vector<Bytes>{0, 8, 8, 20, 24, 64, 68});
  spec = checked(spec);
  const Algorithm& a = levels_of(spec.collective);
  for (const Params& params : a.variants(spec, machine())) expect_right(spec, machine(), a, params);
}

TEST(LevelsText, AreNamedInParentheses) {
  const std::string text = "bcast_levels:inner=(bcast_chain:packets=4):outer=(bcast_levels:outer=(bcast_binomial))";
  const Choice choice = parse_choice(text);
  EXPECT_EQ(choice.params.choice("inner"), "bcast_chain:packets=4");
  EXPECT_EQ(to_text(*choice.algorithm, choice.params), text);
  EXPECT_EQ(parse_choice("bcast_levels:outer=(bcast_binomial):inner=(bcast_chain)").params,
            parse_choice("bcast_levels:inner=(bcast_chain):outer=(bcast_binomial)").params);
  for (const char* wrong : {"bcast_levels:inner=bcast_chain", "bcast_levels:inner=(bcast_chain",
                            "bcast_levels:inner=()", "bcast_levels:inner=(bcast_chain))", "bcast_levels:inner",
                            "bcast_levels:within=(bcast_lin)", "bcast_levels:inner=(bcast_chain):inner=(bcast_lin)"})
    EXPECT_THROW(parse_choice(wrong), Error) << wrong;
  std::string deep = "bcast_binomial";
  for (int i = 0; i < 100; ++i) deep = "bcast_levels:inner=(" + deep + ")";
  EXPECT_THROW(parse_choice(deep), Error);
}

TEST(LevelsText, SayWhatTheyNeed) {
  const Algorithm& a = levels_of(Collective::bcast);
  const auto reason = [&](const char* network, const char* choice) {
    return a.illegal(testing::request(a.collective, network, 64), machine(), parse_choice(choice).params);
  };
  EXPECT_EQ(reason("star:4*2", "bcast_levels"), "");
  EXPECT_NE(reason("crossbar:8", "bcast_levels").find("nearest: star:4*2"), std::string::npos);
  EXPECT_NE(reason("crossbar:8", "bcast_levels:group=3").find("group=3"), std::string::npos);
  EXPECT_NE(reason("torus:2x2", "bcast_levels:group=2"), "");
  EXPECT_NE(reason("star:4*2", "bcast_levels:pieces=3:outer=(bcast_binomial)").find("pieces=1"), std::string::npos);
  EXPECT_NE(reason("star:8*1", "bcast_levels"), "");
  EXPECT_NE(reason("star:1*8", "bcast_levels"), "");
  EXPECT_NE(
      reason("star:4*2", "bcast_levels:inner=(allgather_daisy):outer=(allgather_daisy)").find("outer=(bcast_...)"),
      std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Collectives, Levels, ::testing::ValuesIn(with_levels),
                         [](const auto& test) { return std::string(to_string(test.param)); });

/// Without start-ups a broadcast goes in packets of a byte, and reversed on 16 ranks it would have too many.
TEST(LevelsOfReductions, WhatIsTooLargeToBuildIsNoChoice) {
  Machine m = machine(Ports::all);
  m.alpha = m.per_hop = m.overhead_send = m.overhead_receive = 0;
  const Spec spec = testing::request(Collective::allreduce, "star:2*16", 16 << 20);
  EXPECT_FALSE(levels_of(Collective::allreduce).variants(spec, m).empty());
}

// At a node of an odd number of them, the results of one piece come back in the round in which others are combined: the
// messages of that round are taken in the order in which sums need them.
TEST(Levels, CombinesInOrderWhereAnotherPieceIsShared) {
  for (const char* const network : {"star:3*3", "star:5*3", "star:3*5"})
    for (const std::int64_t packets : {2, 3, 4}) {
      const Choice choice =
          parse_choice(fmt::format("allreduce_levels:pieces={}:before=(reduce_scatter_linear):inner=(allgather_linear):"
                                   "outer=(allreduce_double_tree:packets={})",
                                   2 * packets, packets));
      expect_right(testing::request(Collective::allreduce, network, 12000), machine(Ports::all), *choice.algorithm,
                   choice.params);
    }
}

}  // namespace
}  // namespace quadrille::levels_test
