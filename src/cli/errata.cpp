// quadrille errata: what the papers print, what is true instead, and what shows it.
#include "papers/errata.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "cli/parts/errata_markdown.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "papers/reproduce.hpp"

namespace quadrille::cli {

namespace {

using papers::Erratum;

struct ErrataFlags {
  std::string about;
  bool markdown = false;
};

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_about(const Erratum& e, const std::string& word) {
  return word.empty() || e.id == word || e.paper == word || has(e.collectives, word) || has(e.networks, word) ||
         has(e.algorithms, word);
}

/// Where there is no erratum about a word, it names what there are errata about; their numbers for what looks like one.
std::vector<Erratum> errata_about(const std::string& word) {
  std::vector<Erratum> found;
  std::vector<std::string> known;
  const auto know = [&](const std::string& name) {
    if (!has(known, name)) known.push_back(name);
  };
  for (const Erratum& e : papers::errata()) {
    if (is_about(e, word)) found.push_back(e);
    if (word.starts_with("E")) {
      know(e.id);
      continue;
    }
    know(e.paper);
    for (const auto& names : {e.collectives, e.networks}) std::for_each(names.begin(), names.end(), know);
  }
  if (found.empty()) base::unknown_name("errata", word, "paper, collective, network or erratum", known);
  return found;
}

Json json_of(const Erratum& e) {
  Json tests = Json::array(), commands = Json::array();
  for (const Erratum::Evidence& piece : e.shown) {
    if (piece.kind == Erratum::Evidence::Kind::test) tests.push_back(piece.text);
    if (piece.kind == Erratum::Evidence::Kind::command) commands.push_back(piece.text);
  }
  return {{"erratum", e.id},
          {"severity", std::string(1, e.severity)},
          {"paper", e.paper},
          {"place", e.place.empty() ? Json(nullptr) : Json(e.place)},
          {"printed", e.printed},
          {"true", e.truth},
          {"figures", e.figures},
          {"collectives", e.collectives},
          {"networks", e.networks},
          {"algorithms", e.algorithms},
          {"shown_by", papers::evidence_of(e)},
          {"tests", tests},
          {"commands", commands}};
}

void print_one(const Erratum& e, console::Context& context) {
  context.print("{}  {}{}\n", context.bold(papers::name_of(e)), e.paper, e.place.empty() ? "" : ", " + e.place);
  console::print_line(context, "printed", e.printed);
  console::print_line(context, "true", e.truth);
  console::print_line(context, "shown", papers::evidence_of(e));
}

void print_list(const std::vector<Erratum>& errata, console::Context& context) {
  console::Table table({{"erratum"}, {"paper"}, {"printed"}});
  for (const Erratum& e : errata) table.add({papers::name_of(e), e.paper, e.printed});
  table.print(context);
  context.print("\nA: the algorithm or claim fails as printed; B: a wrong formula or constant; C: a slip of the pen\n");
}

void run_errata(const ErrataFlags& options, console::Context& context) {
  if (options.markdown) return print_errata_markdown(context);
  const std::vector<Erratum> errata = errata_about(options.about);
  if (context.json) {
    Json list = Json::array();
    for (const Erratum& e : errata) list.push_back(json_of(e));
    return context.print_json({{"errata", list}});
  }
  if (options.about.empty()) return print_list(errata, context);
  for (const Erratum& e : errata) {
    if (&e != &errata.front()) context.print("\n");
    print_one(e, context);
  }
}

}  // namespace

void add_errata(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<ErrataFlags>();
  CLI::App& command =
      console::add_command(app, context, "errata", "What is wrong in the papers, what is true, and what shows it",
                           {"quadrille errata", "quadrille errata E-05", "quadrille errata torus"});
  command
      .add_option("ABOUT", options->about,
                  "An erratum, a paper, a collective, a family of networks or an algorithm; without it: all, in short")
      ->type_name("");
  command.add_flag("--markdown", options->markdown, "All of them as the page docs/reference/errata.md")
      ->excludes("ABOUT", "--json");
  command.callback([options, &context] { run_errata(*options, context); });
}

}  // namespace quadrille::cli
