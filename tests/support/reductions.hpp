// What suites of reductions ask of every schedule: proven, its promises kept, and counted as its closed form says.
#pragma once

#include <gtest/gtest.h>

#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"
#include "sampled.hpp"
#include "settings.hpp"

namespace quadrille::testing {

/// Every result is made of each contribution once, in rank order and of the same bits where that is claimed.
inline Proof expect_reduced(Spec spec, const Machine& machine, const Choice& choice) {
  SCOPED_TRACE(command(spec, machine, *choice.algorithm, choice.params) + " of elements of " +
               std::to_string(spec.element));
  const Built built = build(spec, machine, choice);
  if (built.claims.in_order) spec.operands = Operands::ordered;
  Proof proof = verify(spec, in_turns(machine), *built.schedule, built.claims, {.use_symmetry = false});
  EXPECT_TRUE(proof.holds) << proof.counterexample->text;
  if (!proof.holds) return proof;
  if (built.claims.in_order) {
    EXPECT_EQ(proof.in_order, std::optional(true));
  }
  const Cost counted = count(spec, machine, *built.schedule).cost;
  if (built.claims.exact) {
    EXPECT_EQ(counted.startups, built.formula.startups);
    EXPECT_EQ(counted.hops, built.formula.hops);
    EXPECT_EQ(counted.bytes, built.formula.bytes);
    EXPECT_EQ(counted.packed, built.formula.packed);
    EXPECT_EQ(counted.further, built.formula.further);
    EXPECT_EQ(counted.combined, built.formula.combined);
  }
  return proof;
}

/// All variants of an algorithm on all machines where it is legal, for whole and odd numbers of elements; how often it
/// was.
inline int expect_reduced_everywhere(const Algorithm& a, const std::vector<std::string>& networks) {
  int legal = 0;
  for (const std::string& network : networks) {
    const Rank p = parse_topology(network)->ranks();
    for (const auto& [element, elements] :
         {std::pair<Bytes, Bytes>{1, 1}, {1, p - 1}, {4, p}, {4, 12 * p}, {8, 5 * p + 3}, {1, 97}, {3, 0}}) {
      Spec spec{.collective = a.collective, .topology = parse_topology(network), .bytes = element * elements};
      spec.element = element;
      spec = checked(spec);
      for (const Machine& machine : machines_on(*spec.topology)) {
        const std::string of_element = " of " + std::to_string(element);
        if (!sampled(command(spec, machine, a, {}) + of_element) || !a.illegal(spec, machine, {}).empty()) continue;
        for (const Params& params : a.variants(spec, machine)) {
          EXPECT_EQ(a.illegal(spec, machine, params), "") << command(spec, machine, a, params);
          expect_reduced(spec, machine, {&a, params});
          ++legal;
          if (::testing::Test::HasFailure()) return legal;
        }
      }
    }
  }
  return legal;
}

}  // namespace quadrille::testing
