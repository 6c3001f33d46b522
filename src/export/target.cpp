#include "export/target.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <filesystem>
#include <system_error>

#include "base/text.hpp"
#include "quadrille/base.hpp"

namespace quadrille {

namespace {

namespace fs = std::filesystem;

std::string_view kind_of(mode_t mode) {
  if (S_ISDIR(mode)) return "a folder";
  if (S_ISCHR(mode) || S_ISBLK(mode)) return "a device";
  if (S_ISFIFO(mode)) return "a FIFO";
  if (S_ISSOCK(mode)) return "a socket";
  return "not a regular file";
}

bool same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

/// What the link at this path says.
std::string link_text(const std::string& name, const std::string& path) {
  std::array<char, PATH_MAX> text;
  const ssize_t length = ::readlink(path.c_str(), text.data(), text.size());
  if (length < 0) refuse_to_write(name, errno);
  return {text.data(), static_cast<std::size_t>(length)};
}

/// Where links lead in the end; there need not be anything.
std::string followed(const std::string& name) {
  std::string path = name;
  constexpr int most_links = 40;  // as the kernel
  for (int links = 0; links < most_links; ++links) {
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0 || !S_ISLNK(status.st_mode)) return path;
    path = (fs::path(path).parent_path() / link_text(name, path)).string();
  }
  refuse_to_write(name, ELOOP);
}

/// The first folder on the way that is not there, or that is something else.
void require_folder_of(const std::string& name, const std::string& path) {
  fs::path missing, folder = fs::path(path).parent_path();
  std::error_code ignored;
  for (; !folder.empty(); folder = folder.parent_path()) {
    const fs::file_status status = fs::status(folder, ignored);
    if (fs::is_directory(status)) break;
    if (fs::exists(status)) refuse_to_write(name, fmt::format("{} is not a folder", quoted(folder.string(), 200)));
    missing = folder;
    if (folder == folder.parent_path()) break;
  }
  if (!missing.empty())
    refuse_to_write(name, fmt::format("there is no folder {}; make it first", quoted(missing.string(), 200)));
}

void refuse_what_is_no_file(const std::string& name, const Target& target) {
  if (!S_ISREG(target.status.st_mode))
    refuse_to_write(name, fmt::format("it is {}; expected a regular file, a new name, or - for standard output",
                                      kind_of(target.status.st_mode)));
  struct stat output {};
  if (::fstat(STDOUT_FILENO, &output) == 0 && same_file(output, target.status))
    refuse_to_write(name, "standard output goes there; - writes to standard output");
  constexpr mode_t any_writer = S_IWUSR | S_IWGRP | S_IWOTH;
  if ((target.status.st_mode & any_writer) == 0)  // root would be allowed to, and is asked not to
    refuse_to_write(name, "it is write-protected; 'chmod u+w' allows it, or name another file");
  if (::faccessat(AT_FDCWD, target.path.c_str(), W_OK, AT_EACCESS) != 0) refuse_to_write(name, errno);
}

}  // namespace

void refuse_to_write(const std::string& name, const std::string& why) {
  throw Error(Error::Kind::argument, fmt::format("cannot write {}: {}", quoted(name, 200), why));
}

void refuse_to_write(const std::string& name, int error) {
  refuse_to_write(name, std::generic_category().message(error));
}

namespace {

/// What the kernel finds under a name and what the text of its links leads to, at two moments.
struct Seen {
  struct stat by_kernel {};
  bool exists = false;
  int error = 0;
  Target target;
  bool agrees() const { return exists == target.exists && (!exists || same_file(by_kernel, target.status)); }
};

Seen look(const std::string& name) {
  Seen seen;  // by the kernel first, which knows links that have no text, such as /dev/stdout to a pipe
  seen.exists = ::stat(name.c_str(), &seen.by_kernel) == 0;
  seen.error = seen.exists ? 0 : errno;
  if (seen.exists && !S_ISREG(seen.by_kernel.st_mode)) {
    seen.target.status = seen.by_kernel;
    refuse_what_is_no_file(name, seen.target);
  }
  seen.target.path = followed(name);
  require_folder_of(name, seen.target.path);
  if (seen.target.path.ends_with('/')) refuse_to_write(name, "it names a folder; expected a file in it");
  seen.target.exists = ::lstat(seen.target.path.c_str(), &seen.target.status) == 0;
  return seen;
}

}  // namespace

Target target_of(const std::string& name) {
  if (name.empty()) refuse_to_write(name, "the name is empty");
  // Another writer may rename a new file to this name between the two moments; a name that never agrees leads nowhere.
  constexpr int attempts = 100;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const Seen seen = look(name);
    if (!seen.agrees()) continue;
    if (seen.exists)
      refuse_what_is_no_file(name, seen.target);
    else if (seen.error != ENOENT)
      refuse_to_write(name, seen.error);
    return seen.target;
  }
  refuse_to_write(name, "it leads to a file that has no name");
}

Target replaceable(const std::string& name) {
  Target target = target_of(name);
  if (target.exists && target.status.st_nlink > 1)
    refuse_to_write(name, fmt::format("the same file has {} names (hard links), and only this one would be changed; "
                                      "remove it first, or name another file",
                                      target.status.st_nlink));
  return target;
}

bool make_folder(const std::string& name) {
  std::string path = name;
  while (path.size() > 1 && path.ends_with('/')) path.pop_back();
  std::error_code failed;
  const fs::file_status status = fs::status(path, failed);
  if (fs::is_directory(status)) return false;
  if (fs::exists(status)) refuse_to_write(name, "it is not a folder");
  require_folder_of(name, path);
  if (!fs::create_directory(path, failed)) refuse_to_write(name, failed.value());
  return true;
}

}  // namespace quadrille
