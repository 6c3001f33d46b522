// The program `quadrille-lab`: networks of hosts on one machine, made, used and removed.
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "cli/program.hpp"
#include "verbs.hpp"

namespace {

using namespace quadrille;

/// mpirun starts ranks by a link to this program that is called rsh.
int serve(int argc, char** argv) {
  try {
    lab::serve_rsh(argc, argv);
  } catch (const std::exception& error) {
    fmt::print(stderr, "quadrille-lab: {}\n", error.what());
    return cli::Status::bad;
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (std::filesystem::path(argv[0]).filename() == "rsh") return serve(argc, argv);
  cli::Context context;
  CLI::App app("Emulated networks: hosts and links of network namespaces on this machine. Needs root.",
               "quadrille-lab");
  app.set_version_flag("--version", "quadrille-lab " QUADRILLE_VERSION, "Print the version and exit");
  cli::prepare_program(app, context);
  lab::add_making_verbs(app, context);
  lab::add_looking_verbs(app, context);
  lab::add_running_verbs(app, context);
  app.footer(
      "\nExit status: 0 done, 1 the answer is no, 2 bad usage or input; exec and mpirun pass on the program's.\n"
      "Each command explains itself: quadrille-lab COMMAND --help.");
  return cli::run_program(argc, argv, app, context);
}
