#include "files/mapped.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "files/file.hpp"

namespace quadrille::files {

MappedFile::MappedFile(const std::string& path, std::size_t most, std::string_view what) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  struct stat status {};
  const bool is_file = file >= 0 && ::fstat(file, &status) == 0 && S_ISREG(status.st_mode);
  const auto size = is_file ? static_cast<std::size_t>(status.st_size) : 0;
  void* memory = MAP_FAILED;
  if (size > 0 && size <= most) memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0);
  if (file >= 0) ::close(file);
  if (memory == MAP_FAILED) {
    copy_ = read_file(path, most, what);  // which says what is wrong, if anything is
    return;
  }
  ::madvise(memory, size, MADV_SEQUENTIAL);  // where it fails, it is slower
  data_ = static_cast<const char*>(memory), size_ = size;
}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  copy_.swap(other.copy_);
  return *this;
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<char*>(data_), size_);
}

}  // namespace quadrille::files
