#include "console/man_page.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "console/status.hpp"
#include "console/word_list.hpp"
#include "quadrille/version.hpp"

namespace quadrille::console {

namespace {

std::string capitals(std::string text) {
  for (char& c : text)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return text;
}

/// As roff wants it: no hyphen for a minus, no request by a dot or quote at the start of a line.
std::string roff(std::string_view text) {
  std::string escaped;
  bool line_begins = true;
  for (const char c : text) {
    if (line_begins && (c == '.' || c == '\'')) escaped += "\\&";
    if (c == '\\')
      escaped += "\\e";
    else if (c == '-')
      escaped += "\\-";
    else
      escaped += c;
    line_begins = c == '\n';
  }
  return escaped;
}

std::string heading(const std::string& name, const std::string& summary) {
  return fmt::format(".TH {} 1 \"\" \"Quadrille {}\" \"Quadrille\"\n.SH NAME\n{} \\- {}\n", roff(capitals(name)),
                     QUADRILLE_VERSION, roff(name), roff(summary));
}

/// "\fB-o\fR, \fB--out\fR \fIFILE\fR"
std::string tag(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : names_of(option)) names.push_back("\\fB" + roff(name) + "\\fR");
  const std::string value = value_name(option);
  return base::join(names, ", ") + (value.empty() ? "" : " \\fI" + roff(value) + "\\fR");
}

std::string paragraphs(const std::string& title, const std::vector<const CLI::Option*>& options) {
  std::string text;
  for (const CLI::Option* option : options) {
    const bool by_name = !names_of(*option).empty();
    text += fmt::format(".TP\n{}\n{}\n", by_name ? tag(*option) : "\\fI" + roff(option->get_name(true)) + "\\fR",
                        roff(option->get_description()));
  }
  return text.empty() ? text : ".SH " + title + "\n" + text;
}

/// A command's footer, line by line: its examples, and what else it says.
std::string notes(const CLI::App& command) {
  std::string text = command.get_footer();
  while (!text.empty() && text.front() == '\n') text.erase(0, 1);
  return text.empty() ? text : ".SH NOTES\n.nf\n" + roff(text) + "\n.fi\n";
}

std::string status_section() { return ".SH EXIT STATUS\n" + roff(status_help) + "\n"; }

std::string synopsis(const CLI::App& program, const CLI::App& command) {
  std::string text =
      fmt::format(".SH SYNOPSIS\n\\fB{} {}\\fR [\\fIOPTIONS\\fR]", roff(program.get_name()), roff(command.get_name()));
  for (const CLI::Option* option : positionals(command)) {
    const std::string name = "\\fI" + roff(option->get_name(true)) + "\\fR";
    text += option->get_required() ? " " + name : " [" + name + "]";
  }
  return text + "\n";
}

}  // namespace

std::string man_page(const CLI::App& program) {
  std::string page = heading(program.get_name(), program.get_description());
  page += fmt::format(".SH SYNOPSIS\n\\fB{0}\\fR \\fICOMMAND\\fR [\\fIARGUMENTS\\fR]\n.SH COMMANDS\n",
                      roff(program.get_name()));
  std::vector<std::string> pages;
  for (const CLI::App* command : program.get_subcommands({})) {
    page += fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(command->get_name()), roff(command->get_description()));
    pages.push_back(fmt::format("\\fB{}\\-{}\\fR(1)", roff(program.get_name()), roff(command->get_name())));
  }
  return page + paragraphs("OPTIONS", named_options(program)) + status_section() + ".SH SEE ALSO\n" +
         base::join(pages, ",\n") + "\n";
}

std::string man_page(const CLI::App& program, const CLI::App& command) {
  return heading(program.get_name() + "-" + command.get_name(), command.get_description()) +
         synopsis(program, command) + paragraphs("ARGUMENTS", positionals(command)) +
         paragraphs("OPTIONS", named_options(command)) + notes(command) + status_section() + ".SH SEE ALSO\n\\fB" +
         roff(program.get_name()) + "\\fR(1)\n";
}

}  // namespace quadrille::console
