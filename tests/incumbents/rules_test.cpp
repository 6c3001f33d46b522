// Rules for the incumbents: the cheapest of their own at every size, in files that they take.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "incumbents/explained.hpp"
#include "incumbents/incumbents.hpp"
#include "incumbents/openmpi.hpp"
#include "quadrille/machine.hpp"
#include "quadrille/price.hpp"
#include "quadrille/verify.hpp"

namespace quadrille::rules_test {
namespace {

using incumbents::Asked;
using incumbents::By;
using incumbents::Candidate;
using incumbents::Explained;
using incumbents::Mpi;
using incumbents::Own;
using incumbents::Rules;
using Json = nlohmann::json;

Machine cluster() { return load_machine("cluster"); }

Asked asked(Mpi mpi, const char* network, Bytes most = 1 << 20, By by = By::price) {
  return {mpi, parse_topology(network), cluster(), most, by};
}

/// Every algorithm does the collective's work, from any root, on all numbers of ranks that it has.
TEST(Incumbents, AreSchedulesThatAreProven) {
  Machine machine = load_machine("unit");
  machine.ports = Ports::one;
  for (const Own& own : algorithm::mpis::all())
    for (const Rank p : {2, 3, 4, 5, 6, 7, 8, 9, 12, 16, 17})
      for (const Rank root : {Rank{0}, p - 1, p / 3})
        for (const std::int64_t segment : {0, 16, 100}) {
          const Algorithm& a = own.algorithm;
          if (!has_root(a.collective) && root != 0) continue;
          Params params;
          const bool cuts = std::any_of(a.parameters.begin(), a.parameters.end(),
                                        [](const Parameter& one) { return one.name == "segment"; });
          if (segment > 0 && !cuts) continue;
          if (cuts) params.set("segment", {segment});
          const Spec spec = checked({.collective = a.collective,
                                     .topology = parse_topology(fmt::format("crossbar:{}", p)),
                                     .bytes = 240,
                                     .root = root});
          if (!a.illegal(spec, machine, params).empty()) continue;
          SCOPED_TRACE(fmt::format("{} on {} ranks from {}", to_text(a, params), p, root));
          const Built built = build(spec, machine, {&a, params});
          const Proof proof = verify(spec, machine, *built.schedule, built.claims);
          ASSERT_TRUE(proof.holds) << proof.counterexample->text;
          EXPECT_EQ(count(spec, machine, *built.schedule).cost, built.formula);
        }
}

/// Messages as the MPIs' sources have them.
TEST(Incumbents, SendAsManyMessagesAsTheirSourcesSay) {
  const auto messages = [](const char* choice, Rank p, Bytes bytes) {
    const Choice chosen = parse_choice(choice);
    const Spec spec = checked({.collective = chosen.algorithm->collective,
                               .topology = parse_topology(fmt::format("crossbar:{}", p)),
                               .bytes = bytes});
    const Machine machine = load_machine("unit");
    return count(spec, machine, *build(spec, machine, chosen).schedule).messages;
  };
  EXPECT_EQ(messages("openmpi.bcast_pipeline:segment=65536", 8, 262144), 28);  // 4 segments to 7 ranks
  EXPECT_EQ(messages("openmpi.bcast_chain:segment=65536:fanout=3", 8, 262144), 28);
  EXPECT_EQ(messages("openmpi.bcast_split_binary_tree:segment=65536", 9, 262144), 8 * 2 + 8);
  EXPECT_EQ(messages("openmpi.alltoall_modified_bruck", 8, 64), 24);
  EXPECT_EQ(messages("openmpi.alltoall_linear", 8, 64), 56);
  EXPECT_EQ(messages("openmpi.allgather_neighbor", 8, 64), 32);
  EXPECT_EQ(messages("openmpi.reduce_rabenseifner", 8, 800), 24 + 7);
  EXPECT_EQ(messages("openmpi.allreduce_segmented_ring:segment=50", 8, 800), 8 * 7 * 3);
  EXPECT_EQ(messages("mpich.reduce_scatter_recursive_doubling", 8, 64), 24);
}

TEST(Incumbents, EveryAlgorithmOfTheFilesIsThere) {
  std::map<std::string_view, std::set<int>> ids;
  for (const Own& own : algorithm::mpis::all()) {
    EXPECT_EQ(&find_algorithm(own.algorithm.name), &own.algorithm);
    if (own.mpi != Mpi::openmpi) continue;
    for (const incumbents::Numbered& n : incumbents::numbered())
      if (n.collective == own.algorithm.collective && n.number != incumbents::reduce_scatter_block) {
        EXPECT_EQ(n.algorithms[static_cast<std::size_t>(own.id)], own.name);
        EXPECT_TRUE(ids[n.name].insert(own.id).second);
      }
  }
  const std::map<std::string_view, std::size_t> in_4_1{{"allgather", 6},      {"allreduce", 6}, {"alltoall", 5},
                                                       {"bcast", 9},          {"gather", 3},    {"reduce", 7},
                                                       {"reduce_scatter", 4}, {"scatter", 3}};
  for (const auto& [name, count] : in_4_1) EXPECT_EQ(ids[name].size(), count) << name;
}

TEST(Incumbents, TheChosenOneIsTheCheapestAtEverySize) {
  for (const char* network : {"ring:8", "hypercube:3", "fattree:4", "crossbar:6"})
    for (const Mpi mpi : {Mpi::openmpi, Mpi::mpich}) {
      const Asked question = asked(mpi, network);
      const std::vector<Rules> all = incumbents::best_rules(question);
      std::set<Collective> seen;
      for (const Rules& rules : all) {
        EXPECT_TRUE(seen.insert(rules.collective).second);
        EXPECT_EQ(rules.rules.front().from, 0);
        std::size_t at = 0;
        for (Bytes bytes = 8; bytes <= (1 << 20); bytes *= 2) {
          while (at + 1 < rules.rules.size() && rules.rules[at + 1].from <= bytes) ++at;
          const Spec spec = checked({.collective = rules.collective, .topology = question.topology, .bytes = bytes});
          const auto time = [&](const Candidate& one) {
            return incumbents::time_of(one, spec, cluster(), By::price, 1e300);
          };
          for (const Candidate& other : incumbents::candidates(mpi, rules.collective))
            EXPECT_LE(time(rules.rules[at].use), time(other)) << network << ' ' << other.choice() << ' ' << bytes;
        }
      }
      EXPECT_EQ(seen.size(), 8U);
    }
}

/// Between two sizes, the rule begins where both cost the same, not at a power of two.
TEST(Incumbents, ThresholdsAreWhereCurvesCross) {
  for (const Rules& rules : incumbents::best_rules(asked(Mpi::openmpi, "crossbar:16")))
    for (std::size_t i = 1; i < rules.rules.size(); ++i) {
      const Bytes from = rules.rules[i].from;
      const auto time = [&](std::size_t rule, Bytes bytes) {
        const Spec spec =
            checked({.collective = rules.collective, .topology = parse_topology("crossbar:16"), .bytes = bytes});
        return incumbents::time_of(rules.rules[rule].use, spec, cluster(), By::price, 1e300);
      };
      EXPECT_LE(time(i, from), 1.1 * time(i - 1, from)) << to_string(rules.collective) << ' ' << from;
      EXPECT_LE(time(i - 1, from - 1), 1.1 * time(i, from - 1)) << to_string(rules.collective) << ' ' << from;
    }
}

/// A ring costs its links what a switch does not show: there the choice is another.
TEST(Incumbents, TheNetworkDecides) {
  const auto ratio = [](const char* network) {
    const Spec spec =
        checked({.collective = Collective::allgather, .topology = parse_topology(network), .bytes = 65536});
    const auto time = [&](const char* name) {
      const Choice choice = parse_choice(name);
      return seconds(build(spec, cluster(), choice).formula, cluster(), *spec.topology);
    };
    return time("openmpi.allgather_bruck") / time("openmpi.allgather_ring");
  };
  EXPECT_GT(ratio("ring:16"), 2 * ratio("crossbar:16"));
}

/// What a price charges round by round overlaps where a rank goes on by itself.
TEST(Incumbents, ASimulationChoosesByItsOwnTimes) {
  const Asked question = asked(Mpi::openmpi, "ring:8", 1 << 16, By::simulation);
  for (const Rules& rules : incumbents::best_rules(question)) {
    const Spec spec = checked({.collective = rules.collective, .topology = question.topology, .bytes = 1 << 16});
    for (const Candidate& other : incumbents::candidates(Mpi::openmpi, rules.collective))
      EXPECT_LE(incumbents::time_of(rules.rules.back().use, spec, cluster(), By::simulation, 1e300),
                incumbents::time_of(other, spec, cluster(), By::simulation, 1e300) * (1 + 1e-9));
  }
}

std::vector<Rules> some_rules(Mpi mpi) { return incumbents::best_rules(asked(mpi, "ring:8", 1 << 22)); }

TEST(OpenmpiRules, ANumberTooFewOrTooManyIsFound) {
  const std::string good = incumbents::openmpi_text(some_rules(Mpi::openmpi), "a test");
  const auto clean = [](const std::string& text) {
    const incumbents::Explained said = incumbents::explain(text);
    return said.mistakes.empty() && said.remarks.size() <= said.says.size() && !said.says.empty();
  };
  ASSERT_TRUE(clean(good));
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
    EXPECT_FALSE(incumbents::explain(text.erase(at, length).insert(0, "#\n")).mistakes.empty())
        << "without the number at " << at;
    text = good;
    EXPECT_FALSE(incumbents::explain(text.insert(at, "99 ")).mistakes.empty()) << "with one more at " << at;
  }
}

Explained of(const std::string& text) { return incumbents::explain(text); }

TEST(Explained, SaysWhatRulesOfOpenmpiDo) {
  const Explained good = of("1  # collectives\n7 1\n8 2\n0 6 0 0\n4096 3 0 65536\n");
  EXPECT_TRUE(good.mistakes.empty());
  ASSERT_EQ(good.says.size(), 2U);
  EXPECT_EQ(good.says[1].algorithm, "pipeline (3)");
  EXPECT_EQ(good.says[1].from, "4096 bytes of the message");
  EXPECT_EQ(good.says[1].details, "segments of 64 KiB");
  EXPECT_EQ(good.says[1].ranks, "8 and more");
  const auto complaint = [](const std::string& text) {
    const Explained said = of(text);
    return said.mistakes.empty() ? "none" : said.mistakes.front();
  };
  EXPECT_EQ(complaint("1\n3 1\n8 1\n0 9 0 0\n").substr(0, 51), "line 4: algorithm of alltoall, 0 to 5: others abort");
  EXPECT_NE(complaint("1\n3 1\n8 1\n64 2 0 0\n").find("begins at 64 bytes"), std::string::npos);
  EXPECT_NE(complaint("1\n3 1\n8 2\n0 2 0 0\n0 3 0 0\n").find("expected them to grow"), std::string::npos);
  EXPECT_NE(of("rule-file-version-2\n1\n3 1\n8 1\n0 4 0 0 8\n").remarks.front().find("before 5.0.7"),
            std::string::npos);
  const Explained shifted = of("1\n3 1\n8 2\n0 2 0\n4096 3 0 0\n512 1 0 0\n");
  EXPECT_FALSE(shifted.mistakes.empty());
}

TEST(Explained, SaysWhatIsWrongInJson) {
  const std::string good = incumbents::openmpi_json(some_rules(Mpi::openmpi));
  EXPECT_TRUE(of(good).mistakes.empty());
  EXPECT_EQ(of(good).says.size(), of(incumbents::openmpi_text(some_rules(Mpi::openmpi), "")).says.size());
  EXPECT_EQ(of(R"({"collectives":{"bcast":[{"rules":[{"alg":"ring"}]}]}})").mistakes.size(), 1U);
  EXPECT_EQ(of(R"({"collectives":{"broadcast":[]}})").mistakes.size(), 1U);
  EXPECT_EQ(of(R"({"collectives":{"bcast":[{"rules":[{"alg":1},{"alg":2}]}]}})").mistakes.size(), 1U);
  EXPECT_EQ(of(R"({"collectives":{"bcast":[{"comm_size_min":9,"comm_size_max":8,"rules":[]}]}})").mistakes.size(), 1U);
}

TEST(Explained, SaysWhatIsWrongInASelectionOfMpich) {
  const std::string good = incumbents::mpich_text(some_rules(Mpi::mpich));
  EXPECT_TRUE(of(good).mistakes.empty()) << of(good).mistakes.front();
  const auto broken = [&](const std::string& what, const std::string& by) {
    std::string text = good;
    const auto at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    text.replace(at, what.size(), by);
    return of(text).mistakes;
  };
  EXPECT_FALSE(broken("collective=barrier", "collective=barier").empty());
  EXPECT_FALSE(broken("total_msg_size=any", "total_msg_size<=9999999").empty());
  EXPECT_FALSE(broken("is_sendbuf_inplace=yes", "is_commutative=yes").empty());
  EXPECT_FALSE(broken("MPIR_Bcast_intra_", "MPIR_Bcast_intra_x").empty());
  EXPECT_FALSE(broken("total_msg_size", "avg_msg_size").empty());
}

/// Open MPI compares a block times the ranks where all give blocks.
TEST(OpenmpiRules, SizesAreThoseThatItCompares) {
  const std::vector<Candidate> all = incumbents::candidates(Mpi::openmpi, Collective::allgather);
  ASSERT_EQ(all[1].own->name, "bruck");
  const Rules rules{Collective::allgather, 8, {{0, all[1], 0}, {512, all[3], 0}}};
  EXPECT_EQ(incumbents::openmpi_text({rules}, "x"),
            "1  # collectives; x\n0 1  # allgather\n8 2\n0 2 0 0  # bruck\n4096 4 0 0  # ring\n");
}

TEST(OpenmpiRules, ReduceScatterBlockHasNumbersOfItsOwn) {
  const std::vector<Candidate> all = incumbents::candidates(Mpi::openmpi, Collective::reduce_scatter);
  ASSERT_EQ(all[1].own->name, "recursive_halving");
  const Rules rules{Collective::reduce_scatter, 4, {{0, all[1], 0}, {64, all[2], 0}}};
  EXPECT_EQ(incumbents::openmpi_text({rules}, "x"),
            "2  # collectives; x\n12 1  # reduce_scatter\n4 2\n0 2 0 0  # recursive_halving\n256 3 0 0  # ring\n"
            "13 1  # reduce_scatter_block\n4 2\n0 3 0 0  # recursive_halving\n256 0 0 0  # as built in\n");
}

TEST(MpichSettings, NameOneAlgorithmForAllSizes) {
  const std::string text = incumbents::mpich_settings(incumbents::best_for_all_sizes(asked(Mpi::mpich, "ring:8")));
  EXPECT_NE(text.find("export MPIR_CVAR_ALLGATHER_INTRA_ALGORITHM=recursive_doubling\n"), std::string::npos) << text;
  EXPECT_NE(text.find("export MPIR_CVAR_REDUCE_SCATTER_BLOCK_INTRA_ALGORITHM="), std::string::npos);
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
