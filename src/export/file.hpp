// Files that are whole or not there, and that one program at a time changes.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// Writes `content` beside `path` and renames it there, so that no reader sees half a file; makes missing folders.
/// Throws Error(argument) with the path and the system's reason; then `path` is as it was.
void write_file(const std::string& path, std::string_view content);

/// All of a regular file of at most `most` bytes; `what` names it in errors.
std::string read_file(const std::string& path, std::size_t most, std::string_view what);

/// Keeps other FileLocks of the same path waiting, in this program and in others, while it lives; ends with the program
/// however that ends. It is a file `path`.lock, gone when nobody has it.
class FileLock {
 public:
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string name_;
  int file_ = -1;
};

}  // namespace quadrille
