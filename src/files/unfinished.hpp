// Temporary files that are to go when a signal ends the program.
#pragma once

#include <string>

namespace quadrille::files {

/// Makes a new file, which nobody had, that remove_unfinished_files() removes; -1 and errno when that cannot be. The
/// text must stay where it is until forget_unfinished().
int make_unfinished(const std::string& path, int mode);
void forget_unfinished(const std::string& path);

}  // namespace quadrille::files
