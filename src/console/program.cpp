#include "console/program.hpp"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "console/table.hpp"
#include "files/file.hpp"
#include "quadrille/base.hpp"

namespace quadrille::console {

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
std::string usage_error(const CLI::App& app, const CLI::ParseError& error, const std::vector<char*>& words) {
  const auto chosen = app.get_subcommands();
  if (chosen.empty() && words.size() > 1 && words[1][0] != '-') {
    try {
      base::unknown_name("command", words[1], "command", command_names(app));
    } catch (const Error& unknown) {
      return unknown.what();
    }
  }
  if (chosen.empty() && words.size() <= 1)
    return fmt::format("a command is missing: {}; see '{} --help'", base::join(command_names(app), ", "),
                       app.get_name());
  std::string text = error.what();
  // Where something is missing, too, an option that is none is what its user had in mind.
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::RequiredError))
    for (const std::string& word : app.remaining(true))
      if (word.starts_with("--")) text = fmt::format("the following argument was not expected: {}", word);
  while (!text.empty() && (text.back() == '\n' || text.back() == '.')) text.pop_back();
  for (char& c : text)
    if (c == '\n') c = ' ';
  if (text.starts_with("The ")) text.front() = 't';  // as our own messages begin
  return fmt::format("{}; see '{} {}--help'", text, app.get_name(),
                     chosen.empty() ? "" : chosen.front()->get_name() + " ");
}

/// One line for people on stderr; with --json also an answer on stdout, for whoever parses it.
int fail(const CLI::App& app, Context& context, std::string_view kind, std::string_view message, int status) {
  context.end_progress();
  if (context.json) {
    const nlohmann::ordered_json json{{"error", {{"kind", kind}, {"message", message}, {"status", status}}}};
    std::fputs((json.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n").c_str(), stdout);
    std::fflush(stdout);
  }
  // stderr may be closed: the status says it, too.
  std::fputs(fmt::format("{}: {}\n", app.get_name(), message).c_str(), stderr);
  return status;
}

/// What is wrong everywhere: the process that answers says it and has the status. The others end well, because a
/// launcher that sees one of them fail may end the job before the words of the first have arrived.
int refuse(const CLI::App& app, Context& context, std::string_view kind, std::string_view message, int status) {
  return context.quiet ? Status::yes : fail(app, context, kind, message, status);
}

/// Whether --json was asked for where the words did not make sense; those of a program that is started are its own.
bool wants_json(const CLI::App& app, const std::vector<char*>& words) {
  const auto chosen = app.get_subcommands();
  if (!chosen.empty() && chosen.front()->get_option_no_throw("--json") == nullptr) return false;
  return std::find(words.begin(), words.end(), std::string_view("--json")) != words.end();
}

/// Writes the answer; a full disk is an error as any other.
int deliver(const CLI::App& app, Context& context) {
  context.end_progress();
  if (context.quiet) return context.status;
  std::FILE* const where = context.answers_on_stderr() ? stderr : stdout;
  if (std::fwrite(context.out.data(), 1, context.out.size(), where) == context.out.size() && std::fflush(where) == 0)
    return context.status;
  context.json = false;
  return fail(app, context, "output", "cannot write to standard output", Status::bad);
}

/// Nothing half-written stays behind; then the signal ends the program as if nobody had noticed it.
void end_by(int signal) {
  files::remove_unfinished_files();
  wipe_ticker();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void clean_up_on_signals() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;  // as nohup asks for
    action = {};
    action.sa_handler = end_by;
    action.sa_flags = SA_RESTART | SA_NODEFER;
    sigaction(signal, &action, nullptr);
  }
}

/// "help" is "--help", and "help plan" is "plan --help". Throws Error(argument) for "help" with what is no command.
std::vector<char*> with_help_as_option(const CLI::App& app, std::vector<char*> words) {
  static char help[] = "--help";
  if (words.size() < 2 || std::string_view(words[1]) != "help") return words;
  const std::vector<std::string> known = command_names(app);
  if (words.size() > 2 && std::find(known.begin(), known.end(), words[2]) == known.end())
    base::unknown_name("command", words[2], "command", known);
  words.erase(words.begin() + 1);
  words.push_back(help);
  return words;
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
  clean_up_on_signals();
  context.begin_progress();
  std::vector<char*> words(argv, argv + argc);
  try {
    words = with_help_as_option(app, words);
    app.parse(static_cast<int>(words.size()), words.data());
    return deliver(app, context);
  } catch (const CLI::Success& success) {  // --help, --version
    context.end_progress();
    return app.exit(success);
  } catch (const CLI::ParseError& error) {
    context.quiet = context.echo;
    context.json = wants_json(app, words);
    return refuse(app, context, "usage", usage_error(app, error, words), Status::bad);
  } catch (const Interrupted& signal) {
    return refuse(app, context, "interrupted", signal.what(), Status::interrupted);
  } catch (const Error& error) {
    return refuse(app, context, to_string(error.kind()), error.what(), status_of(error.kind()));
  } catch (const std::bad_alloc&) {
    return fail(app, context, "budget", "out of memory; try a smaller topology or fewer bytes", Status::undecided);
  } catch (const std::exception& error) {
    return fail(app, context, "internal", fmt::format("internal error: {}", error.what()), Status::bad);
  }
}

}  // namespace quadrille::console
