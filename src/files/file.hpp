// Files that are whole or not there, that harm nothing, and that one program at a time changes.
#pragma once

#include <string>
#include <string_view>

#include "files/target.hpp"

namespace quadrille::files {

/// Whether a name of a file to write is "-", which stands for standard output.
bool is_standard_output(std::string_view name);

/// Throws what write_file() would throw, as far as that can be known before: for commands that work long first.
void check_writable(const std::string& path);

/// Writes `content` beside `path` and renames it there, so that no reader sees half a file. Links are followed, and a
/// file that was there keeps its owner and permissions. Throws Error(argument) with the reason; then `path` is as it
/// was. See target.hpp for what is refused.
void write_file(const std::string& path, std::string_view content);

/// The same for what is written bit by bit and never in memory as a whole: beside `path` until commit(), and gone
/// without it. What goes to standard output is written at once.
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
  void make_temporary();
  void keep_owner_and_permissions();
  void check_unchanged();
  void remove();
  std::string name_, temporary_;
  Target target_;
  bool standard_ = false;
  int file_ = -1;
};

/// Removes what FileWriters have not committed. For signal handlers that end the program.
void remove_unfinished_files() noexcept;

/// All of a regular file of at most `most` bytes; `what` names it in errors.
std::string read_file(const std::string& path, std::size_t most, std::string_view what);

/// Keeps other FileLocks of the same file waiting, in this program and in others, while it lives; ends with the program
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

}  // namespace quadrille::files
