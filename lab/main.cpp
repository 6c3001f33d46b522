// The program `quadrille-lab`: networks of hosts on one machine, made, used and removed.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "console/manual.hpp"
#include "console/program.hpp"
#include "console/table.hpp"
#include "quadrille/version.hpp"
#include "verbs.hpp"

namespace {

using namespace quadrille;

/// mpirun starts ranks by a link to this program that is called rsh.
int serve(int argc, char** argv) {
  try {
    lab::serve_rsh(argc, argv);
  } catch (const Error& error) {
    fmt::print(stderr, "quadrille-lab: {}\n", error.what());
    return console::status_of(error.kind());
  } catch (const std::exception& error) {
    fmt::print(stderr, "quadrille-lab: internal error: {}\n", error.what());
    return console::Status::bad;
  }
}

/// What follows two dashes is the validating program's; without them it is passed on whole, whatever it is.
std::vector<char*> without_dashes(int argc, char** argv) {
  std::vector<char*> words(argv, argv + argc);
  if (argc > 1 && std::string_view(argv[1]) == "validate")
    if (const auto dashes = std::find(words.begin(), words.end(), std::string_view("--")); dashes != words.end())
      words.erase(dashes);
  return words;
}

}  // namespace

int main(int argc, char** argv) {
  if (std::filesystem::path(argv[0]).filename() == "rsh") return serve(argc, argv);
  console::Context context;
  CLI::App app("Emulated networks: hosts and links of network namespaces on this machine. Needs root.",
               "quadrille-lab");
  app.set_version_flag("--version", "quadrille-lab " QUADRILLE_VERSION, "Print the version and exit");
  console::prepare_program(app, context);
  lab::add_making_verbs(app, context);
  lab::add_changing_verbs(app, context);
  lab::add_looking_verbs(app, context);
  lab::add_running_verbs(app, context);
  console::add_manual(app, context);
  app.footer("\n" + console::wrapped(console::status_help, 0) +
             " exec, mpirun and validate pass on the program's.\n"
             "Each command explains itself: quadrille-lab COMMAND --help.");
  std::vector<char*> words = without_dashes(argc, argv);
  const int count = static_cast<int>(words.size());
  words.push_back(nullptr);
  return console::run_program(count, words.data(), app, context);
}
