#include "dropin/report/last_report.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace quadrille::dropin::last_report {

namespace {

struct Caught {
  int number;
  bool crash;  ///< of the process that gets it; the others are meant for the whole program
  const char* reason;
};
constexpr std::array caught{
    Caught{SIGTERM, false, "was ended by SIGTERM"}, Caught{SIGINT, false, "was ended by SIGINT"},
    Caught{SIGHUP, false, "was ended by SIGHUP"},   Caught{SIGXCPU, false, "was ended by SIGXCPU"},
    Caught{SIGSEGV, true, "crashed by SIGSEGV"},    Caught{SIGBUS, true, "crashed by SIGBUS"},
    Caught{SIGFPE, true, "crashed by SIGFPE"},      Caught{SIGILL, true, "crashed by SIGILL"},
    Caught{SIGABRT, true, "was ended by abort()"}};

struct File {
  std::string path, draft;  ///< not changed while handlers are there
};
File report, wisdom;
std::array<struct sigaction, caught.size()> before;
std::array<bool, caught.size()> installed{};
std::array<Texts, 2> texts;  ///< one to be written, one to be filled
std::atomic<const Texts*> ready{nullptr};
std::atomic<bool> armed{false}, writing{false};
bool first_rank = false;
pid_t owner = 0;

/// As a signal handler may.
void put(int file, const char* data, std::size_t size) {
  while (size > 0) {
    const ssize_t done = ::write(file, data, size);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return;
    data += done;
    size -= static_cast<std::size_t>(done);
  }
}

/// `instead`: only where the file is that one still; null: whatever is there.
void put(const File& file, const std::string& text, const FileState* instead = nullptr) {
  if (file.path.empty() || text.empty()) return;
  const int number = ::open(file.draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (number < 0) return;
  put(number, text.data(), text.size());
  ::close(number);
  if (instead != nullptr && state_of(file.path.c_str()) != *instead)
    ::unlink(file.draft.c_str());
  else
    std::rename(file.draft.c_str(), file.path.c_str());
}

/// Where nobody reads it any more, as of a step that SLURM ends, the program ends as it would have, and not by SIGPIPE.
void say(const char* reason, const std::string& table) {
  constexpr const char* who = "quadrille: the program ";
  constexpr const char* what = "; what rank 0 knew of itself shortly before:\n";
  sigset_t pipe, old;
  sigemptyset(&pipe);
  sigaddset(&pipe, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &pipe, &old);
  put(STDERR_FILENO, who, std::strlen(who));
  put(STDERR_FILENO, reason, std::strlen(reason));
  put(STDERR_FILENO, what, std::strlen(what));
  put(STDERR_FILENO, table.data(), table.size());
  const timespec at_once{};
  sigtimedwait(&pipe, nullptr, &at_once);
  pthread_sigmask(SIG_SETMASK, &old, nullptr);
}

/// Links are followed now, as handlers cannot. What is no plain file, such as a device, must not be replaced: then
/// nothing is written to it.
File file_of(const std::string& name) {
  namespace fs = std::filesystem;
  if (name.empty()) return {};
  std::error_code error;
  const fs::path path = fs::weakly_canonical(fs::absolute(name, error), error);
  if (error) return {};
  const fs::file_type type = fs::status(path, error).type();
  if (type != fs::file_type::regular && type != fs::file_type::not_found) return {};
  return {path.string(), fmt::format("{}.{}", path.string(), owner)};
}

/// Calls what was there before; without any the process ends as it would have.
void pass_on(std::size_t which, int number, siginfo_t* info, void* context) {
  const struct sigaction old = before[which];
  if ((old.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) before[which].sa_handler = SIG_DFL;
  if ((old.sa_flags & SA_SIGINFO) != 0) return old.sa_sigaction(number, info, context);
  if (old.sa_handler == SIG_IGN) return;
  if (old.sa_handler != SIG_DFL) return old.sa_handler(number);
  std::signal(number, SIG_DFL);
  std::raise(number);  // comes when this handler is left
}

void on_signal(int number, siginfo_t* info, void* context) {
  const int error = errno;
  std::size_t which = 0;
  while (caught[which].number != number) ++which;
  write(caught[which].reason);
  errno = error;
  pass_on(which, number, info, context);
}

void install() {
  for (std::size_t i = 0; i < caught.size(); ++i) {
    if ((!caught[i].crash && !first_rank) || sigaction(caught[i].number, nullptr, &before[i]) != 0) continue;
    if ((before[i].sa_flags & SA_SIGINFO) == 0 && before[i].sa_handler == SIG_IGN) continue;  // as it was started
    struct sigaction ours {};
    ours.sa_sigaction = on_signal;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (before[i].sa_flags & SA_RESTART);
    sigfillset(&ours.sa_mask);
    installed[i] = sigaction(caught[i].number, &ours, nullptr) == 0;
  }
}

}  // namespace

void begin(const std::string& report_file, const std::string& wisdom_file, bool first) {
  owner = getpid();
  first_rank = first;
  report = file_of(report_file);
  wisdom = file_of(wisdom_file);
  armed = true;
  install();
  std::atexit([] { write("ended without MPI_Finalize"); });
}

void prepare(Texts next) {
  if (!armed || writing) return;
  Texts& free = texts[ready.load() == &texts[0] ? 1 : 0];
  free = std::move(next);
  ready = &free;
}

void write(const char* reason) {
  if (!armed || getpid() != owner || writing.exchange(true)) return;
  const Texts* const now = ready;
  if (now == nullptr) return;
  put(report, now->json);
  put(wisdom, now->wisdom, &now->wisdom_instead);
  if (first_rank && !now->table.empty()) say(reason, now->table);
}

void end() {
  if (!armed.exchange(false)) return;
  for (std::size_t i = 0; i < caught.size(); ++i) {
    struct sigaction now {};
    if (!installed[i] || sigaction(caught[i].number, nullptr, &now) != 0) continue;
    if ((now.sa_flags & SA_SIGINFO) != 0 && now.sa_sigaction == on_signal)
      sigaction(caught[i].number, &before[i], nullptr);
  }
}

}  // namespace quadrille::dropin::last_report
