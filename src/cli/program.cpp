// The program `quadrille` as a function: declares the commands and runs one.
#include "console/program.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "cli/commands.hpp"
#include "cli/options/transport.hpp"
#include "console/manual.hpp"
#include "console/table.hpp"
#include "quadrille/plugin.hpp"
#include "quadrille/version.hpp"

namespace quadrille::cli {

namespace {

/// The same arguments with every --plugin in front: what a plug-in adds may be named anywhere.
std::vector<char*> plugins_first(int argc, char** argv) {
  std::vector<char*> first(argv, argv + std::min(argc, 1)), others;
  bool options = true;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    options = options && word != "--";
    const bool plugin = options && (word == "--plugin" || word.starts_with("--plugin="));
    (plugin ? first : others).push_back(argv[i]);
    if (plugin && word == "--plugin" && i + 1 < argc) first.push_back(argv[++i]);
  }
  first.insert(first.end(), others.begin(), others.end());
  first.push_back(nullptr);
  return first;
}

}  // namespace

int run(int argc, char** argv) {
  std::vector<char*> arguments = plugins_first(argc, argv);
  console::Context context;
  context.echo = launched_rank() > 0;
  CLI::App app("Collective communication that is planned, proven, priced, run and explained.", "quadrille");
  app.set_version_flag("--version", "quadrille " QUADRILLE_VERSION, "Print the version and exit");
  console::prepare_program(app, context);
  app.add_option("--plugin", "A shared library with algorithms and topologies of your own")
      ->each([](const std::string& file) { load_plugin(file); })
      ->type_name("FILE")
      ->allow_extra_args(false)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  add_plan(app, context);
  add_verify(app, context);
  add_price(app, context);
  add_simulate(app, context);
  add_run(app, context);
  add_tune(app, context);
  add_sweep(app, context);
  add_wisdom(app, context);
  add_plot(app, context);
  add_report(app, context);
  add_reproduce(app, context);
  add_errata(app, context);
  add_export(app, context);
  add_replay(app, context);
  add_rules(app, context);
  add_algorithm(app, context);
  add_topology(app, context);
  add_machine(app, context);
  console::add_manual(app, context);
  app.footer("\n" + console::wrapped(console::status_help, 0) +
             "\nEach command explains itself: quadrille COMMAND --help.");
  return console::run_program(argc, arguments.data(), app, context);
}

}  // namespace quadrille::cli
