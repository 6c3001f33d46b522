// Files that are whole or not there.
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

}  // namespace quadrille
