// What every command of the program shares: how it declares itself and where its answer goes. One file per command.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <functional>
#include <iterator>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "console/status.hpp"
#include "console/ticker.hpp"

namespace quadrille::console {

/// Where a command puts its answer. The answer is written to stdout after the command has succeeded, so that a command
/// that throws has printed nothing. Commands throw quadrille::Error for status 2.
class Context {
 public:
  bool json = false;    ///< the user asked for --json
  bool colour = false;  ///< stdout is a terminal and NO_COLOR is not set
  bool echo = false;    ///< processes were started together with the same words, and this is not the first
  bool quiet = false;   ///< another process of the same run answers, and says what is wrong
  int status = yes;
  std::string out;
  /// What is closed after the answer is written: MPICH has been seen to wait in MPI_Finalize for ever, over TCP.
  std::shared_ptr<void> closed_last;

  template <class... T>
  void print(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(out), format, std::forward<T>(values)...);
  }
  void print_json(const nlohmann::ordered_json& value);

  /// Names a file that the command will write; throws Error(argument) at once where that cannot be. For "-" the answer
  /// goes to stderr, as the file goes to stdout.
  void will_write(const std::string& path);
  bool answers_on_stderr() const { return output_taken_; }

  /// `text` for people on a colour terminal, unchanged elsewhere.
  std::string bold(std::string_view text) const { return styled("1", text); }
  std::string faint(std::string_view text) const { return styled("2", text); }
  std::string good(std::string_view text) const { return styled("32", text); }
  std::string bad_news(std::string_view text) const { return styled("31", text); }

  /// From here on a line on stderr says that there is work, if that is a terminal and somebody waits for long.
  void begin_progress();
  /// What the work is. The line is replaced by the next and wiped at the end.
  void progress(std::string_view what);
  /// The same with the share that is done, some times a second: for work that reports often.
  std::function<void(double)> progress_of(std::string what);
  /// Comes before anything else is written to the terminal; there is no progress after it.
  void end_progress() { ticker_.reset(); }

 private:
  std::string styled(std::string_view code, std::string_view text) const;
  bool output_taken_ = false;
  std::unique_ptr<Ticker> ticker_;
  std::chrono::steady_clock::time_point reported_;
};

/// A subcommand with --json, and with `examples` (one shell line each, "quadrille ...") under its help.
CLI::App& add_command(CLI::App& app, Context& context, const std::string& name, const std::string& summary,
                      const std::vector<std::string>& examples);

}  // namespace quadrille::console
