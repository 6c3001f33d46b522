// Bits of sums that are rounded: the same at all ranks where the proof says so; and where a question asks for the
// canonical expression, the same by any algorithm, from any root, on any network.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "executed.hpp"
#include "quadrille/plan.hpp"
#include "quadrille/verify.hpp"

namespace quadrille::bits_of_sums_test {
namespace {

using namespace testing;

constexpr Bytes elements = 24;

/// The canonical expression, by hand: the first half of the ranks and the others, the first one more if they are odd.
double canonical_sum(Rank first, Rank end, Bytes i) {
  if (end - first == 1) return uneven_number(first, i);
  const Rank middle = (first + end + 1) / 2;
  return canonical_sum(first, middle, i) + canonical_sum(middle, end, i);
}

Spec canonical(Collective collective, const std::string& network, Rank root = 0) {
  const Rank p = parse_topology(network)->ranks();
  const bool blocks = collective == Collective::reduce_scatter;
  return checked({.collective = collective,
                  .topology = parse_topology(network),
                  .bytes = 8 * (blocks ? elements / p : elements),
                  .root = root,
                  .element = 8,
                  .canonical = true});
}

/// Runs a sum on threads and compares all results, bit by bit.
void expect_canonical_bits(const Spec& spec, const Built& built) {
  const auto fill = [&](Rank r, const program::Program&, const program::Bases& bases) {
    for (Bytes i = 0; i < vector_bytes(spec) / 8; ++i) reinterpret_cast<double*>(bases[0])[i] = uneven_number(r, i);
  };
  const auto look = [&](Rank r, const program::Program& p, const program::Bases& bases) {
    const Bytes before = buffer_start(spec, Buffer::out, r) / 8;
    for (Bytes i = 0; i < p.size[1] / 8; ++i) {
      const double right = canonical_sum(0, spec.ranks(), before + i);
      EXPECT_EQ(std::memcmp(&right, bases[1] + 8 * i, 8), 0) << "rank " << r << ", element " << i;
    }
  };
  Bench{spec, *built.schedule, {operators::Operation::sum, operators::Number::float64}}.run(fill, look);
}

TEST(RunReductions, RoundedSumsHaveTheSameBitsAtAllRanksWhereTheProofSaysSo) {
  std::set<std::string_view> strictly;
  for (const Algorithm& a : algorithms())
    for (const char* network : {"ring:5", "hypercube:3", "torus:3x3", "crossbar:6"}) {
      if (a.collective != Collective::allreduce) continue;
      const Spec spec = reduction(a.collective, network, 8 * 61, Operands::commutative, 8);
      const Machine machine = test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
      if (!a.illegal(spec, machine, {}).empty()) continue;
      const Built built = build(spec, machine, {&a, {}});
      const Proof proof = verify(spec, machine, *built.schedule, built.claims);
      ASSERT_TRUE(proof.holds) << a.name;
      if (proof.identical != Identical::strictly) continue;
      strictly.insert(a.name);
      std::vector<std::vector<double>> results(static_cast<std::size_t>(spec.ranks()), std::vector<double>(61));
      const auto fill = [&](Rank r, const program::Program&, const program::Bases& bases) {
        auto* const in = reinterpret_cast<double*>(bases[0]);
        for (Bytes i = 0; i < 61; ++i) in[i] = uneven_number(r, i);
      };
      const auto look = [&](Rank r, const program::Program& p, const program::Bases& bases) {
        std::memcpy(results[static_cast<std::size_t>(r)].data(), bases[1], static_cast<std::size_t>(p.size[1]));
      };
      Bench{spec, *built.schedule, {operators::Operation::sum, operators::Number::float64}}.run(fill, look);
      for (const std::vector<double>& result : results)
        EXPECT_EQ(std::memcmp(result.data(), results[0].data(), 8 * 61), 0) << a.name << " on " << network;
      for (Bytes i = 0; i < 61; ++i) {
        long double sum = 0, size = 0;
        for (Rank r = 0; r < spec.ranks(); ++r) sum += uneven_number(r, i), size += std::abs(uneven_number(r, i));
        EXPECT_NEAR(results[0][static_cast<std::size_t>(i)], static_cast<double>(sum),
                    static_cast<double>(size) * 1e-15);
      }
    }
  EXPECT_TRUE(strictly.count("allreduce_ring") > 0 && strictly.count("allreduce_halving") > 0);
}

TEST(CanonicalBits, AreTheSameByAllAlgorithmsThatAPlanHasFromAllRootsOnAllNetworks) {
  std::map<std::string, std::set<std::string_view>> ran;
  std::map<std::pair<Collective, Rank>, std::set<std::uint64_t>> trees;
  const Machine machine = test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  for (const Collective c : {Collective::reduce, Collective::allreduce, Collective::reduce_scatter})
    for (const char* network : {"crossbar:1", "crossbar:5", "crossbar:6", "crossbar:8", "hypercube:3"})
      for (Rank root = 0; root < (c == Collective::reduce ? parse_topology(network)->ranks() : 1); root += 2) {
        if (c == Collective::reduce_scatter && std::string_view(network) == "crossbar:5") continue;
        const Spec spec = canonical(c, network, root);
        for (const Candidate& candidate : plan(spec, machine, {}).candidates) {
          SCOPED_TRACE(command(spec, machine, *candidate.algorithm, candidate.params));
          const Built built = build(spec, machine, {candidate.algorithm, candidate.params});
          const Proof proof = verify(spec, machine, *built.schedule, built.claims);
          ASSERT_TRUE(proof.holds) << proof.counterexample->text;
          EXPECT_EQ(proof.canonical, std::optional(true));
          if (c != Collective::reduce_scatter) trees[{c, spec.ranks()}].insert(proof.tree);
          if (spec.ranks() > 1) expect_canonical_bits(spec, built);  // alone, a rank keeps what it has
          ran[network].insert(candidate.algorithm->name);
        }
      }
  for (const auto& [question, found] : trees) EXPECT_EQ(found.size(), 1u) << question.second;
  using Names = std::set<std::string_view>;
  EXPECT_EQ(ran["crossbar:5"],
            (Names{"allreduce_interval", "allreduce_routed", "allreduce_splits", "reduce_interval", "reduce_routed"}));
  EXPECT_EQ(ran["crossbar:8"],
            (Names{"allreduce_doubling", "allreduce_halving", "allreduce_interval", "allreduce_mixed",
                   "allreduce_routed", "allreduce_splits", "reduce_binomial", "reduce_interval", "reduce_routed",
                   "reduce_scatter_halving", "reduce_scatter_routed", "reduce_scatter_splits"}));
  EXPECT_EQ(ran["hypercube:3"],
            (Names{"allreduce_doubling", "allreduce_halving", "allreduce_mixed", "allreduce_routed", "reduce_binomial",
                   "reduce_routed", "reduce_scatter_halving", "reduce_scatter_routed"}));
}

/// What is right in every other respect but groups otherwise is refused, whatever the algorithm claims.
TEST(CanonicalBits, AreRefusedWhereTheOperationsAreGroupedOtherwise) {
  const Machine machine = test_machine(Ports::all, Duplex::full, Switching::store_and_forward);
  const Spec spec = canonical(Collective::allreduce, "crossbar:8");
  Spec same = spec;
  same.canonical = false;
  for (const char* name : {"allreduce_ring", "allreduce_circulant", "allreduce_double_tree"}) {
    const Built built = build(same, machine, parse_choice(name));
    EXPECT_TRUE(verify(same, machine, *built.schedule, built.claims).holds) << name;
    const Proof proof = verify(spec, machine, *built.schedule, built.claims);
    ASSERT_FALSE(proof.holds) << name;
    EXPECT_EQ(proof.counterexample->kind, Counterexample::Kind::identical) << name;
    expect_mentions(error_of([&] { build(spec, machine, parse_choice(name)); }), Error::Kind::illegal,
                    {name, "canonical expression"});
  }
  Claims bold = build(same, machine, parse_choice("allreduce_ring")).claims;
  bold.canonical = true;
  EXPECT_FALSE(verify(same, machine, *build(same, machine, parse_choice("allreduce_ring")).schedule, bold).holds);
}

TEST(CanonicalBits, AreAWordOfTheQuestion) {
  const Spec spec = parse_spec("allreduce crossbar:8 64KiB element=8 bits=canonical");
  EXPECT_TRUE(spec.canonical && spec.identical);
  EXPECT_EQ(to_text(spec), "allreduce crossbar:8 bytes=65536 element=8 bits=canonical");
  EXPECT_EQ(to_text(parse_spec(to_text(spec))), to_text(spec));
  for (const char* scan : {"scan crossbar:8 bits=canonical", "exscan crossbar:8 bits=canonical"})
    EXPECT_THROW(parse_spec(scan), Error);
  Spec scan{.collective = Collective::scan, .topology = parse_topology("crossbar:8"), .bytes = 8, .canonical = true};
  expect_mentions(error_of([&] { checked(scan); }), Error::Kind::argument, {"canonical", "another result"});
  expect_mentions(error_of([&] { parse_spec("allreduce crossbar:8 bits=some"); }), Error::Kind::argument,
                  {"same, canonical or any"});
}

}  // namespace
}  // namespace quadrille::bits_of_sums_test
