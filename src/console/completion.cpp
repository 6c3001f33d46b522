#include "console/completion.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "console/word_list.hpp"

namespace quadrille::console {

namespace {

std::string escaped(const std::string& text, std::string_view special) {
  std::string result;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) result += '\\';
    result += c;
  }
  return result;
}

/// In single quotes, whatever it holds.
std::string quoted(const std::string& text) {
  std::string result = "'";
  for (const char c : text) result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return result + "'";
}

/// Names of a program's functions in shells: "_quadrille_lab".
std::string function_name(const CLI::App& program) {
  std::string name = "_" + program.get_name();
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : named_options(command))
    for (const std::string& name : names_of(*option)) names.push_back(name);
  return names;
}

std::vector<std::string> command_list(const CLI::App& program) {
  std::vector<std::string> names;
  for (const CLI::App* command : program.get_subcommands({})) names.push_back(command->get_name());
  return names;
}

/// "--effort|--order) words=..." of each option with known values.
std::string bash_values(const CLI::App& command) {
  std::string cases;
  for (const CLI::Option* option : named_options(command)) {
    const std::string value = value_name(*option);
    if (value.empty()) continue;
    const std::vector<std::string> known = known_values(*option);
    cases += fmt::format("        {}) words='{}' ;;\n", base::join(names_of(*option), "|"), base::join(known, " "));
  }
  return cases;
}

std::string bash_command(const CLI::App& command) {
  std::vector<std::string> words;
  for (const CLI::Option* option : positionals(command))
    for (const std::string& value : known_values(*option)) words.push_back(value);
  const std::string values = bash_values(command);
  return fmt::format("    {})\n      words='{}'\n      case $current in -*) words='{}' ;; esac\n{}      ;;\n",
                     command.get_name(), base::join(words, " "), base::join(option_names(command), " "),
                     values.empty() ? "" : "      case $before in\n" + values + "      esac\n");
}

std::string zsh_option(const CLI::Option& option) {
  const std::string value = value_name(option);
  const std::vector<std::string> known = known_values(option);
  std::string action;
  if (!value.empty())
    action = ":" + escaped(value, ":[]\\") + ":" + (known.empty() ? "_files" : "(" + base::join(known, " ") + ")");
  std::string lines;
  for (const std::string& name : names_of(option))
    lines += " \\\n        " + quoted(name + "[" + escaped(in_short(option.get_description()), ":[]\\") + "]" + action);
  return lines;
}

}  // namespace

std::string bash_completion(const CLI::App& program) {
  const std::string name = function_name(program);
  const std::string commands = base::join(command_list(program), " ");
  std::string text = fmt::format(
      "# bash completion of {0}; file names where nothing else is known.\n"
      "{1}() {{\n"
      "  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}} words=''\n"
      "  if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
      "    words='{2} help {3}'\n"
      "  elif [ \"${{COMP_WORDS[1]}}\" = help ]; then\n"
      "    words='{2}'\n"
      "  else\n"
      "    case ${{COMP_WORDS[1]}} in\n",
      program.get_name(), name, commands, base::join(option_names(program), " "));
  for (const CLI::App* command : program.get_subcommands({})) text += bash_command(*command);
  return text + fmt::format(
                    "    esac\n  fi\n  mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$current\")\n}}\n"
                    "complete -o default -F {} {}\n",
                    name, program.get_name());
}

std::string zsh_completion(const CLI::App& program) {
  std::string text = fmt::format("#compdef {}\nlocal -a commands=(\n", program.get_name());
  for (const CLI::App* command : program.get_subcommands({}))
    text += "  " + quoted(command->get_name() + ":" + escaped(command->get_description(), ":\\")) + "\n";
  text +=
      ")\nif (( CURRENT == 2 )); then\n  _describe command commands\n  return\nfi\n"
      "local chosen=$words[2]\nshift words\n(( CURRENT-- ))\ncase $chosen in\n";
  for (const CLI::App* command : program.get_subcommands({})) {
    text += fmt::format("  {})\n    _arguments", command->get_name());
    for (const CLI::Option* option : named_options(*command)) text += zsh_option(*option);
    for (const CLI::Option* option : positionals(*command)) {
      const std::vector<std::string> known = known_values(*option);
      const bool last = option->get_items_expected_max() > 1;
      text += " \\\n        " + quoted(fmt::format("{}:{}:{}", last ? "*" : "", escaped(option->get_name(true), ":"),
                                                   known.empty() ? "_files" : "(" + base::join(known, " ") + ")"));
    }
    text += "\n    ;;\n";
  }
  return text + "esac\n";
}

std::string fish_completion(const CLI::App& program) {
  const std::string start = "complete -c " + program.get_name();
  std::string text = fmt::format("# fish completion of {}\n", program.get_name());
  for (const CLI::App* command : program.get_subcommands({}))
    text += fmt::format("{} -n __fish_use_subcommand -f -a {} -d {}\n", start, command->get_name(),
                        quoted(escaped(command->get_description(), "\\")));
  for (const CLI::App* command : program.get_subcommands({})) {
    const std::string condition = quoted("__fish_seen_subcommand_from " + command->get_name());
    for (const CLI::Option* option : named_options(*command)) {
      text += fmt::format("{} -n {}", start, condition);
      for (const std::string& name : option->get_snames()) text += " -s " + name;
      for (const std::string& name : option->get_lnames()) text += " -l " + name;
      const std::vector<std::string> known = known_values(*option);
      if (!value_name(*option).empty()) text += " -r";
      if (!known.empty()) text += " -f -a " + quoted(base::join(known, " "));
      text += " -d " + quoted(escaped(in_short(option->get_description()), "\\")) + "\n";
    }
    for (const CLI::Option* option : positionals(*command))
      if (const std::vector<std::string> known = known_values(*option); !known.empty())
        text += fmt::format("{} -n {} -a {}\n", start, condition, quoted(base::join(known, " ")));
  }
  return text;
}

}  // namespace quadrille::console
