// How a process becomes one of a lab's hosts.
#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "base/text.hpp"
#include "system.hpp"

namespace quadrille::lab {

namespace {

[[noreturn]] void fail(std::string_view what, std::string_view name) {
  throw Error(Error::Kind::transport, fmt::format("{} of {}: {}", what, name, std::strerror(errno)));
}

ino_t own_network() {
  struct stat found {};
  if (stat("/proc/self/ns/net", &found) != 0) fail("the network", "this process");
  return found.st_ino;
}

bool write_setting(const std::string& path, const std::string& value) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool written = write(file, value.data(), value.size()) == static_cast<ssize_t>(value.size());
  close(file);
  return written;
}

/// The first setting that could not be written, counted from 1; 0 when all were.
int write_all(const std::vector<std::pair<std::string, std::string>>& settings) {
  for (std::size_t i = 0; i < settings.size(); ++i)
    if (!write_setting("/proc/sys/net/" + settings[i].first, settings[i].second)) return static_cast<int>(i) + 1;
  return 0;
}

}  // namespace

void enter_network(const std::string& name) {
  const ino_t before = own_network();
  const int file = ::open(("/run/netns/" + name).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) fail("network namespace", name);
  const int status = setns(file, CLONE_NEWNET);
  close(file);
  if (status != 0) fail("entering the network", name);
  if (own_network() == before)
    throw Error(Error::Kind::internal, fmt::format("'{}' is the network this process was in already", name));
}

void write_settings(const std::string& name, const std::vector<std::pair<std::string, std::string>>& settings) {
  constexpr int not_entered = 255;
  const pid_t child = fork();
  if (child < 0) fail("a process for the settings", name);
  if (child == 0) {
    try {
      enter_network(name);
    } catch (...) {
      _exit(not_entered);  // never write to the network we came from
    }
    _exit(write_all(settings));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  const int failed = WIFEXITED(status) ? WEXITSTATUS(status) : not_entered;
  if (failed == 0) return;
  throw Error(Error::Kind::transport,
              failed == not_entered || failed > static_cast<int>(settings.size())
                  ? fmt::format("cannot enter network namespace {}", name)
                  : fmt::format("cannot set net/{} to {} in {}", settings[static_cast<std::size_t>(failed) - 1].first,
                                settings[static_cast<std::size_t>(failed) - 1].second, name));
}

void become_host(const std::string& name, const std::string& hosts_file) {
  enter_network(name);
  if (unshare(CLONE_NEWUTS | CLONE_NEWNS | CLONE_NEWIPC) != 0) fail("a host's own names", name);
  if (sethostname(name.data(), name.size()) != 0) fail("the host name", name);
  // What is mounted from here on stays here. /sys shows the devices of the network it was mounted in.
  if (mount("", "/", "none", MS_SLAVE | MS_REC, nullptr) != 0) fail("mounts", name);
  if (umount2("/sys", MNT_DETACH) == 0 && mount("sysfs", "/sys", "sysfs", 0, nullptr) != 0) fail("/sys", name);
  if (mount(hosts_file.c_str(), "/etc/hosts", "none", MS_BIND, nullptr) != 0) fail("/etc/hosts", name);
  // Memory that ranks of a host share is not other hosts': MPIs would find it there, too, and leave the network out.
  if (mount("tmpfs", "/dev/shm", "tmpfs", MS_NOSUID | MS_NODEV, nullptr) != 0) fail("/dev/shm", name);
}

void replace_process(const std::vector<std::string>& command) {
  std::vector<char*> argv;
  for (const std::string& word : command) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  execvp(argv[0], argv.data());
  throw Error(Error::Kind::argument, fmt::format("cannot run {}: {}", base::quoted(command[0]), std::strerror(errno)));
}

}  // namespace quadrille::lab
