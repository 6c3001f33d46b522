// Whether a file is the one that it was.
#pragma once

#include <sys/stat.h>

#include <cstdint>

namespace quadrille::dropin {

/// Not equal for another file of the same name, or one that was written to.
struct FileState {
  bool there = false;
  std::uint64_t device = 0, number = 0;
  std::int64_t bytes = 0, seconds = 0, nanoseconds = 0;
  bool operator==(const FileState&) const = default;
};

/// As a signal handler may.
inline FileState state_of(const char* path) {
  struct stat s {};
  if (::stat(path, &s) != 0) return {};
  return {true, s.st_dev, s.st_ino, s.st_size, s.st_mtim.tv_sec, s.st_mtim.tv_nsec};
}

}  // namespace quadrille::dropin
