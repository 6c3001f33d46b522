#include "export/file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

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

}  // namespace

FileWriter::FileWriter(const std::string& path) : path_(path), temporary_(fmt::format("{}.tmp-{}", path, ::getpid())) {
  const std::filesystem::path folder = std::filesystem::path(path).parent_path();
  std::error_code failed;
  if (!folder.empty()) std::filesystem::create_directories(folder, failed);
  if (failed) refuse(path, failed.value());
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

}  // namespace quadrille
