// Files that are whole or not there, and that one program at a time changes.
#pragma once

#include <string>
#include <string_view>

namespace quadrille {

/// Writes `content` beside `path` and renames it there, so that no reader sees half a file; makes missing folders.
/// Throws Error(argument) with the path and the system's reason; then `path` is as it was.
void write_file(const std::string& path, std::string_view content);

/// The same for what is written bit by bit and never in memory as a whole: beside `path` until commit(), and gone
/// without it.
class FileWriter {
 public:
  explicit FileWriter(const std::string& path);
  ~FileWriter();
  FileWriter(const FileWriter&) = delete;
  FileWriter& operator=(const FileWriter&) = delete;
  void write(std::string_view text);
  void commit();

 private:
  [[noreturn]] void give_up(int error);
  void remove();
  std::string path_, temporary_;
  int file_ = -1;
};

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
