#include "papers/errata.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"
#include "base/toml.hpp"

namespace quadrille::papers {

namespace {

using Kind = Erratum::Evidence::Kind;

/// A table of a file, which refuses keys that it was not asked for.
class Entry {
 public:
  Entry(const toml::table& table, std::string where) : table_(table), where_(std::move(where)) {}

  void expect_only(const std::vector<std::string>& known) const {
    for (const auto& [key, value] : table_)
      if (std::find(known.begin(), known.end(), key.str()) == known.end())
        base::unknown_name(where_, key.str(), "key", known);
  }
  bool has(std::string_view key) const { return table_.contains(key); }
  std::string text(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr || !node->is_string()) refuse(key, "a text");
    return node->as_string()->get();
  }
  std::string text_or_none(std::string_view key) const { return has(key) ? text(key) : ""; }
  std::vector<std::string> names(std::string_view key) const {
    std::vector<std::string> all;
    if (!has(key)) return all;
    const toml::array* list = table_.get(key)->as_array();
    if (list == nullptr) refuse(key, "a list of names");
    for (const toml::node& node : *list) {
      if (!node.is_string()) refuse(key, "a list of names");
      all.push_back(node.as_string()->get());
    }
    return all;
  }
  std::vector<Entry> tables(std::string_view key, const std::string& where) const {
    std::vector<Entry> all;
    const toml::node* node = table_.get(key);
    if (node == nullptr || !node->is_array()) refuse(key, "a list of tables");
    for (const toml::node& item : *node->as_array()) {
      if (!item.is_table()) refuse(key, "a list of tables");
      all.emplace_back(*item.as_table(), where);
    }
    return all;
  }
  [[noreturn]] void refuse(std::string_view key, std::string_view expected) const {
    throw Error(Error::Kind::format, fmt::format("{}: {}: expected {}", where_, key, expected));
  }

 private:
  const toml::table& table_;
  std::string where_;
};

Erratum::Evidence evidence(const Entry& entry, bool first) {
  entry.expect_only({"test", "command", "code", "before", "after"});
  for (const auto& [key, kind] : {std::pair{"test", Kind::test}, {"command", Kind::command}, {"code", Kind::code}})
    if (entry.has(key))
      return {.kind = kind,
              .text = entry.text(key),
              .before = entry.has("before") || first ? entry.text_or_none("before") : "; ",
              .after = entry.text_or_none("after")};
  entry.refuse("shown", "a test, a command or code");
}

Erratum erratum(const Entry& entry, const std::string& file, const std::string& paper) {
  Erratum e;
  e.id = entry.text("id");
  e.paper = paper;
  entry.expect_only(
      {"id", "severity", "place", "printed", "true", "figures", "collectives", "networks", "algorithms", "shown"});
  const std::string severity = entry.text("severity");
  if (severity != "A" && severity != "B" && severity != "C") entry.refuse(e.id + ": severity", "A, B or C");
  e.severity = severity.front();
  e.place = entry.text_or_none("place");
  e.printed = entry.text("printed");
  e.truth = entry.text("true");
  e.figures = entry.names("figures");
  e.collectives = entry.names("collectives");
  e.networks = entry.names("networks");
  e.algorithms = entry.names("algorithms");
  for (const Entry& piece : entry.tables("shown", fmt::format("{}: {}", file, e.id)))
    e.shown.push_back(evidence(piece, e.shown.empty()));
  return e;
}

}  // namespace

std::string name_of(const Erratum& e) { return fmt::format("{} {}", e.id, e.severity); }

std::string evidence_of(const Erratum& e) {
  std::string text;
  for (const Erratum::Evidence& piece : e.shown) text += fmt::format("{}`{}`{}", piece.before, piece.text, piece.after);
  return text;
}

bool concerns(const Erratum& e, std::string_view figure_file) {
  return std::any_of(e.figures.begin(), e.figures.end(), [&](const std::string& figure) {
    return figure_file == fmt::format("{}-{}.svg", e.paper, figure);
  });
}

ErrataSection parse_errata(std::string_view toml, const std::string& file) {
  const toml::table table = base::parse_toml(toml, file, file);
  const Entry entry(table, file);
  entry.expect_only({"heading", "paper", "text", "erratum"});
  ErrataSection section{
      .heading = entry.text("heading"), .paper = entry.text("paper"), .text = entry.text_or_none("text"), .errata = {}};
  for (const Entry& e : entry.tables("erratum", file)) section.errata.push_back(erratum(e, file, section.paper));
  return section;
}

const std::vector<ErrataSection>& errata_sections() {
  static const std::vector<ErrataSection> all = [] {
    std::vector<ErrataSection> sections;
    for (const ErrataFile& file : generated_errata())
      sections.push_back(parse_errata(file.toml, std::string(file.name)));
    return sections;
  }();
  return all;
}

const std::vector<Erratum>& errata() {
  static const std::vector<Erratum> all = [] {
    std::vector<Erratum> list;
    for (const ErrataSection& section : errata_sections())
      list.insert(list.end(), section.errata.begin(), section.errata.end());
    return list;
  }();
  return all;
}

}  // namespace quadrille::papers
