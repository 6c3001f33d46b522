// What is written when a program is ended: in a child that is.
#include "dropin/report/last_report.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <sstream>

namespace quadrille::dropin {
namespace {

std::string read(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

/// Several of these tests may run at a time.
std::string own_file(const std::string& name) { return ::testing::TempDir() + std::to_string(getpid()) + name; }

struct Left {
  int status = 0;
  std::string json, wisdom;
};

/// What a child leaves behind that has prepared texts and then does `last`.
Left left_by(
    const std::function<void()>& last, const std::function<void()>& before = [] {}, FileState instead = {}) {
  const std::string report = own_file("last_report.json"), wisdom = own_file("last_wisdom.json");
  std::remove(report.c_str());
  std::remove(wisdom.c_str());
  const pid_t child = fork();
  if (child == 0) {
    before();
    last_report::begin(report, wisdom, true);
    last_report::prepare({"", "old", "old", instead});
    last_report::prepare({"", "new", "known", instead});
    last();
    _exit(0);
  }
  Left left;
  waitpid(child, &left.status, 0);
  left.json = read(report);
  left.wisdom = read(wisdom);
  return left;
}

TEST(LastReport, IsWrittenAtSignalsThatEndTheProgramAsTheyWould) {
  for (const int number : {SIGTERM, SIGINT, SIGHUP, SIGXCPU, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) {
    const Left left = left_by([=] { raise(number); }, [=] { signal(number, SIG_DFL); });
    EXPECT_TRUE(WIFSIGNALED(left.status) && WTERMSIG(left.status) == number) << number;
    EXPECT_EQ(left.json, "new") << number;
    EXPECT_EQ(left.wisdom, "known") << number;
  }
}

TEST(LastReport, LeavesWisdomThatOthersHaveWrittenMeanwhile) {
  const std::string wisdom = own_file("last_wisdom.json");
  const Left left = left_by([=] {
    std::ofstream(wisdom) << "of others";
    raise(SIGTERM);
  });
  EXPECT_EQ(left.json, "new");
  EXPECT_EQ(left.wisdom, "of others");
  const Left known = left_by([] { raise(SIGTERM); }, [] {}, {.there = true, .bytes = 3});
  EXPECT_EQ(known.wisdom, "") << "a file that has gone is not made again";
}

TEST(LastReport, IsFollowedByTheProgramsOwnHandler) {
  const Left left = left_by([] { raise(SIGTERM); }, [] { signal(SIGTERM, [](int) { _exit(5); }); });
  EXPECT_EQ(WEXITSTATUS(left.status), 5);
  EXPECT_EQ(left.json, "new");
}

TEST(LastReport, LeavesHandlersAloneThatComeLaterAndSignalsThatAreIgnored) {
  const Left later = left_by([] {
    signal(SIGTERM, [](int) { _exit(6); });
    raise(SIGTERM);
  });
  EXPECT_EQ(WEXITSTATUS(later.status), 6);
  EXPECT_EQ(later.json, "");
  const Left ignored = left_by([] { raise(SIGHUP); }, [] { signal(SIGHUP, SIG_IGN); });
  EXPECT_EQ(ignored.status, 0);
  EXPECT_EQ(ignored.json, "");
}

TEST(LastReport, IsWrittenAtExitAndNotAfterAGoodEnd) {
  EXPECT_EQ(left_by([] { exit(0); }).json, "new");
  const Left good = left_by([] {
    last_report::end();
    raise(SIGTERM);
  });
  EXPECT_EQ(good.json, "");
  EXPECT_TRUE(WIFSIGNALED(good.status));
}

TEST(LastReport, FollowsLinksAndSparesWhatIsNoPlainFile) {
  const std::string folder = ::testing::TempDir(), link = folder + "last_link", file = folder + "last_target";
  std::remove(link.c_str());
  ASSERT_EQ(symlink(file.c_str(), link.c_str()), 0);
  std::ofstream(file) << "before";
  const std::string device = folder + "last_null";
  std::remove(device.c_str());
  if (mknod(device.c_str(), S_IFIFO | 0600, 0) != 0) GTEST_SKIP() << "no FIFO can be made here";
  const pid_t child = fork();
  if (child == 0) {
    last_report::begin(link, device, true);
    last_report::prepare({"", "new", "known"});
    raise(SIGTERM);
  }
  int status = 0;
  waitpid(child, &status, 0);
  struct stat of_link {
  }, of_device{};
  lstat(link.c_str(), &of_link);
  lstat(device.c_str(), &of_device);
  EXPECT_TRUE(S_ISLNK(of_link.st_mode));
  EXPECT_TRUE(S_ISFIFO(of_device.st_mode));
  EXPECT_EQ(read(file), "new");
}

TEST(LastReport, IsNotAChilds) {
  const Left left = left_by([] {
    const pid_t child = fork();
    if (child == 0) raise(SIGTERM);
    int status = 0;
    waitpid(child, &status, 0);
    if (!WIFSIGNALED(status)) _exit(1);
  });
  EXPECT_EQ(left.status, 0);
  EXPECT_EQ(left.json, "");
}

}  // namespace
}  // namespace quadrille::dropin
