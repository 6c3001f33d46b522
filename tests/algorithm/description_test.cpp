// What an algorithm says of itself: where its file is, what is known of the bound, and under which other name it runs.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <tuple>
#include <type_traits>
#include <vector>

#include "algorithm/formula.hpp"
#include "quadrille/algorithm.hpp"
#include "settings.hpp"

namespace quadrille::description_test {
namespace {

// A description without a closed form, or a closed form that does not say where it holds, does not compile.
static_assert(!std::is_default_constructible_v<ClosedForm>);
static_assert(!std::is_default_constructible_v<Algorithm>);

std::string text_of(const std::string& file) {
  std::ifstream in(std::filesystem::path(QUADRILLE_SOURCE_DIR) / file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Description, NamesItsFile) {
  for (const Algorithm& a : algorithms()) {
    std::string expected(a.name);
    expected.replace(to_string(a.collective).size(), 1, "/");
    EXPECT_EQ(a.file, "src/algorithm/" + expected + ".cpp");
    EXPECT_NE(text_of(std::string(a.file)).find('"' + std::string(a.name) + '"'), std::string::npos) << a.file;
  }
}

TEST(Description, EveryFileOpensWithASentence) {
  for (const Algorithm& a : algorithms()) EXPECT_EQ(text_of(std::string(a.file)).substr(0, 3), "// ") << a.file;
}

// The page prints the words of the algorithm that is the best for large blocks on a family; others would never be read.
TEST(Description, LiteratureIsPrinted) {
  const std::string page = text_of("docs/reference/algorithms.md");
  std::set<std::string_view> families;
  for (const TopologyFamily& family : topology_families()) families.insert(family.name);
  int said = 0;
  for (const Algorithm& a : algorithms())
    for (const Literature& known : a.literature) {
      EXPECT_FALSE(known.families.empty()) << a.name;
      for (const std::string_view family : known.families) {
        EXPECT_TRUE(families.contains(family)) << a.name << ": " << family;
        // "- ring:64: `bcast_chain`, 1.00 ...; large: `bcast_two_trees`, 1.00; what is known"
        const std::string large = "large: `" + std::string(a.name) + "`";
        bool found = false;
        for (auto at = page.find("\n- " + std::string(family) + ':'); at != std::string::npos;
             at = page.find("\n- " + std::string(family) + ':', at + 1)) {
          const std::string line = page.substr(at + 1, page.find('\n', at + 1) - at - 1);
          found = found || (line.find(large) != std::string::npos && line.ends_with("; " + std::string(known.says)));
        }
        EXPECT_TRUE(found) << a.name << " is not the best on " << family << ": " << known.says;
      }
      ++said;
    }
  EXPECT_GT(said, 10);
}

/// What a rank sends and receives in a round, slot by slot: (kind, peer, buffer, slot).
std::vector<std::tuple<Kind, Rank, Buffer, Slot>> slots_of(const Schedule& schedule, Round t, Rank r) {
  std::vector<std::tuple<Kind, Rank, Buffer, Slot>> all;
  Collected collected;
  for (const Transfer& transfer : collected.all(schedule, t, r))
    for_each_slot(transfer.slots,
                  [&](Slot slot) { all.emplace_back(transfer.kind, transfer.peer, transfer.buffer, slot); });
  return all;
}

void expect_same(const Schedule& one, const Schedule& other) {
  ASSERT_EQ(one.shape().rounds, other.shape().rounds);
  for (Round t = 0; t < one.shape().rounds; ++t)
    for (Rank r = 0; r < one.shape().ranks; ++r) ASSERT_EQ(slots_of(one, t, r), slots_of(other, t, r)) << t << ' ' << r;
}

TEST(Description, OtherNameRunsTheSameSchedule) {
  std::set<std::string_view> others;
  for (const std::string network : {"crossbar:5", "crossbar:8", "hypercube:2", "hypercube:4"})
    for (const Machine& machine : testing::test_machines())
      for (const Algorithm& a : algorithms()) {
        if (a.other_name == nullptr || !testing::can_request(a.collective, network)) continue;
        const Spec spec = testing::request(a.collective, network, 12);
        if (!a.illegal(spec, machine, {}).empty()) continue;
        for (const Params& params : a.variants(spec, machine)) {
          const std::string_view name = algorithm::other_name(a, spec, params);
          if (name.empty()) continue;
          SCOPED_TRACE(to_text(a, params) + " on " + network);
          const Built other = build(spec, machine, parse_choice(name));
          const Built built = build(spec, machine, {&a, params});
          expect_same(*built.schedule, *other.schedule);
          EXPECT_EQ(built.formula, other.formula);
          others.insert(name);
        }
      }
  EXPECT_EQ(others,
            (std::set<std::string_view>{"allgather_linear", "allreduce_doubling", "alltoall_direct", "alltoall_linear",
                                        "alltoall_pairwise", "alltoall_standard", "scan_doubling"}));
}

TEST(Description, ParametersKeepTheirName) {
  const Algorithm& mce = find_algorithm("alltoall_mce");
  const Spec spec = testing::request(Collective::alltoall, "hypercube:4", 12);
  EXPECT_EQ(algorithm::other_name(mce, spec, {{"phases", {2, 2}}}), "");
  EXPECT_EQ(algorithm::other_name(mce, spec, {{"phases", {4}}, {"charge_identity", {1}}}), "");
  EXPECT_EQ(algorithm::other_name(find_algorithm("alltoall_bruck"), spec, {{"radix", {14}}}), "");
  EXPECT_EQ(algorithm::other_name(find_algorithm("alltoall_bruck"), spec, {{"radix", {15}}}), "alltoall_pairwise");
  EXPECT_EQ(algorithm::other_name(find_algorithm("alltoall_pairwise"), spec, {}), "");
}

TEST(Description, SourcesMoveFirstInThose) {
  std::set<std::string_view> moving;
  for (const Algorithm& a : algorithms())
    if (a.moves_sources) moving.insert(a.name);
  EXPECT_EQ(moving, (std::set<std::string_view>{"multibcast_part_lin", "multibcast_part_xy_source", "multibcast_repos",
                                                "multibcast_repos_lin", "multibcast_repos_xy_dim"}));
}

}  // namespace
}  // namespace quadrille::description_test
