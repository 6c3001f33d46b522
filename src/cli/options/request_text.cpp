// A question in words: the line on top of an answer, and the command line that asks it again.
#include <algorithm>

#include "base/text.hpp"
#include "cli/options/request.hpp"
#include "cli/parts/machine_notes.hpp"
#include "collective/traits.hpp"
#include "console/table.hpp"
#include "console/words.hpp"

namespace quadrille::cli {

namespace {

/// "blocks of 2 KiB", "blocks of 1 B to 2 KiB".
std::string lengths(const Spec& s) {
  const auto [least, most] = collective::lengths(s);
  return (least == most ? "" : base::format_bytes(least) + " to ") + base::format_bytes(most);
}

/// What a reduction is asked for besides its size, where that is not the default.
std::string reduction_phrases(const Spec& s) {
  std::string text;
  if (s.element != 1) text += " in elements of " + base::format_bytes(s.element);
  if (s.operands == Operands::ordered) text += ", operands in the order of ranks";
  if (s.canonical) text += ", bits of the canonical expression";
  if (!idempotent(s) && !s.identical) text += ", bits may differ between ranks";
  return text;
}

}  // namespace

std::string heading(const Task& task) {
  const Spec& s = task.spec;
  const std::string_view unit = !collective::facts(s).whole ? "blocks" : combines(s) ? "vectors" : "a message";
  const std::string size = collective::facts(s).token ? "" : fmt::format(", {} of {}", unit, lengths(s));
  std::string text =
      fmt::format("{}{} on {} ({} rank{}){}{}, machine {}", to_string(s.collective), collective::traits(s).who(s),
                  s.topology->text(), base::format_count(s.ranks()), s.ranks() == 1 ? "" : "s", size,
                  reduction_phrases(s), name_of(task.machine, task.by_default) + console::unit_words(task.machine));
  for (const std::string& note : notes(task)) text += fmt::format("\nnote    {}", console::wrapped(note, 8));
  return text;
}

std::string shell_quoted(const std::string& word) {
  constexpr std::string_view plain = "-_./:=,+@%^";
  const auto fine = [&](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || plain.find(c) < plain.size();
  };
  if (!word.empty() && std::all_of(word.begin(), word.end(), fine)) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

namespace {

std::string machine_words(const MachineOptions& options) {
  std::string words = " --machine " + shell_quoted(options.name);
  for (const std::string& assignment : options.assignments) words += " --set " + shell_quoted(assignment);
  return words;
}

}  // namespace

std::string why_not_line(const Request& r) {
  return "quadrille algorithm --on " + shell_quoted(r.topology) + machine_words(r.machine);
}

std::string command_line(std::string_view command, const Request& r, const Algorithm& algorithm, const Params& params) {
  std::string line = fmt::format("quadrille {} {} {}", command, shell_quoted(r.collective), shell_quoted(r.topology));
  if (r.counts.empty() && !collective::traits(algorithm.collective).facts().token)
    line += " --bytes " + shell_quoted(r.bytes);
  line += machine_words(r.machine);
  if (!r.root.empty()) line += " --root " + shell_quoted(r.root);
  if (!r.target.empty()) line += " --target " + shell_quoted(r.target);
  if (!r.sources.empty()) line += " --sources " + shell_quoted(r.sources);
  if (!r.demands.empty()) line += " --demands " + shell_quoted(r.demands);
  for (const auto& [key, value] : reduction_options(r))
    if (!value->empty()) line += fmt::format(" --{} {}", key, shell_quoted(*value));
  return line + " --algorithm " + shell_quoted(to_text(algorithm, params));
}

}  // namespace quadrille::cli
