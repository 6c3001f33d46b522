// What a name stands for to somebody who writes a file there.
#pragma once

#include <sys/stat.h>

#include <string>

namespace quadrille::files {

/// A regular file, or the place for one. Everything else that has a name is refused, and so is what would be harmed.
struct Target {
  std::string path;     ///< where symbolic links lead
  bool exists = false;  ///< then `status` says what is there
  struct stat status {};
};

/// Follows links. Throws Error(argument), naming what would be accepted: for a folder, device, FIFO or socket, a file
/// that is write-protected or that standard output goes to, and a place in a folder that is missing.
Target target_of(const std::string& name);

/// The same, for a file that is to be replaced by another one: also refuses one that has a second name.
Target replaceable(const std::string& name);

/// Makes a folder in one that is there, unless it is there already; whether it did.
bool make_folder(const std::string& name);

[[noreturn]] void refuse_to_write(const std::string& name, const std::string& why);
[[noreturn]] void refuse_to_write(const std::string& name, int error);

}  // namespace quadrille::files
