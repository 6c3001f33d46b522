// Algorithms inside nodes together with algorithms between them: every form over nodes of many sizes, every algorithm
// that can be a level, and what is refused.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <set>

#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "settings.hpp"

namespace quadrille::levels_test {
namespace {

constexpr Collective with_levels[] = {Collective::bcast,     Collective::allgather,     Collective::scatter,
                                      Collective::gather,    Collective::alltoall,      Collective::reduce,
                                      Collective::allreduce, Collective::reduce_scatter};

const Algorithm& levels_of(Collective c) { return find_algorithm(fmt::format("{}_levels", to_string(c))); }

Machine machine(Ports ports = Ports::one, Duplex duplex = Duplex::full) {
  return testing::test_machine(ports, duplex, Switching::wormhole);
}

void expect_right(const Spec& spec, const Machine& m, const Algorithm& a, const Params& params) {
  SCOPED_TRACE(fmt::format("{} {} {} bytes, element {}, root {}", to_text(a, params), spec.topology->text(), spec.bytes,
                           spec.element, spec.root));
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
          ASSERT_EQ(a.illegal(spec, machine(), {}), "");
          for (const Params& params : a.variants(spec, machine())) expect_right(spec, machine(), a, params);
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
        Params params;
        params.set_choice(std::string(p.name), std::string(level.name));
        if (!a.illegal(spec, machine(Ports::all), params).empty()) continue;
        expect_right(spec, machine(Ports::all), a, params);
        tried.insert(level.name);
      }
  }
  EXPECT_GE(tried.size(), 4U);
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
  EXPECT_NE(reason("star:8*1", "bcast_levels"), "");
  EXPECT_NE(reason("star:1*8", "bcast_levels"), "");
  EXPECT_NE(
      reason("star:4*2", "bcast_levels:inner=(allgather_daisy):outer=(allgather_daisy)").find("outer=(bcast_...)"),
      std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(Collectives, Levels, ::testing::ValuesIn(with_levels),
                         [](const auto& test) { return std::string(to_string(test.param)); });

}  // namespace
}  // namespace quadrille::levels_test
