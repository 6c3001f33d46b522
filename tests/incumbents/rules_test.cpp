// Rules for the incumbents: the cheapest of their own at every size, in files that they take.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>

#include "incumbents/incumbents.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/verify.hpp"

namespace quadrille::rules_test {
namespace {

using incumbents::Incumbent;
using incumbents::Mpi;
using incumbents::Rules;
using Json = nlohmann::json;

Machine cluster() { return load_machine("cluster"); }

/// Ours stands for theirs only where it does the work on any network of ranks.
TEST(Incumbents, AreSchedulesThatAreProven) {
  for (const Incumbent& one : incumbents::incumbents())
    for (const Rank p : {2, 3, 4, 6, 8}) {
      if (one.power_of_two && (p & (p - 1)) != 0) continue;
      SCOPED_TRACE(fmt::format("{} {} on {} ranks", one.name, one.choice, p));
      const Spec spec = checked(
          {.collective = one.collective, .topology = parse_topology(fmt::format("crossbar:{}", p)), .bytes = 960});
      Machine machine = load_machine("unit");
      machine.ports = Ports::one;
      const Choice choice = parse_choice(one.choice);
      EXPECT_EQ(choice.algorithm->collective, one.collective);
      const Built built = build(spec, machine, choice);
      EXPECT_TRUE(verify(spec, machine, *built.schedule, built.claims).holds);
      EXPECT_TRUE(incumbents::price_of(one, spec, machine).has_value());
    }
}

TEST(Incumbents, TheChosenOneIsTheCheapestAtEverySize) {
  for (const char* network : {"ring:8", "hypercube:3", "fattree:4", "crossbar:6"})
    for (const Mpi mpi : {Mpi::openmpi, Mpi::mpich}) {
      const TopologyPtr topology = parse_topology(network);
      const std::vector<Rules> all = incumbents::best_rules(mpi, topology, cluster(), 1 << 20);
      std::set<Collective> seen;
      for (const Rules& rules : all) {
        EXPECT_TRUE(seen.insert(rules.collective).second);
        EXPECT_EQ(rules.rules.front().from, 0);
        std::size_t at = 0;
        for (Bytes bytes = 8; bytes <= (1 << 20); bytes *= 2) {
          while (at + 1 < rules.rules.size() && rules.rules[at + 1].from <= bytes) ++at;
          const Spec spec = checked({.collective = rules.collective, .topology = topology, .bytes = bytes});
          const Seconds chosen = *incumbents::price_of(*rules.rules[at].use, spec, cluster());
          for (const Incumbent& other : incumbents::incumbents()) {
            if (other.mpi != mpi || other.collective != rules.collective) continue;
            const auto time = incumbents::price_of(other, spec, cluster());
            if (time) {
              EXPECT_LE(chosen, *time) << network << ' ' << other.name << ' ' << bytes;
            }
          }
        }
      }
      // MPICH's allreduces do otherwise than ours where ranks are no power of two.
      EXPECT_EQ(seen.size(), mpi == Mpi::mpich && topology->ranks() == 6 ? 4U : 5U);
    }
}

/// A ring costs its links what a switch does not show: there the choice is another.
TEST(Incumbents, TheNetworkDecides) {
  const Spec spec =
      checked({.collective = Collective::allgather, .topology = parse_topology("ring:16"), .bytes = 65536});
  Spec on_switch = spec;
  on_switch.topology = parse_topology("crossbar:16");
  const auto price = [&](std::string_view name, const Spec& asked) {
    for (const Incumbent& one : incumbents::incumbents())
      if (one.mpi == Mpi::openmpi && one.name == name && one.collective == asked.collective)
        return *incumbents::price_of(one, asked, cluster());
    return Seconds{0};
  };
  const auto ratio = [&](const Spec& asked) { return price("bruck", asked) / price("ring", asked); };
  EXPECT_GT(ratio(spec), 2 * ratio(on_switch));
}

std::vector<Rules> some_rules(Mpi mpi) {
  return incumbents::best_rules(mpi, parse_topology("ring:8"), cluster(), 1 << 22);
}

std::string openmpi_complaint(const std::string& text) {
  try {
    incumbents::check_openmpi_text(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(OpenmpiRules, ANumberTooFewOrTooManyIsFound) {
  const std::string good = incumbents::openmpi_text(some_rules(Mpi::openmpi), "a test");
  ASSERT_EQ(openmpi_complaint(good), "accepted");
  std::vector<std::pair<std::size_t, std::size_t>> numbers;  // where each is, and its length
  bool comment = false;
  for (std::size_t i = 0; i < good.size(); ++i) {
    comment = good[i] == '#' || (comment && good[i] != '\n');
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    if (comment || !digit(good[i])) continue;
    if (i == 0 || !digit(good[i - 1])) numbers.emplace_back(i, 0);
    ++numbers.back().second;
  }
  ASSERT_GT(numbers.size(), 40U);
  for (const auto& [at, length] : numbers) {
    std::string text = good;
    EXPECT_NE(openmpi_complaint(text.erase(at, length)), "accepted") << "without the number at " << at;
    text = good;
    EXPECT_NE(openmpi_complaint(text.insert(at, "99 ")), "accepted") << "with one more at " << at;
  }
  EXPECT_EQ(openmpi_complaint("1\n3 1\n8 1\n0 9 0 0\n").substr(0, 59),
            "rules file, line 4: algorithm of alltoall '9': expected a w");
}

/// Open MPI compares a block times the ranks where all give blocks.
TEST(OpenmpiRules, SizesAreThoseThatItCompares) {
  static const Incumbent bruck = incumbents::incumbents()[5], ring = incumbents::incumbents()[6];
  ASSERT_EQ(bruck.name, "bruck");
  const Rules rules{Collective::allgather, 8, {{0, &bruck, 0}, {512, &ring, 0}}};
  EXPECT_EQ(incumbents::openmpi_text({rules}, "x"),
            "1  # collectives; x\n0 1  # allgather\n8 2\n0 2 0 0  # bruck\n4096 4 0 0  # ring\n");
}

TEST(OpenmpiRules, ReduceScatterBlockHasNumbersOfItsOwn) {
  static const Incumbent halving = incumbents::incumbents()[12], ring = incumbents::incumbents()[13];
  ASSERT_EQ(halving.name, "recursive_halving");
  const Rules rules{Collective::reduce_scatter, 4, {{0, &halving, 0}, {64, &ring, 0}}};
  EXPECT_EQ(incumbents::openmpi_text({rules}, "x"),
            "2  # collectives; x\n12 1  # reduce_scatter\n4 2\n0 2 0 0  # recursive_halving\n256 3 0 0  # ring\n"
            "13 1  # reduce_scatter_block\n4 2\n0 3 0 0  # recursive_halving\n256 0 0 0  # as built in\n");
}

/// Every numeric test has its "any" sibling, and every leaf is an algorithm.
void check_tree(const Json& json) {
  for (const auto& [key, value] : json.items()) {
    if (key.starts_with("algorithm=")) {
      EXPECT_TRUE(value.empty());
      EXPECT_EQ(json.size(), 1U);
      continue;
    }
    EXPECT_FALSE(value.empty()) << key;
    const auto compares = key.find('<');
    if (compares != std::string::npos) {
      EXPECT_TRUE(json.contains(key.substr(0, compares) + "=any")) << key;
    }
    check_tree(value);
  }
}

TEST(MpichRules, AllCollectivesAreThere) {
  const Json json = Json::parse(incumbents::mpich_text(some_rules(Mpi::mpich)));
  EXPECT_EQ(json.size(), 44U);
  check_tree(json);
  EXPECT_TRUE(json["collective=allgather"]["comm_type=intra"].contains("total_msg_size=any"));
  EXPECT_TRUE(json["collective=alltoall"]["comm_type=intra"].contains("is_sendbuf_inplace=yes"));
}

}  // namespace
}  // namespace quadrille::rules_test
