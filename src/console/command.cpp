#include "console/command.hpp"

#include <unistd.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"
#include "files/file.hpp"
#include "quadrille/base.hpp"

namespace quadrille::console {

void Context::print_json(const nlohmann::ordered_json& value) {
  out += value.dump(2);
  out += '\n';
}

std::string Context::styled(std::string_view code, std::string_view text) const {
  return colour ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

void Context::will_write(const std::string& path) {
  if (path.empty()) return;
  if (!files::is_standard_output(path)) return files::check_writable(path);
  if (json)
    throw Error(Error::Kind::argument, "--json and a file named - would both go to standard output; give one of them");
  if (output_taken_) throw Error(Error::Kind::argument, "only one file can go to standard output; name the other one");
  output_taken_ = true;
}

void Context::begin_progress() {
  if (isatty(STDERR_FILENO) != 0 && !echo) ticker_ = std::make_unique<Ticker>();
}

void Context::progress(std::string_view what) {
  if (ticker_) ticker_->tell(what);
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

CLI::App& add_command(CLI::App& app, Context& context, const std::string& name, const std::string& summary,
                      const std::vector<std::string>& examples) {
  CLI::App* command = app.add_subcommand(name, summary);
  command->add_flag("--json", context.json, "Answer in JSON: stable keys, SI units, numbers as numbers");
  command->footer(fmt::format("\nExample{}:\n  {}", examples.size() == 1 ? "" : "s", base::join(examples, "\n  ")));
  return *command;
}

}  // namespace quadrille::console
