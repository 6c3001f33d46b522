// What ranks tell, put together.
#include "dropin/report/report.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>

namespace quadrille::dropin {
namespace {

using Json = nlohmann::json;

Json stats(const char* operation, int untimed, double seconds) {
  return {{"operation", operation}, {"size_class", 7},     {"ranks", 4},       {"topology", "crossbar:4"},
          {"calls", 100},           {"planned", 0},        {"twice", 0},       {"bytes", 6400},
          {"untimed", untimed},     {"native_s", seconds}, {"planned_s", 0.0}, {"winner", ""},
          {"tried", Json::array()}};
}

struct Published {
  std::string table;
  Json json;
};

/// Of two ranks that tell the same.
Published published(const std::vector<Json>& stats, Seconds patience) {
  const std::string path = fmt::format("{}report{}.json", ::testing::TempDir(), getpid());
  Settings settings;
  settings.mode = Mode::observe;
  settings.machine = "localhost";
  settings.constants = load_machine("localhost");
  settings.report_file = path;
  Report report(settings, {.mpi = "an MPI", .ranks = 4, .lasted = 10});
  for (int rank = 0; rank < 2; ++rank) report.add(Json(stats).dump());
  ::testing::internal::CaptureStderr();
  report.publish(patience);
  Published all{::testing::internal::GetCapturedStderr(), Json::parse(std::ifstream(path))["collectives"]};
  std::remove(path.c_str());
  return all;
}

TEST(Report, PredictsWhatTookLongestFirst) {
  const Published p = published({stats("bcast", 0, 1), stats("allgather", 0, 3), stats("alltoall", 0, 2)}, 0);
  ASSERT_EQ(p.json.size(), 3);
  EXPECT_EQ(p.json[0]["collective"], "allgather");
  EXPECT_GT(p.json[0]["predicted_s"], 0);
  EXPECT_EQ(p.json[1]["predicted_s"], 0);
  for (const Json& row : published({stats("bcast", 0, 1), stats("allgather", 0, 3)}, 100).json)
    EXPECT_GT(row["predicted_s"], 0);
}

TEST(Report, SaysWhatIsEstimated) {
  const Published some = published({stats("bcast", 0, 2), stats("allgather", 80, 1)}, 100);
  EXPECT_EQ(some.json[0]["untimed_calls"], 0);
  EXPECT_EQ(some.json[1]["untimed_calls"], 80);
  EXPECT_NE(some.table.find(" ~10.00 ms"), std::string::npos) << some.table;
  EXPECT_NE(some.table.find(" 20.00 ms"), std::string::npos) << some.table;
  EXPECT_NE(some.table.find("only some of them were timed"), std::string::npos) << some.table;
  const Published none = published({stats("bcast", 0, 2)}, 100);
  EXPECT_EQ(none.table.find('~'), std::string::npos) << none.table;
}

Json tried(const char* winner, const Json& ways) {
  Json t = stats("bcast", 0, 1);
  t["winner"] = winner;
  t["tried"] = ways;
  return t;
}

std::vector<TrialResult> trials(const Json& stats) {
  Settings settings;
  settings.segment = 100;
  Report report(settings, {.mpi = "an MPI", .ranks = 4, .lasted = 10});
  report.add(Json::array({stats}).dump());
  report.texts(-1);
  return report.trials();
}

TEST(Report, HasTheTimesOfTrialsForItsMeanSize) {
  const auto found =
      trials(tried("bcast_chain", Json::array({Json::array({"native", 0.5}), Json::array({"bcast_chain", 0.25})})));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].trial.from, 64);
  EXPECT_EQ(found[0].trial.mpi, "an MPI");
  EXPECT_EQ(found[0].trial.segment, 100);
  EXPECT_EQ(found[0].choice, "bcast_chain");
  EXPECT_EQ(found[0].native, 32);  // of 64 bytes
  EXPECT_EQ(found[0].chosen, 16);
  EXPECT_TRUE(trials(tried("", Json::array())).empty());
  EXPECT_TRUE(trials(tried("bcast_chain", Json::array())).empty()) << "it was known before";
}

TEST(Report, KeepsTrialsOfCallsThatEndLaterAlsoWhereMpiAnswers) {
  Json t = tried("bcast_chain", Json::array({Json::array({"native", 0.5}), Json::array({"bcast_chain", 0.25})}));
  t["ending"] = static_cast<int>(Ending::persistent);
  const auto planned = trials(t);
  ASSERT_EQ(planned.size(), 1U);
  EXPECT_EQ(planned[0].trial.operation, "bcast_init");
  EXPECT_EQ(planned[0].chosen, 16);  // of 64 bytes
  t["ending"] = static_cast<int>(Ending::non_blocking);
  t["winner"] = "native";
  t["calls"] = t["bytes"] = 0;  // that plans have answered
  const auto left = trials(t);
  ASSERT_EQ(left.size(), 1U);
  EXPECT_EQ(left[0].trial.operation, "ibcast");
  EXPECT_EQ(left[0].choice, "native");
  EXPECT_EQ(left[0].native, 32);
  EXPECT_EQ(published({t}, 0).json.size(), 0U) << "nobody has seen such calls";
}

TEST(Report, SaysWhyGathersWithLengthsStayWithMpi) {
  const auto told = [](const std::vector<NamedCalls>& counted) {
    Settings settings;
    Report report(settings, {.mpi = "an MPI", .ranks = 4, .lasted = 10, .counted = counted});
    return report.texts(-1);
  };
  const Texts some = told({{"Gatherv", 7, 0.5}, {"Alltoallw", 2, 0.1}, {"Iscatterv", 1, 0}});
  EXPECT_NE(some.table.find("  Gatherv, Iscatterv: they go straight, as in the best plan"), std::string::npos)
      << some.table;
  const Json why = Json::parse(some.json)["counted_calls_why"];
  EXPECT_EQ(why.size(), 2U);
  EXPECT_EQ(why["Gatherv"], why["Iscatterv"]);
  for (const char* const other : {"Iallgatherv", "Neighbor_allgatherv", "Iallreduce"})
    EXPECT_EQ(told({{other, 7, 0.5}}).table.find("straight"), std::string::npos) << other;
}

TEST(Report, KeepsThatAPlanGaveWay) {
  Json t = tried("native", Json::array());
  t["lost"] = "bcast_chain";
  t["lost_native"] = 0.5;
  t["lost_plan"] = 2.0;
  const auto found = trials(t);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].choice, "native");
  EXPECT_EQ(found[0].native, 32);
  EXPECT_EQ(found[0].chosen, 32);
}

}  // namespace
}  // namespace quadrille::dropin
