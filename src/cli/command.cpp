#include "cli/command.hpp"

#include <unistd.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace quadrille::cli {

void Context::print_json(const nlohmann::ordered_json& value) {
  out += value.dump(2);
  out += '\n';
}

std::string Context::styled(std::string_view code, std::string_view text) const {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

void Context::progress(std::string_view what) {
  if (isatty(STDERR_FILENO) == 0) return;
  progressing_ = true;
  std::fputs(fmt::format("\r\x1b[K{}", what).c_str(), stderr);
  std::fflush(stderr);
}

std::function<void(double)> Context::progress_of(std::string what) {
  progress(what);
  reported_ = std::chrono::steady_clock::now();
  return [this, what = std::move(what)](double share) {
    const auto now = std::chrono::steady_clock::now();
    if (now - reported_ < std::chrono::milliseconds(200)) return;
    reported_ = now;
    progress(fmt::format("{}: {:.0f} %", what, 100 * share));
  };
}

void Context::end_progress() {
  if (!progressing_) return;
  progressing_ = false;
  std::fputs("\r\x1b[K", stderr);
  std::fflush(stderr);
}

CLI::App& add_command(CLI::App& app, Context& context, const std::string& name, const std::string& summary,
                      const std::vector<std::string>& examples) {
  CLI::App* command = app.add_subcommand(name, summary);
  command->add_flag("--json", context.json, "Answer in JSON: stable keys, SI units, numbers as numbers");
  command->footer(fmt::format("\nExample{}:\n  {}", examples.size() == 1 ? "" : "s", join(examples, "\n  ")));
  return *command;
}

}  // namespace quadrille::cli
