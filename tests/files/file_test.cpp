// What the writer of files does to what is there already, and what it refuses.
#include "files/file.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "files/mapped.hpp"
#include "quadrille/base.hpp"

namespace quadrille::file_test {
namespace {

namespace fs = std::filesystem;

class FileTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::temp_directory_path() / ("quadrille-file-test-" + std::to_string(::getpid()));
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }
  static std::string content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::ptrdiff_t files() const { return std::distance(fs::directory_iterator(folder_), fs::directory_iterator()); }
  /// The message, after which everything in the folder is as before.
  std::string refusal(const std::string& name) const {
    const auto before = files();
    try {
      files::write_file(name, "new");
      return "written";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), Error::Kind::argument);
      EXPECT_EQ(files(), before) << "something was left";
      return error.what();
    }
  }
  fs::path folder_;
};

struct stat status_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(::lstat(path.c_str(), &status), 0) << path;
  return status;
}

TEST_F(FileTest, AMappedFileIsWhatItsReaderReads) {
  const std::string text(100000, 'x');
  files::write_file(path("long"), text);
  files::write_file(path("empty"), "");
  files::MappedFile file(path("long"), text.size(), "trace");
  EXPECT_EQ(file.text(), text);
  const files::MappedFile moved = std::move(file);
  EXPECT_EQ(moved.text(), text);
  EXPECT_EQ(files::MappedFile(path("empty"), 1, "trace").text(), "");
  for (const std::string& name : {path("none"), folder_.string(), path("long"), std::string("/dev/null")}) {
    std::string read, mapped;
    try {
      files::read_file(name, text.size() - 1, "trace");
    } catch (const Error& error) {
      read = error.what();
    }
    try {
      files::MappedFile(name, text.size() - 1, "trace");
    } catch (const Error& error) {
      mapped = error.what();
    }
    EXPECT_NE(read, "") << name;
    EXPECT_EQ(mapped, read);
  }
}

TEST_F(FileTest, WritesReplacesAndLeavesNothingBeside) {
  files::write_file(path("c.svg"), "one");
  files::write_file(path("c.svg"), "two");
  EXPECT_EQ(content(path("c.svg")), "two");
  EXPECT_EQ(files(), 1);
  files::write_file(path(std::string(255, 'n')), "a name as long as names can be");
  EXPECT_EQ(files(), 2);
}

TEST_F(FileTest, FollowsLinksAndKeepsThem) {
  fs::create_directories(path("real"));
  fs::create_symlink("real/target", path("link"));
  fs::create_symlink("link", path("second"));
  fs::create_directory_symlink("real", path("there"));
  files::write_file(path("second"), "through links that dangle");
  EXPECT_EQ(content(path("real/target")), "through links that dangle");
  files::write_file(path("there/target"), "again");
  EXPECT_EQ(content(path("real/target")), "again");
  EXPECT_EQ(fs::read_symlink(path("link")), "real/target");
  EXPECT_EQ(fs::read_symlink(path("second")), "link");
  fs::create_symlink("circle", path("circle"));
  EXPECT_NE(refusal(path("circle")).find("symbolic links"), std::string::npos) << refusal(path("circle"));
  fs::create_symlink("nowhere/target", path("astray"));
  EXPECT_NE(refusal(path("astray")).find("there is no folder"), std::string::npos);
}

TEST_F(FileTest, KeepsOwnerAndPermissions) {
  files::write_file(path("file"), "x");
  const mode_t mask = ::umask(0);
  ::umask(mask);
  EXPECT_EQ(status_of(path("file")).st_mode & 0777, 0666 & ~mask) << "a new file has what the umask leaves";
  for (const mode_t mode : {0600u, 0640u, 0755u, 0222u}) {
    ::chmod(path("file").c_str(), mode);
    files::write_file(path("file"), "y");
    EXPECT_EQ(status_of(path("file")).st_mode & 0777, mode);
  }
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  ASSERT_EQ(::chown(path("file").c_str(), 1, 2), 0);
  files::write_file(path("file"), "z");
  EXPECT_EQ(status_of(path("file")).st_uid, 1u);
  EXPECT_EQ(status_of(path("file")).st_gid, 2u);
}

TEST_F(FileTest, RefusesWhatIsNoFileAndLeavesItAlone) {
  fs::create_directories(path("folder"));
  ASSERT_EQ(::mkfifo(path("fifo").c_str(), 0600), 0);
  fs::create_symlink("fifo", path("link"));
  fs::create_symlink("folder", path("way"));
  const auto inode = status_of(path("fifo")).st_ino;
  EXPECT_NE(refusal(path("folder")).find("it is a folder; expected a regular file, a new name, or -"),
            std::string::npos);
  EXPECT_NE(refusal(path("way")).find("it is a folder"), std::string::npos);
  EXPECT_NE(refusal(path("new/")).find("there is no folder"), std::string::npos);
  EXPECT_NE(refusal("").find("the name is empty"), std::string::npos);
  for (const char* name : {"fifo", "link"}) EXPECT_NE(refusal(path(name)).find("it is a FIFO"), std::string::npos);
  int ends[2];  // reached by a link that no text follows, as /dev/stdout may be
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_NE(refusal("/proc/self/fd/" + std::to_string(ends[1])).find("it is a FIFO"), std::string::npos);
  for (const int end : ends) ::close(end);
  EXPECT_EQ(status_of(path("fifo")).st_ino, inode);
  EXPECT_TRUE(S_ISFIFO(status_of(path("fifo")).st_mode));
  if (::geteuid() != 0 || ::mknod(path("null").c_str(), S_IFCHR | 0666, 0x103) != 0)
    GTEST_SKIP() << "only root can make devices";
  EXPECT_NE(refusal(path("null")).find("it is a device"), std::string::npos);
  EXPECT_TRUE(S_ISCHR(status_of(path("null")).st_mode));
}

TEST_F(FileTest, NamesTheFolderThatIsMissing) {
  files::write_file(path("file"), "x");
  EXPECT_NE(refusal(path("a/b/c")).find("there is no folder '" + path("a") + "'; make it first"), std::string::npos);
  EXPECT_NE(refusal(path("file/below")).find("'" + path("file") + "' is not a folder"), std::string::npos);
  EXPECT_FALSE(fs::exists(path("a")));
  EXPECT_TRUE(files::make_folder(path("a")));
  EXPECT_FALSE(files::make_folder(path("a/")));
  EXPECT_THROW(files::make_folder(path("b/c")), Error);
  EXPECT_THROW(files::make_folder(path("file")), Error);
  files::write_file(path("a/c"), "y");
}

TEST_F(FileTest, RefusesFilesWithASecondNameOrWithoutLeaveToWrite) {
  files::write_file(path("file"), "old");
  fs::create_hard_link(path("file"), path("other"));
  EXPECT_NE(refusal(path("file")).find("has 2 names (hard links)"), std::string::npos);
  fs::remove(path("other"));
  ::chmod(path("file").c_str(), 0444);
  EXPECT_NE(refusal(path("file")).find("it is write-protected"), std::string::npos);
  EXPECT_EQ(content(path("file")), "old");
  EXPECT_THROW(files::check_writable(path("file")), Error);
  files::check_writable(path("new"));
  EXPECT_FALSE(fs::exists(path("new")));
}

TEST_F(FileTest, HalfWrittenFilesGoWithTheirWriterOrWithASignal) {
  files::write_file(path("file"), "old");
  {
    files::FileWriter writer(path("file"));
    writer.write("half");
    EXPECT_EQ(files(), 2);
  }
  EXPECT_EQ(files(), 1);
  const pid_t child = ::fork();
  if (child == 0) {
    std::signal(SIGTERM, [](int) {
      files::remove_unfinished_files();
      ::_exit(3);
    });
    files::FileWriter writer(path("file"));
    writer.write("half");
    std::raise(SIGTERM);
    ::_exit(4);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(WEXITSTATUS(status), 3);
  EXPECT_EQ(files(), 1);
  EXPECT_EQ(content(path("file")), "old");
}

TEST_F(FileTest, WhatComesThereMeanwhileIsNotReplaced) {
  files::FileWriter writer(path("file"));
  writer.write("new");
  ASSERT_EQ(::mkfifo(path("file").c_str(), 0600), 0);
  EXPECT_THROW(writer.commit(), Error);
  EXPECT_TRUE(S_ISFIFO(status_of(path("file")).st_mode));
  EXPECT_EQ(files(), 1);
}

TEST_F(FileTest, LocksTakeNobodysFile) {
  std::ofstream(path("a.lock")) << "mine";
  EXPECT_THROW(files::FileLock(path("a")), Error);
  EXPECT_EQ(content(path("a.lock")), "mine");
  { const files::FileLock lock(path("b")); }
  EXPECT_EQ(files(), 1);
}

TEST_F(FileTest, WritersThatTakeTheLockInTurnsLoseNothing) {
  constexpr int writers = 4, each = 400;
  const auto count_up = [&] {
    for (int i = 0; i < each; ++i) {
      const files::FileLock lock(path("counter"));  // while others replace the file that it is for
      const bool first = !fs::exists(path("counter"));
      const int before = first ? 0 : std::stoi(files::read_file(path("counter"), 100, "counter"));
      files::write_file(path("counter"), std::to_string(before + 1));
    }
  };
  for (int writer = 0; writer < writers; ++writer) {
    if (::fork() != 0) continue;
    try {
      count_up();
    } catch (const Error& error) {
      std::fputs(error.what(), stderr);
      ::_exit(1);
    }
    ::_exit(0);
  }
  for (int writer = 0; writer < writers; ++writer) {
    int status = -1;
    ASSERT_GT(::wait(&status), 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(content(path("counter")), std::to_string(writers * each));
}

}  // namespace
}  // namespace quadrille::file_test
