// Labs come and go: side by side, half made, left behind, and with programs that still run.
#include <csignal>

#include "lab.hpp"
#include "lab_network.hpp"
#include "system.hpp"

namespace quadrille::lab::network_test {
namespace {

TEST_F(LabNetwork, TwoLabsDoNotKnowOfEachOther) {
  const std::string other = " --state " + other_folder().string();
  ASSERT_EQ(ran("up ring:3" + state()).status, 0);
  const std::size_t one = present().size();
  EXPECT_EQ(ran("up ring:3" + state()).status, 2) << "it is up already";
  ASSERT_EQ(ran("up ring:4" + other).status, 0);
  EXPECT_EQ(present().size(), one + 4);
  EXPECT_EQ(ran("down" + other).status, 0);
  EXPECT_EQ(present().size(), one);
  EXPECT_EQ(ran("exec" + state() + " 0 true").status, 0);
}

TEST_F(LabNetwork, AFailureInTheMiddleLeavesNothing) {
  const Ran failed = ran("up ring:4" + state(), path_with_tc("echo no room left >&2; exit 3"));
  EXPECT_EQ(failed.status, 1);
  EXPECT_NE(failed.out.find("failed (3): 'no room left'"), std::string::npos) << failed.out;
  EXPECT_EQ(present(), before_);
  EXPECT_FALSE(std::filesystem::exists(folder_));
}

/// `tc` never comes back; the `up` that waits for it is killed, or asked to stop.
TEST_F(LabNetwork, WhatADeadUpLeftCanBeRemoved) {
  for (const bool killed : {true, false}) {
    const std::string note = folder_.string() + "-note";
    const std::string path = path_with_tc(fmt::format("touch {}; sleep 2", note));
    const pid_t child = fork();
    if (child == 0) {
      execl("/bin/sh", "sh", "-c", fmt::format("{} exec {} up ring:4{}", path, QUADRILLE_LAB_PROGRAM, state()).c_str(),
            nullptr);
      _exit(127);
    }
    for (int i = 0; i < 500 && !std::filesystem::exists(note); ++i) usleep(10'000);
    ASSERT_TRUE(std::filesystem::exists(note));
    std::filesystem::remove(note);
    kill(child, killed ? SIGKILL : SIGTERM);
    waitpid(child, nullptr, 0);
    if (killed) {
      EXPECT_EQ(present().size(), before_.size() + 4);
      EXPECT_EQ(ran("status" + state()).status, 1);
      EXPECT_EQ(ran("exec" + state() + " 0 true").status, 2);
      EXPECT_EQ(ran("down" + state()).status, 0);
    }
    EXPECT_EQ(present(), before_) << (killed ? "after down" : "after SIGTERM");
    EXPECT_FALSE(std::filesystem::exists(folder_));
  }
}

/// The folder is lost, the namespaces are not: they bear its name.
TEST_F(LabNetwork, DownNeedsNoState) {
  ASSERT_EQ(ran("up ring:3" + state()).status, 0);
  std::filesystem::remove_all(folder_);
  EXPECT_EQ(ran("up ring:3" + state()).status, 2) << "what is left must go first";
  EXPECT_EQ(ran("down" + state()).status, 0);
  EXPECT_EQ(ran("down" + state()).status, 2) << "there is none";
}

TEST_F(LabNetwork, DownEndsWhatRuns) {
  ASSERT_EQ(ran("up ring:2" + state()).status, 0);
  const std::string name = open(folder_).blueprint.nodes[0].name;
  ran("exec" + state() + " 0 sleep 1000 > /dev/null &");
  for (int i = 0; i < 300 && processes_in(name).empty(); ++i) usleep(10'000);
  const std::vector<pid_t> sleepers = processes_in(name);
  ASSERT_EQ(sleepers.size(), 1u);
  EXPECT_EQ(ran("down" + state()).status, 0);
  // Gone, or dead and not yet buried by its parent: nothing that is alive has no program.
  std::error_code dead;
  EXPECT_TRUE(std::filesystem::read_symlink(fmt::format("/proc/{}/exe", sleepers[0]), dead).empty());
}

}  // namespace
}  // namespace quadrille::lab::network_test
