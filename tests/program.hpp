// The program itself, run as a user runs it, for tests.
#pragma once

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
/// stdout and stderr on one terminal; `no_colour` sets NO_COLOR. Everything is in `out`.
Ran run_on_terminal(const std::string& line, bool no_colour);

}  // namespace quadrille
