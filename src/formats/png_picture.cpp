// Pictures as PNG, by rsvg-convert, which Debian has in librsvg2-bin.
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "formats/table.hpp"

namespace quadrille::formats {

namespace {

/// A file in memory: a program may read and write it in any order, and it leaves nothing behind.
class Scratch {
 public:
  Scratch() : file_(::memfd_create("quadrille-plot", MFD_CLOEXEC)) { check(file_ >= 0); }
  ~Scratch() { ::close(file_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  int file() const { return file_; }
  void put(const std::string& content) {
    check(::pwrite(file_, content.data(), content.size(), 0) == static_cast<ssize_t>(content.size()));
  }
  std::string content() const {
    std::string text(static_cast<std::size_t>(::lseek(file_, 0, SEEK_END)), '\0');
    check(::pread(file_, text.data(), text.size(), 0) == static_cast<ssize_t>(text.size()));
    return text;
  }

 private:
  static void check(bool fine) {
    if (!fine) throw Error(Error::Kind::budget, "plot: no memory for the picture");
  }
  int file_;
};

}  // namespace

std::string png_picture(const std::string& svg) {
  Scratch in, out;
  in.put(svg);
  const pid_t child = ::fork();
  if (child == 0) {
    if (::dup2(in.file(), STDIN_FILENO) >= 0 && ::dup2(out.file(), STDOUT_FILENO) >= 0)
      ::execlp("rsvg-convert", "rsvg-convert", "--zoom", "2", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  int status = -1;
  const bool ran = child > 0 && ::waitpid(child, &status, 0) == child && WIFEXITED(status);
  if (ran && WEXITSTATUS(status) == 0) return out.content();
  throw Error(Error::Kind::argument,
              ran && WEXITSTATUS(status) == 127
                  ? "plot: PNG needs rsvg-convert, which is not there (Debian: librsvg2-bin); an .svg needs nothing"
                  : "plot: rsvg-convert failed");
}

}  // namespace quadrille::formats
