#include "cli/program.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>

#include "base/text.hpp"
#include "cli/table.hpp"
#include "quadrille/base.hpp"

namespace quadrille::cli {

namespace {

/// Help whose descriptions wrap beside the names.
class Help final : public CLI::Formatter {
  std::string make_option_desc(const CLI::Option* option) const override {
    return wrapped(option->get_description(), 0, line_width - get_column_width());
  }
};

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// What CLI11 says, with where to read on.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error, int argc, char** argv) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty() && argc > 1 && argv[1][0] != '-') {
    try {
      unknown_name("command", argv[1], "command", command_names(app));
    } catch (const Error& unknown) {
      return unknown.what();
    }
  }
  if (chosen.empty() && argc <= 1)
    return fmt::format("a command is missing: {}; see '{} --help'", join(command_names(app), ", "), app.get_name());
  std::string text = error.what();
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  for (char& c : text)
    if (c == '\n') c = ' ';
  if (text.starts_with("The ")) text.front() = 't';  // as our own messages begin
  return fmt::format("{}; see '{} {}--help'", text, app.get_name(),
                     chosen.empty() ? "" : chosen.front()->get_name() + " ");
}

int fail(const CLI::App& app, Context& context, std::string_view message) {
  context.end_progress();
  // stderr may be closed: the status says it, too.
  std::fputs(fmt::format("{}: {}\n", app.get_name(), message).c_str(), stderr);
  return Status::bad;
}

/// What is wrong everywhere: the process that answers says it and has the status. The others end well, because a
/// launcher that sees one of them fail may end the job before the words of the first have arrived.
int refuse(const CLI::App& app, Context& context, std::string_view message, int status) {
  if (context.quiet) return Status::yes;
  fail(app, context, message);
  return status;
}

/// Writes the answer; a full disk is an error as any other.
int deliver(const CLI::App& app, Context& context) {
  context.end_progress();
  if (context.quiet) return context.status;
  if (std::fwrite(context.out.data(), 1, context.out.size(), stdout) != context.out.size() || std::fflush(stdout) != 0)
    return fail(app, context, "cannot write to standard output");
  return context.status;
}

/// Colour is for people at a terminal who have not declined it.
bool wants_colour() {
  const char* declined = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  if (declined != nullptr && *declined != '\0') return false;
  return isatty(STDOUT_FILENO) != 0 && (terminal == nullptr || std::string_view(terminal) != "dumb");
}

/// An empty argument is a script's unset variable: never the same as no argument.
void refuse_empty_values(CLI::App& app) {
  for (CLI::App* command : app.get_subcommands({}))
    for (CLI::Option* option : command->get_options())
      if (option->get_items_expected_max() > 0)
        option->check(CLI::Validator(
            [](const std::string& text) { return std::string(text.empty() ? "the value is empty" : ""); }, ""));
}

}  // namespace

void prepare_program(CLI::App& app, Context& context) {
  context.colour = wants_colour();
  app.require_subcommand(1);
  app.formatter(std::make_shared<Help>());
  app.get_formatter()->column_width(30);
}

int run_program(int argc, char** argv, CLI::App& app, Context& context) {
  refuse_empty_values(app);
  try {
    app.parse(argc, argv);
    return deliver(app, context);
  } catch (const CLI::Success& success) {  // --help, --version
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    context.quiet = context.echo;
    return refuse(app, context, usage_error(app, error, argc, argv), Status::bad);
  } catch (const Error& error) {
    return refuse(app, context, error.what(), error.kind() == Error::Kind::transport ? Status::no : Status::bad);
  } catch (const std::bad_alloc&) {
    return fail(app, context, "out of memory; try a smaller topology or fewer bytes");
  } catch (const std::exception& error) {
    return fail(app, context, fmt::format("internal error: {}", error.what()));
  }
}

}  // namespace quadrille::cli
