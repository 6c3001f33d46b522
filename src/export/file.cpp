#include "export/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "base/text.hpp"
#include "quadrille/base.hpp"

namespace quadrille {

namespace {

[[noreturn]] void refuse(const std::string& path, int error) {
  throw Error(Error::Kind::argument,
              fmt::format("cannot write '{}': {}", path, std::generic_category().message(error)));
}

/// 0 or the error.
int write_all(int file, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(file, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return errno;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return 0;
}

int to_disk(int file) { return ::fsync(file) == 0 || errno == EINVAL || errno == EROFS ? 0 : errno; }

void make_folder_of(const std::string& path) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failed;
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  if (failed) refuse(path, failed.value());
}

}  // namespace

FileWriter::FileWriter(const std::string& path) : path_(path), temporary_(fmt::format("{}.tmp-{}", path, ::getpid())) {
  make_folder_of(path);
  file_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (file_ < 0) refuse(path, errno);
}

FileWriter::~FileWriter() { remove(); }

void FileWriter::remove() {
  if (file_ < 0) return;
  ::close(file_);
  file_ = -1;
  std::remove(temporary_.c_str());
}

void FileWriter::give_up(int error) {
  remove();
  refuse(path_, error);
}

void FileWriter::write(std::string_view text) {
  if (const int error = write_all(file_, text); error != 0) give_up(error);
}

void FileWriter::commit() {
  if (const int error = to_disk(file_); error != 0) give_up(error);
  const int closed = ::close(file_) == 0 ? 0 : errno;
  file_ = -1;
  const int error = closed != 0 || std::rename(temporary_.c_str(), path_.c_str()) == 0 ? closed : errno;
  if (error == 0) return;
  std::remove(temporary_.c_str());
  refuse(path_, error);
}

void write_file(const std::string& path, std::string_view content) {
  FileWriter file(path);
  file.write(content);
  file.commit();
}

std::string read_file(const std::string& path, std::size_t most, std::string_view what) {
  const auto fail = [&](std::string_view why) {
    return Error(Error::Kind::argument, fmt::format("{} {}: {}", what, quoted(path, 200), why));
  };
  std::error_code ignored;
  const auto status = std::filesystem::status(path, ignored);
  if (!std::filesystem::exists(status)) throw fail("no such file");
  if (!std::filesystem::is_regular_file(status)) throw fail("is not a regular file");
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) throw fail(fmt::format("cannot be opened: {}", std::generic_category().message(errno)));
  const auto size = std::filesystem::file_size(path, ignored);
  if (ignored || size > most)
    throw fail(fmt::format("is longer than the {} that are read", format_bytes(static_cast<Bytes>(most))));
  std::string text(static_cast<std::size_t>(size), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw fail("cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

FileLock::FileLock(const std::string& path) : name_(path + ".lock") {
  make_folder_of(path);
  while (true) {
    file_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (file_ < 0) refuse(name_, errno);
    while (::flock(file_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const int error = errno;
      ::close(file_);
      refuse(name_, error);
    }
    // Who had it before has removed it: what was locked is nobody's any more, unless it is still the file of this name.
    struct stat locked {
    }, named{};
    if (::fstat(file_, &locked) == 0 && ::stat(name_.c_str(), &named) == 0 && locked.st_ino == named.st_ino &&
        locked.st_dev == named.st_dev)
      return;
    ::close(file_);
  }
}

FileLock::~FileLock() {
  std::remove(name_.c_str());
  ::close(file_);
}

}  // namespace quadrille
