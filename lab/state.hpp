// The folder of a lab: files written and read back.
#pragma once

#include "lab.hpp"

namespace quadrille::lab {

/// Held by whoever makes, changes or removes a lab; given back when the process ends, however it ends. Throws
/// Error(illegal) where somebody else has it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int file_;
};

/// Writes lab.json and the topology anew: each whole or not at all.
void save(const Lab& lab);
/// Everything else in the folder.
void write_files(const Lab& lab);
/// Removes the files of a lab, and the folder when nothing else is in it.
void remove_files(const std::filesystem::path& folder);
/// Names of namespaces begin with this; a different one for every folder.
std::string prefix_of(const std::filesystem::path& folder);

}  // namespace quadrille::lab
