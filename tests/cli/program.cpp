#include "program.hpp"

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>

#include "base/text.hpp"

namespace quadrille {

namespace {

std::vector<std::string> words(const std::string& line) {
  std::vector<std::string> all;
  for (const std::string_view word : base::split(line, ' '))
    if (!word.empty()) all.emplace_back(word);
  return all;
}

[[noreturn]] void become_program(std::vector<std::string> arguments) {
  std::string name = "quadrille";
  std::vector<char*> argv{name.data()};
  for (std::string& a : arguments) argv.push_back(a.data());
  argv.push_back(nullptr);
  execv(QUADRILLE_PROGRAM, argv.data());
  _exit(127);
}

int status_of(pid_t child) {
  int status = 0;
  if (waitpid(child, &status, 0) != child) throw std::system_error(errno, std::generic_category(), "waitpid");
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

std::string content(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void redirect(const std::filesystem::path& path, int to) {
  const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (file < 0 || dup2(file, to) < 0) _exit(126);
}

}  // namespace

Ran run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder) {
  const std::string name = "quadrille_test_" + std::to_string(getpid());
  const auto out = std::filesystem::temp_directory_path() / (name + ".out");
  const auto err = std::filesystem::temp_directory_path() / (name + ".err");
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    redirect(out, STDOUT_FILENO);
    redirect(err, STDERR_FILENO);
    if (chdir(folder.c_str()) != 0) _exit(126);
    become_program(arguments);
  }
  Ran ran;
  ran.status = status_of(child);
  ran.out = content(out);
  ran.err = content(err);
  std::filesystem::remove(out);
  std::filesystem::remove(err);
  return ran;
}

Ran run_program(const std::string& line, const std::filesystem::path& folder) {
  return run_program(words(line), folder);
}

pid_t start_program(const std::string& line, const std::filesystem::path& folder) {
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child > 0) return child;
  redirect("/dev/null", STDOUT_FILENO);
  redirect("/dev/null", STDERR_FILENO);
  if (chdir(folder.c_str()) != 0) _exit(126);
  become_program(words(line));
}

int end_program(pid_t child, int signal) {
  int status = 0;
  if (kill(child, signal) != 0 || waitpid(child, &status, 0) != child)
    throw std::system_error(errno, std::generic_category(), "kill");
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

Ran run_on_terminal(const std::string& line, bool no_colour) {
  int terminal = -1;
  const std::vector<std::string> arguments = words(line);
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child < 0) throw std::system_error(errno, std::generic_category(), "forkpty");
  if (child == 0) {
    setenv("TERM", "xterm", 1);
    no_colour ? setenv("NO_COLOR", "1", 1) : unsetenv("NO_COLOR");
    become_program(arguments);
  }
  Ran ran;
  char buffer[4096];
  for (ssize_t n = 0; (n = read(terminal, buffer, sizeof buffer)) > 0;)
    ran.out.append(buffer, static_cast<std::size_t>(n));
  ran.status = status_of(child);
  close(terminal);
  return ran;
}

}  // namespace quadrille
