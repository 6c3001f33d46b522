#include "files/unfinished.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "files/file.hpp"

namespace quadrille::files {

namespace {

/// More files at once than any command writes; those beyond are only not removed by signals.
std::array<std::atomic<const char*>, 16> unfinished;
std::atomic<pid_t> writer;  // a process forked meanwhile must not remove them
static_assert(std::atomic<const char*>::is_always_lock_free && std::atomic<pid_t>::is_always_lock_free);

/// Holds signals back while it lives: a file that was just made is known before one of them arrives.
class SignalsLater {
 public:
  SignalsLater() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before_);
  }
  ~SignalsLater() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  SignalsLater(const SignalsLater&) = delete;
  SignalsLater& operator=(const SignalsLater&) = delete;

 private:
  sigset_t before_;
};

}  // namespace

int make_unfinished(const std::string& path, int mode) {
  const SignalsLater later;
  const int file =
      ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, static_cast<mode_t>(mode));
  if (file < 0) return file;
  writer = ::getpid();
  for (auto& place : unfinished)
    if (const char* none = nullptr; place.compare_exchange_strong(none, path.c_str())) break;
  return file;
}

void forget_unfinished(const std::string& path) {
  for (auto& place : unfinished)
    if (const char* known = path.c_str(); place.compare_exchange_strong(known, nullptr)) break;
}

void remove_unfinished_files() noexcept {
  const int error = errno;
  if (writer == ::getpid())
    for (auto& place : unfinished)
      if (const char* const path = place.exchange(nullptr); path != nullptr) ::unlink(path);
  errno = error;
}

}  // namespace quadrille::files
