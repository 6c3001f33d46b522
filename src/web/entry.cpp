// What a web page calls: the program `quadrille`, whose words come in and whose output goes to files in the page's
// memory.
#include <cstdio>
#include <iostream>

#include "cli/commands.hpp"

namespace quadrille::web {

namespace {

/// From here on the stream writes to the file of this name, which begins anew.
bool send_to(std::FILE* stream, const char* file) { return std::freopen(file, "w", stream) != nullptr; }

}  // namespace

}  // namespace quadrille::web

/// Runs one command and returns its exit status. What it says is in /answer/stdout and /answer/stderr afterwards.
extern "C" int quadrille_run(int argc, char** argv) {
  using quadrille::web::send_to;
  if (!send_to(stdout, "/answer/stdout") || !send_to(stderr, "/answer/stderr")) return quadrille::console::Status::bad;
  const int status = quadrille::cli::run(argc, argv);
  std::cout.flush();
  std::fflush(nullptr);
  return status;
}
