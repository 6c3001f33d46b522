// Reductions to a root and prefixes: every algorithm wherever it is legal, for all roots, lengths that nothing divides
// and elements of several bytes.
#include <gtest/gtest.h>

#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::reductions_reduce_test {
namespace {

std::vector<std::string> networks() {
  std::vector<std::string> all;
  for (const std::string family : {"ring:", "crossbar:", "bus:", "memory:", "mesh:"})
    for (const int p : {2, 3, 4, 5, 6, 7, 8, 9, 11, 13, 16}) all.push_back(family + std::to_string(p));
  for (const char* other :
       {"hypercube:1", "hypercube:2", "hypercube:3", "hypercube:4", "omega:1",   "omega:2",   "omega:3",
        "mesh:2x2",    "mesh:3x4",    "mesh:4x3",    "mesh:5x2",    "torus:2x3", "torus:3x3", "torus:4x5",
        "torus:2x2x2", "torus:3x2x2", "fly:2^2",     "bifly:2^2",   "star:3*2",  "star:2*4"})
    all.emplace_back(other);
  return all;
}

std::vector<Machine> machines(const Topology& topology) {
  std::vector<Machine> all;
  for (const Duplex duplex : {Duplex::full, Duplex::half, Duplex::node_half})
    for (const Ports ports : {Ports::one, Ports::all})
      for (const std::int64_t shared : {1, 2, 3}) {
        if (shared > 1 && !topology.shared_medium()) continue;
        all.push_back(testing::test_machine(ports, duplex, Switching::store_and_forward));
        all.back().gamma = 13, all.back().shared = shared;
      }
  return all;
}

std::vector<Params> choices(const Algorithm& a, const Spec& spec, const Machine& machine) {
  std::vector<Params> all = a.variants(spec, machine);
  for (const Parameter& p : a.parameters)
    if (p.name == "packets" && !p.is_list)
      for (const std::int64_t packets : {1, 2, 3, 5}) {
        const Params params{{"packets", {packets}}};
        if (a.illegal(spec, machine, params).empty()) all.push_back(params);
      }
  return all;
}

void expect_priced(const Spec& spec, const Machine& machine, const Built& built) {
  const Cost counted = count(spec, machine, *built.schedule).cost;
  if (!built.claims.exact) return;
  EXPECT_EQ(counted, built.formula) << counted.startups << ' ' << built.formula.startups << "; hops " << counted.hops
                                    << ' ' << built.formula.hops << "; bytes " << counted.bytes << ' '
                                    << built.formula.bytes << "; packed " << counted.packed << ' '
                                    << built.formula.packed << "; combined " << counted.combined << ' '
                                    << built.formula.combined << "; further " << counted.further << ' '
                                    << built.formula.further;
}

/// What is known of an algorithm after all that was tried.
struct Tried {
  std::set<std::string> families;
  int proven = 0, exact = 0, in_order = 0;
};

void try_one(const Algorithm& a, const Spec& spec, const Machine& machine, Tried& tried) {
  const std::string of_element = " --element " + std::to_string(spec.element);
  if (!testing::sampled(testing::command(spec, machine, a, {}) + of_element)) return;
  if (!a.illegal(spec, machine, {}).empty()) return;
  tried.families.insert(std::string(spec.topology->family()));
  for (const Params& params : choices(a, spec, machine)) {
    SCOPED_TRACE(testing::command(spec, machine, a, params) + of_element);
    Spec asked = spec;
    const Built built = build(asked, machine, {&a, params});
    asked.operands = built.claims.in_order ? Operands::ordered : Operands::commutative;
    const Proof proof =
        verify(asked, testing::in_turns(machine), *built.schedule, built.claims, {.use_symmetry = false});
    ASSERT_TRUE(proof.holds) << proof.counterexample->round << ": " << proof.counterexample->text;
    EXPECT_TRUE(proof.in_order.value_or(false) || !built.claims.in_order);
    ++tried.proven, tried.exact += built.claims.exact, tried.in_order += built.claims.in_order;
    expect_priced(spec, machine, built);
    if (::testing::Test::HasFailure()) return;
  }
}

class EveryReduction : public ::testing::TestWithParam<const Algorithm*> {};

TEST_P(EveryReduction, IsProvenAndPricedForAllRootsAndLengths) {
  const Algorithm& a = *GetParam();
  Tried tried;
  for (const std::string& network : networks()) {
    const TopologyPtr topology = parse_topology(network);
    const Rank p = topology->ranks();
    const std::set<Rank> roots = has_root(a.collective) ? std::set<Rank>{0, 1, p / 2, p - 1} : std::set<Rank>{0};
    for (const Machine& machine : machines(*topology))
      for (const Rank root : roots)
        for (const auto& [elements, element] :
             std::vector<std::pair<Bytes, Bytes>>{{0, 1}, {1, 4}, {p - 1, 1}, {4 * p, 3}, {6 * p + 1, 8}}) {
          Spec spec{.collective = a.collective, .topology = topology, .bytes = elements * element, .root = root};
          spec.element = element;
          try_one(a, checked(spec), machine, tried);
          if (HasFailure()) return;
        }
  }
  EXPECT_GT(tried.proven, testing::sanitized ? 5 : 100);
  const bool exact_somewhere = a.name != "reduce_adst" && a.name != "reduce_two_edst" && a.name != "reduce_lin";
  EXPECT_TRUE(testing::sanitized || (tried.exact > 0) == exact_somewhere);  // a sample may have none
  RecordProperty("in_order", tried.in_order);
}

std::vector<const Algorithm*> all() {
  std::vector<const Algorithm*> list;
  for (const Algorithm& a : algorithms())
    if (a.collective == Collective::reduce || a.collective == Collective::scan || a.collective == Collective::exscan)
      list.push_back(&a);
  return list;
}
INSTANTIATE_TEST_SUITE_P(Registry, EveryReduction, ::testing::ValuesIn(all()),
                         [](const auto& test) { return std::string(test.param->name); });

}  // namespace
}  // namespace quadrille::reductions_reduce_test
