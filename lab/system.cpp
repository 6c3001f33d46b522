#include "system.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "base/text.hpp"
#include "console/status.hpp"

extern char** environ;

namespace quadrille::lab {

namespace {

volatile std::sig_atomic_t stopped = 0;
bool stoppable = true;

/// A file in memory for a child's input or output: no pipe that could fill up.
class Scratch {
 public:
  explicit Scratch(std::string_view content = {}) : file_(memfd_create("quadrille-lab", MFD_CLOEXEC)) {
    if (file_ < 0) throw Error(Error::Kind::transport, fmt::format("memfd_create: {}", std::strerror(errno)));
    while (!content.empty()) {
      const ssize_t n = write(file_, content.data(), content.size());
      if (n <= 0) throw Error(Error::Kind::transport, fmt::format("write: {}", std::strerror(errno)));
      content.remove_prefix(static_cast<std::size_t>(n));
    }
    lseek(file_, 0, SEEK_SET);
  }
  ~Scratch() { close(file_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;

  int file() const { return file_; }
  std::string content() const {
    std::string text(static_cast<std::size_t>(std::max<off_t>(lseek(file_, 0, SEEK_END), 0)), '\0');
    const ssize_t n = pread(file_, text.data(), text.size(), 0);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
    return text;
  }

 private:
  int file_;
};

/// Starts the program in a process group of its own, so that the terminal's ^C reaches only us.
pid_t start(const std::vector<std::string>& command, const Scratch& in, const Scratch& out, const Scratch& err) {
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, in.file(), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&files, out.file(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, err.file(), STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  pid_t child = -1;
  const int status = posix_spawnp(&child, argv[0], &files, &attributes, argv.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  posix_spawnattr_destroy(&attributes);
  if (status != 0)
    throw Error(Error::Kind::transport,
                fmt::format("cannot run '{}': {}; is iproute2 installed?", command[0], std::strerror(status)));
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string first_line(std::string_view text) { return base::quoted(text.substr(0, text.find('\n')), 200); }

}  // namespace

void require_root() {
  if (geteuid() != 0)
    throw Error(Error::Kind::illegal, "a lab is made of network namespaces, which only root may make: run as root");
}

void notice_signals() {
  struct sigaction action {};
  action.sa_handler = [](int) { stopped = 1; };
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaction(signal, &action, nullptr);
}

void cleaning_up() { stoppable = false; }

std::string run(const std::vector<std::string>& command, std::string_view input) {
  if (stopped != 0 && stoppable) throw console::Interrupted();
  const Scratch in(input), out, err;
  const int status = wait_for(start(command, in, out, err));
  if (stopped != 0 && stoppable) throw console::Interrupted();
  if (status != 0)
    throw Error(Error::Kind::transport,
                fmt::format("'{}' failed ({}): {}", base::join(command, " "), status, first_line(err.content())));
  return out.content();
}

std::vector<std::string> namespaces() {
  std::vector<std::string> names;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/run/netns", none))
    names.push_back(entry.path().filename());
  std::sort(names.begin(), names.end());
  return names;
}

bool namespace_exists(const std::string& name) { return std::filesystem::exists("/run/netns/" + name); }

std::vector<pid_t> processes_in(const std::string& name) {
  std::vector<pid_t> processes;
  struct stat wanted {};
  if (stat(("/run/netns/" + name).c_str(), &wanted) != 0) return processes;
  std::error_code gone;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", gone)) {
    const std::string number = entry.path().filename();
    if (number.find_first_not_of("0123456789") != std::string::npos) continue;
    struct stat found {};
    if (stat((entry.path() / "ns/net").c_str(), &found) != 0) continue;
    if (found.st_ino == wanted.st_ino && found.st_dev == wanted.st_dev) processes.push_back(std::stoi(number));
  }
  return processes;
}

void end_processes(const std::vector<std::string>& names) {
  for (int tenths = 0; tenths <= 20; ++tenths) {
    bool any = false;
    for (const std::string& name : names)
      for (const pid_t process : processes_in(name)) {
        if (process == getpid()) continue;
        any = true;
        if (tenths == 0 || tenths >= 10) kill(process, tenths == 0 ? SIGTERM : SIGKILL);
      }
    if (!any) return;
    usleep(100'000);
  }
}

std::string own_program() { return std::filesystem::read_symlink("/proc/self/exe"); }

}  // namespace quadrille::lab
