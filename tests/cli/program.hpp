// The program itself, run as a user runs it, for tests.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace quadrille {

struct Ran {
  int status = -1;  ///< exit status; -1 when it was ended by a signal
  std::string out, err;
};

/// Runs the program with these arguments in `folder`, its output into files.
Ran run_program(const std::vector<std::string>& arguments, const std::filesystem::path& folder);
/// The same with the arguments in one line, separated by blanks.
Ran run_program(const std::string& line, const std::filesystem::path& folder = std::filesystem::temp_directory_path());
/// Starts it with its output into nothing; and sends it a signal and waits for its end: the status as a shell says it.
pid_t start_program(const std::string& line, const std::filesystem::path& folder);
int end_program(pid_t child, int signal);
/// stdout and stderr on one terminal; `no_colour` sets NO_COLOR. Everything is in `out`.
Ran run_on_terminal(const std::string& line, bool no_colour);

}  // namespace quadrille
