// The errata of the papers: every number is there once, and the commands that show what is true run.
#include "papers/errata.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "program.hpp"

namespace quadrille::cli_errata_test {
namespace {

TEST(ErrataPage, HasARowForEveryErratum) {
  std::map<std::string, int> rows;
  for (const papers::Erratum& e : papers::errata()) ++rows[e.id];
  std::set<std::string> wanted;
  for (int i = 1; i <= 30; ++i) wanted.insert(fmt::format("E-{:02}", i));
  for (const auto& [paper, count] : std::map<int, int>{{1, 13}, {2, 14}, {3, 8}, {4, 4}})
    for (int i = 1; i <= count; ++i) wanted.insert(fmt::format("E{}-{}", paper, i));
  for (const std::string& id : wanted) EXPECT_EQ(rows[id], 1) << id;
  EXPECT_EQ(rows.size(), wanted.size());
}

TEST(ErrataPage, SaysOfEveryErratumHowItIsShown) {
  for (const papers::Erratum& e : papers::errata()) EXPECT_FALSE(e.shown.empty()) << e.id;
}

// A word finds what is about it: a number, a paper, a collective, a network, an algorithm.
TEST(ErrataCommand, FindsByWhatErrataAreAbout) {
  const auto count = [](const std::string& word) {
    const Ran ran = run_program("errata " + word + " --json", ".");
    EXPECT_EQ(ran.status, 0) << word << ran.err;
    return nlohmann::json::parse(ran.out)["errata"].size();
  };
  EXPECT_EQ(count(""), papers::errata().size());
  EXPECT_EQ(count("E-05"), 1u);
  EXPECT_EQ(count("foster"), 8u);
  EXPECT_EQ(count("transpose"), 1u);
  EXPECT_EQ(count("alltoall_mtadea"), 3u);
  const Ran text = run_program("errata E-05", ".");
  EXPECT_NE(text.out.find("allgather_tea2"), std::string::npos);
  EXPECT_EQ(text.out.find("E-09"), std::string::npos);
  const Ran unknown = run_program("errata tors", ".");
  EXPECT_EQ(unknown.status, 2);
  EXPECT_NE(unknown.err.find("did you mean 'torus'"), std::string::npos);
}

TEST(ErrataPage, EveryCommandRuns) {
  const auto folder = std::filesystem::temp_directory_path() / "quadrille_errata_test";
  std::filesystem::create_directories(folder);
  std::set<std::string> commands;
  for (const papers::Erratum& e : papers::errata())
    for (const papers::Erratum::Evidence& piece : e.shown) {
      if (piece.kind != papers::Erratum::Evidence::Kind::command) continue;
      std::string words = piece.text;
      ASSERT_TRUE(words.starts_with("quadrille ")) << e.id;
      std::erase(words, '\'');
      commands.insert(words.substr(10));
    }
  EXPECT_GT(commands.size(), 40u);
  for (const std::string& command : commands) {
    const Ran ran = run_program(command, folder);
    EXPECT_EQ(ran.status, 0) << command << "\n" << ran.err;
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace quadrille::cli_errata_test
