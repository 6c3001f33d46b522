// Every command that writes a file: it follows links, harms nothing, leaves nothing half-written, and knows "-".
#include <gtest/gtest.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <thread>

#include "program.hpp"

namespace quadrille::cli_files_test {
namespace {

namespace fs = std::filesystem;

/// A command and the file that it writes, "@" in the line; the name's end decides what some write.
struct Writer {
  std::string line, ending, begins;
  bool replaces = true;  ///< what is there, whatever it is; others read it first
};

const std::vector<Writer> writers{{"tune --transport threads --ranks 2 --seconds 0.05 -o @", ".toml", "name = "},
                                  {"report bcast ring:4 -o @", ".html", "<!doctype html>"},
                                  {"plot bcast ring:4 -o @", ".svg", "<svg"},
                                  {"simulate bcast ring:4 --trace @", ".json", "{"},
                                  {"reproduce hambrusch -o @", ".html", "<!doctype html>"},
                                  {"sweep bcast ring:4 --bytes 8 -o @", ".csv", "# quadrille sweep 1 ", false},
                                  {"plan bcast ring:4 --wisdom @", ".wisdom", "quadrille", false}};

class CliFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(::testing::TempDir()) / ("cli_files_" + std::to_string(getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  Ran run(const Writer& writer, const std::string& name) const {
    std::string line = writer.line;
    line.replace(line.find('@'), 1, name);
    return run_program(line, folder_);
  }
  std::string content(const fs::path& name) const {
    std::ifstream file(folder_ / name);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  struct stat status(const fs::path& name) const {
    struct stat status {};
    EXPECT_EQ(::lstat((folder_ / name).c_str(), &status), 0) << name;
    return status;
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }

  /// Refused in one line that says why; what was there is there, and nothing else.
  void expect_refused(const Writer& writer, const std::string& name, const std::string& says) const {
    const auto before = files();
    struct stat old {};
    const bool there = ::lstat((folder_ / name).c_str(), &old) == 0;
    const Ran ran = run(writer, name);
    EXPECT_EQ(ran.status, 2) << writer.line << ": " << ran.out;
    EXPECT_EQ(ran.out, "") << writer.line;
    EXPECT_NE(ran.err.find(says), std::string::npos) << writer.line << ": " << ran.err;
    EXPECT_EQ(std::count(ran.err.begin(), ran.err.end(), '\n'), 1) << ran.err;
    EXPECT_EQ(files(), before) << writer.line;
    if (!there) return;
    EXPECT_EQ(status(name).st_ino, old.st_ino) << writer.line;
    EXPECT_EQ(status(name).st_mode, old.st_mode) << writer.line;
    EXPECT_EQ(status(name).st_rdev, old.st_rdev) << writer.line;
  }
  fs::path folder_;
};

TEST_F(CliFiles, LinksAreFollowedAndPermissionsKept) {
  for (const Writer& w : writers) {
    const std::string target = "target" + w.ending, link = "link" + w.ending;
    fs::create_symlink(target, folder_ / link);
    Ran ran = run(w, link);
    ASSERT_EQ(ran.status, 0) << w.line << ": " << ran.err;
    EXPECT_TRUE(fs::is_symlink(folder_ / link)) << w.line;
    EXPECT_TRUE(content(target).starts_with(w.begins)) << w.line << ": " << content(target).substr(0, 60);
    ASSERT_EQ(::chmod((folder_ / target).c_str(), 0640), 0);
    if (w.replaces) std::ofstream(folder_ / target) << "old";
    ran = run(w, link);
    ASSERT_EQ(ran.status, 0) << w.line << ": " << ran.err;
    EXPECT_TRUE(content(target).starts_with(w.begins)) << w.line;
    EXPECT_EQ(status(target).st_mode & 0777, 0640u) << w.line;
    EXPECT_EQ(files(), 2) << w.line;
    fs::remove(folder_ / target);
    fs::remove(folder_ / link);
  }
}

TEST_F(CliFiles, WhatIsNoFileIsRefusedAndStays) {
  for (const Writer& w : writers) {
    const std::string name = "there" + w.ending, link = "link" + w.ending;
    const fs::path path = folder_ / name;
    fs::create_symlink(name, folder_ / link);
    const auto both = [&](const std::string& what) {
      const bool read_first = w.ending == ".wisdom";
      const std::string says =
          read_first ? "is not a regular file" : "it is " + what + "; expected a regular file, a new name, or -";
      expect_refused(w, name, says);
      expect_refused(w, link, says);
      fs::remove(path);
    };
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    both("a FIFO");
    fs::create_directory(path);
    both("a folder");
    const int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    ASSERT_LT(path.string().size(), sizeof address.sun_path);
    path.string().copy(address.sun_path, sizeof address.sun_path - 1);
    ASSERT_EQ(::bind(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    both("a socket");
    ::close(socket);
    expect_refused(w, "none/deep" + w.ending, "there is no folder 'none'; make it first");
    fs::remove(folder_ / link);
  }
}

TEST_F(CliFiles, DevicesAreRefusedAndStay) {
  constexpr dev_t null_device = 0x103;
  if (::geteuid() != 0 || ::mknod((folder_ / "probe").c_str(), S_IFCHR | 0666, null_device) != 0)
    GTEST_SKIP() << "only root can make devices";
  for (const Writer& w : writers) {
    const std::string name = "null" + w.ending;
    fs::remove(folder_ / name);
    ASSERT_EQ(::mknod((folder_ / name).c_str(), S_IFCHR | 0666, null_device), 0);
    expect_refused(w, name, w.ending == ".wisdom" ? "is not a regular file" : "it is a device");
    EXPECT_TRUE(S_ISCHR(status(name).st_mode)) << w.line;
  }
}

TEST_F(CliFiles, ProtectedFilesAndSecondNamesAreNotReplaced) {
  for (const Writer& w : writers) {
    const std::string name = "mine" + w.ending, other = "other" + w.ending;
    if (w.ending == ".wisdom") continue;  // is not written where it has the answer
    fs::remove(folder_ / name);
    fs::remove(folder_ / other);
    ASSERT_EQ(run(w, name).status, 0) << w.line;
    const std::string before = content(name);
    ASSERT_EQ(::chmod((folder_ / name).c_str(), 0444), 0);
    expect_refused(w, name, "it is write-protected");
    ASSERT_EQ(::chmod((folder_ / name).c_str(), 0644), 0);
    fs::create_hard_link(folder_ / name, folder_ / other);
    if (w.replaces)
      expect_refused(w, name, "has 2 names (hard links)");
    else
      EXPECT_EQ(run(w, name).status, 0) << "is continued in place, under both names";
    EXPECT_EQ(content(name), before) << w.line;
    EXPECT_EQ(status(name).st_ino, status(other).st_ino) << w.line;
  }
}

TEST_F(CliFiles, ADashIsStandardOutput) {
  for (const Writer& w : writers) {
    if (w.ending == ".wisdom") continue;  // is read, too
    const Ran ran = run(w, "-");
    EXPECT_EQ(ran.status, 0) << w.line << ": " << ran.err;
    EXPECT_TRUE(ran.out.starts_with(w.begins)) << w.line << ": " << ran.out.substr(0, 60);
    EXPECT_NE(ran.err, "") << w.line << ": the answer for people";
    EXPECT_EQ(files(), 0) << w.line;
    const Ran both = run({w.line + " --json", w.ending, ""}, "-");
    EXPECT_EQ(both.status, 2) << w.line;
    EXPECT_NE(both.err.find("would both go to standard output"), std::string::npos) << both.err;
  }
}

TEST_F(CliFiles, FiguresGoToAFolderThatIsMadeAloud) {
  const Ran first = run_program("reproduce hambrusch --out figures", folder_);
  EXPECT_EQ(first.status, 0) << first.err;
  EXPECT_NE(first.out.find("folder  figures was made"), std::string::npos) << first.out;
  EXPECT_EQ(run_program("reproduce hambrusch --out figures", folder_).out.find("was made"), std::string::npos);
  const Ran deep = run_program("reproduce hambrusch --out a/b", folder_);
  EXPECT_EQ(deep.status, 2);
  EXPECT_NE(deep.err.find("there is no folder 'a'; make it first"), std::string::npos) << deep.err;
}

TEST_F(CliFiles, AFullDiskLeavesTheOldFile) {
  if (::geteuid() != 0 || ::mount("none", folder_.c_str(), "tmpfs", 0, "size=64k") != 0)
    GTEST_SKIP() << "only root can make a disk that is full";
  std::ofstream(folder_ / "page.html") << "old";
  const Ran ran = run({"report bcast ring:4 -o @", "", ""}, "page.html");
  EXPECT_EQ(ran.status, 2);
  EXPECT_NE(ran.err.find("No space left on device"), std::string::npos) << ran.err;
  EXPECT_EQ(content("page.html"), "old");
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(::umount(folder_.c_str()), 0);
}

TEST_F(CliFiles, ASignalLeavesNothing) {
  std::ofstream(folder_ / "t.json") << "old";
  const pid_t child = start_program("simulate alltoall crossbar:2048 --quick --network free --trace t.json", folder_);
  for (int i = 0; i < 600 && files() < 2; ++i) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(files(), 2) << "the trace is being written";
  EXPECT_EQ(end_program(child, SIGINT), 128 + SIGINT);
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(content("t.json"), "old");
}

}  // namespace
}  // namespace quadrille::cli_files_test
