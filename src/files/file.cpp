#include "files/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include "base/text.hpp"
#include "files/unfinished.hpp"
#include "quadrille/base.hpp"

namespace quadrille::files {

namespace {

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

}  // namespace

bool is_standard_output(std::string_view name) { return name == "-"; }

void check_writable(const std::string& path) {
  if (!is_standard_output(path)) replaceable(path);
}

FileWriter::FileWriter(const std::string& path) : name_(path), standard_(is_standard_output(path)) {
  if (standard_) return;
  target_ = replaceable(path);
  make_temporary();
  if (target_.exists) keep_owner_and_permissions();
}

/// A name of its own, as that of the target may be as long as names can be.
void FileWriter::make_temporary() {
  static std::atomic<unsigned> number = 0;
  const std::filesystem::path folder = std::filesystem::path(target_.path).parent_path();
  constexpr int new_file = 0666, like_another = 0600;
  for (int attempt = 0; attempt < 1000; ++attempt) {
    temporary_ = (folder / fmt::format(".quadrille-{}-{}", ::getpid(), ++number)).string();
    file_ = make_unfinished(temporary_, target_.exists ? like_another : new_file);
    if (file_ >= 0) return;
    if (errno != EEXIST) break;
  }
  refuse_to_write(name_, fmt::format("no file can be made in its folder: {}", std::generic_category().message(errno)));
}

void FileWriter::keep_owner_and_permissions() {
  const auto& [uid, gid] = std::pair(target_.status.st_uid, target_.status.st_gid);
  struct stat own {};
  const bool same = ::fstat(file_, &own) == 0 && own.st_uid == uid && own.st_gid == gid;
  if (!same && ::fchown(file_, own.st_uid == uid ? static_cast<uid_t>(-1) : uid, gid) != 0) {
    remove();
    refuse_to_write(name_, "it belongs to another user or group, which could not be kept; name another file");
  }
  if (::fchmod(file_, target_.status.st_mode & 0777) != 0) give_up(errno);
}

FileWriter::~FileWriter() { remove(); }

void FileWriter::remove() {
  if (file_ < 0) return;
  ::close(file_);
  file_ = -1;
  std::remove(temporary_.c_str());
  forget_unfinished(temporary_);
}

void FileWriter::give_up(int error) {
  remove();
  refuse_to_write(standard_ ? "standard output" : name_, error);
}

void FileWriter::write(std::string_view text) {
  if (const int error = write_all(standard_ ? STDOUT_FILENO : file_, text); error != 0) give_up(error);
}

/// Of two that write the same file the later one stays, whole; what is no file of one name is not to be lost.
void FileWriter::check_unchanged() {
  struct stat now {};
  if (::lstat(target_.path.c_str(), &now) != 0 || (S_ISREG(now.st_mode) && now.st_nlink == 1)) return;
  remove();
  refuse_to_write(name_, "something else has come there meanwhile");
}

void FileWriter::commit() {
  if (standard_) return;
  if (const int error = to_disk(file_); error != 0) give_up(error);
  check_unchanged();
  if (std::rename(temporary_.c_str(), target_.path.c_str()) != 0) give_up(errno);
  forget_unfinished(temporary_);
  ::close(file_);  // what is on the disk stays there
  file_ = -1;
}

void write_file(const std::string& path, std::string_view content) {
  FileWriter file(path);
  file.write(content);
  file.commit();
}

std::string read_file(const std::string& path, std::size_t most, std::string_view what) {
  const auto fail = [&](std::string_view why) {
    return Error(Error::Kind::argument, fmt::format("{} {}: {}", what, base::quoted(path, 200), why));
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
    throw fail(fmt::format("is longer than the {} that are read", base::format_bytes(static_cast<Bytes>(most))));
  std::string text(static_cast<std::size_t>(size), '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) throw fail("cannot be read");
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

FileLock::FileLock(const std::string& path) : name_(target_of(path).path + ".lock") {
  while (true) {
    file_ = ::open(name_.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0666);
    if (file_ < 0) refuse_to_write(name_, errno);
    struct stat locked {
    }, named{};
    const bool known = ::fstat(file_, &locked) == 0;
    if (!known || !S_ISREG(locked.st_mode) || locked.st_size > 0) {
      ::close(file_);
      refuse_to_write(name_, "something that is no lock has this name");  // and would be removed in the end
    }
    while (::flock(file_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const int error = errno;
      ::close(file_);
      refuse_to_write(name_, error);
    }
    // Who had it before has removed it: what was locked is nobody's any more, unless it is still the file of this name.
    if (::stat(name_.c_str(), &named) == 0 && locked.st_ino == named.st_ino && locked.st_dev == named.st_dev) return;
    ::close(file_);
  }
}

FileLock::~FileLock() {
  std::remove(name_.c_str());
  ::close(file_);
}

}  // namespace quadrille::files
