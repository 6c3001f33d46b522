// docs/errata.md: every erratum has its row, and the commands that show what is true run.
#include "report/errata.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <set>

#include "program.hpp"

namespace quadrille::cli_errata_test {
namespace {

/// What stands between backticks in any cell of the row.
std::vector<std::string> quoted_in(const report::Erratum& e) {
  std::vector<std::string> all;
  for (const std::string& cell : {e.where, e.printed, e.truth, e.shown}) {
    std::size_t at = cell.find('`');
    while (at != std::string::npos) {
      const std::size_t end = cell.find('`', at + 1);
      if (end == std::string::npos) break;
      all.push_back(cell.substr(at + 1, end - at - 1));
      at = cell.find('`', end + 1);
    }
  }
  return all;
}

TEST(ErrataPage, HasARowForEveryErratum) {
  std::map<std::string, int> rows;
  for (const report::Erratum& e : report::errata()) ++rows[e.id.substr(0, e.id.find(' '))];
  std::set<std::string> wanted;
  for (int i = 1; i <= 30; ++i) wanted.insert(fmt::format("E-{:02}", i));
  for (const auto& [paper, count] : std::map<int, int>{{1, 13}, {2, 14}, {3, 8}})
    for (int i = 1; i <= count; ++i) wanted.insert(fmt::format("E{}-{}", paper, i));
  for (const std::string& id : wanted) EXPECT_EQ(rows[id], 1) << id;
  EXPECT_EQ(rows.size(), wanted.size());
}

TEST(ErrataPage, SaysOfEveryErratumHowItIsShown) {
  for (const report::Erratum& e : report::errata()) EXPECT_FALSE(quoted_in(e).empty()) << e.id;
}

TEST(ErrataPage, EveryCommandRuns) {
  const auto folder = std::filesystem::temp_directory_path() / "quadrille_errata_test";
  std::filesystem::create_directories(folder);
  std::set<std::string> commands;
  for (const report::Erratum& e : report::errata())
    for (std::string words : quoted_in(e)) {
      if (!words.starts_with("quadrille ")) continue;
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
