// What must hold for every algorithm in the registry, on every machine and size it is legal for: a new algorithm is
// covered by being there.
#include <gtest/gtest.h>

#include <set>

#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "sound.hpp"

namespace quadrille {
namespace {

using testing::command;
using testing::request;

std::vector<std::string> small_topologies() {
  std::vector<std::string> all;
  for (int d = 1; d <= 5; ++d) all.push_back("hypercube:" + std::to_string(d));
  for (const int p : {2, 3, 4, 5, 7, 8, 12, 13}) {
    all.push_back("ring:" + std::to_string(p));
    all.push_back("crossbar:" + std::to_string(p));
  }
  for (const char* other : {"mesh:5", "mesh:3x4", "torus:3x4", "torus:3x3", "torus:4x4", "torus:2x2x2", "bifly:2^2"})
    all.emplace_back(other);
  for (const int p : {2, 3, 4, 7, 9}) {
    all.push_back("bus:" + std::to_string(p));
    all.push_back("memory:" + std::to_string(p));
  }
  for (int n = 1; n <= 4; ++n) all.push_back("omega:" + std::to_string(n));
  return all;
}

/// A few parameters of each algorithm: the planner's, thinned.
std::vector<Params> some_variants(const Algorithm& a, const Spec& spec, const Machine& machine) {
  std::vector<Params> all = a.variants(spec, machine);
  if (all.size() > 6) {
    std::vector<Params> thin;
    for (std::size_t i = 0; i < 6; ++i) thin.push_back(all[i * (all.size() - 1) / 5]);
    return thin;
  }
  return all;
}

void check_case(const Spec& spec, const Machine& machine, const Algorithm& a, const Params& params) {
  SCOPED_TRACE(command(spec, machine, a, params));
  const Built built = build(spec, machine, {&a, params});
  const Proof proof = verify(spec, machine, *built.schedule, built.claims, {.use_symmetry = false});
  ASSERT_TRUE(proof.holds) << to_string(proof.counterexample->kind) << " round " << proof.counterexample->round << ": "
                           << proof.counterexample->text;
  const Traffic traffic = count(spec, machine, *built.schedule);
  if (built.claims.exact) {
    EXPECT_EQ(traffic.cost.startups, built.formula.startups);
    EXPECT_EQ(traffic.cost.hops, built.formula.hops);
    EXPECT_EQ(traffic.cost.bytes, built.formula.bytes);
    EXPECT_EQ(traffic.cost.permuted, built.formula.permuted);
    EXPECT_EQ(traffic.cost.barriers, built.formula.barriers);
    EXPECT_EQ(traffic.cost.packed, built.formula.packed);
  }
  const Seconds time = seconds(traffic.cost, machine, *spec.topology);
  EXPECT_GE(time * (1 + 1e-12), lower_bound(spec, machine).time);
  if (built.schedule->symmetry().group == Group::none) return;
  EXPECT_FALSE(check_symmetry(spec, *built.schedule).has_value());
  EXPECT_EQ(count(spec, machine, testing::Plain(built.schedule)).cost, traffic.cost);
  const Proof quick = verify(spec, machine, *built.schedule, built.claims);
  EXPECT_TRUE(quick.holds) << quick.counterexample->text;
  EXPECT_TRUE(quick.by_symmetry);
  EXPECT_EQ(quick.messages, proof.messages);
  EXPECT_EQ(quick.deliveries, proof.deliveries);
  EXPECT_EQ(quick.link_messages, proof.link_messages);
}

class EveryAlgorithm : public ::testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryAlgorithm, IsProvenAndPricedExactlyWhereverItIsLegal) {
  const Algorithm& a = *GetParam();
  std::set<std::string> legal_families;
  for (const std::string& topology : small_topologies()) {
    if (!testing::can_request(a.collective, topology)) continue;
    const TopologyPtr t = parse_topology(topology);
    for (const Machine& machine : testing::machines_on(*t)) {
      const Rank p = t->ranks();
      for (const Bytes bytes : {Bytes{0}, Bytes{1}, p - 1, p, Bytes{97}})
        for (const Rank root : std::set<Rank>{0, p / 3, p - 1}) {
          if (!has_root(a.collective) && root != 0) continue;
          const Spec spec = request(a.collective, topology, bytes, root);
          if (!a.illegal(spec, machine, {}).empty()) continue;
          legal_families.insert(std::string(t->family()));
          for (const Params& params : some_variants(a, spec, machine)) {
            ASSERT_EQ(a.illegal(spec, machine, params), "") << command(spec, machine, a, params);
            check_case(spec, machine, a, params);
            if (HasFatalFailure()) return;
          }
        }
    }
  }
  EXPECT_FALSE(legal_families.empty()) << "never legal";
}

TEST_P(EveryAlgorithm, SaysWhatItIs) {
  const Algorithm& a = *GetParam();
  EXPECT_TRUE(a.name.starts_with(to_string(a.collective)));
  EXPECT_FALSE(a.summary.empty());
  EXPECT_FALSE(a.source.empty());
  EXPECT_EQ(&find_algorithm(a.name), &a);
  for (const Parameter& p : a.parameters) EXPECT_FALSE(p.meaning.empty());
}

TEST_P(EveryAlgorithm, HasATextThatParsesBack) {
  const Algorithm& a = *GetParam();
  for (const Machine& machine : testing::test_machines())
    for (const std::string topology :
         {"hypercube:4", "ring:8", "crossbar:16", "torus:4x4", "mesh:3x5", "bus:9", "memory:9"}) {
      if (!testing::can_request(a.collective, topology)) continue;
      const Spec spec = request(a.collective, topology, 1000);
      if (!a.illegal(spec, machine, {}).empty()) continue;
      for (const Params& params : a.variants(spec, machine)) {
        const Choice back = parse_choice(to_text(a, params));
        EXPECT_EQ(back.algorithm, &a);
        EXPECT_EQ(back.params, params);
      }
    }
}

std::vector<const Algorithm*> all() {
  std::vector<const Algorithm*> list;
  for (const Algorithm& a : algorithms()) list.push_back(&a);
  return list;
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryAlgorithm, ::testing::ValuesIn(all()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace quadrille
