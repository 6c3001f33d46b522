// The text of large files without a copy of it.
#pragma once

#include <string>
#include <string_view>

namespace quadrille::files {

/// All of a regular file of at most `most` bytes, with the errors of read_file(). The system brings parts of it as they
/// are looked at, and forgets them again where memory is short. While it is used the file must not become shorter.
class MappedFile {
 public:
  MappedFile() = default;
  MappedFile(const std::string& path, std::size_t most, std::string_view what);
  MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();
  std::string_view text() const { return data_ == nullptr ? std::string_view(copy_) : std::string_view(data_, size_); }

 private:
  const char* data_ = nullptr;
  std::size_t size_ = 0;
  std::string copy_;  ///< of a file that cannot be mapped
};

}  // namespace quadrille::files
