#include "report/errata.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "base/text.hpp"
#include "report/template.hpp"

namespace quadrille::report {

namespace {

/// The cells of "| a | b \| c |"; none for other lines.
std::vector<std::string> cells(std::string_view line) {
  std::vector<std::string> all;
  line = base::trimmed(line);
  if (line.size() < 2 || line.front() != '|' || line.back() != '|') return all;
  std::string cell;
  for (std::size_t i = 1; i < line.size(); ++i) {
    if (line[i] == '\\' && i + 1 < line.size() && line[i + 1] == '|') {
      cell += '|';
      ++i;
    } else if (line[i] == '|') {
      all.emplace_back(base::trimmed(cell));
      cell.clear();
    } else {
      cell += line[i];
    }
  }
  return all;
}

/// The operation that an equation of Saad & Schultz 1986 is about: sections 3.1 to 3.5, by number.
std::string_view operation_of_equation(int number) {
  return number <= 12   ? "sendrecv"
         : number <= 25 ? "bcast"
         : number <= 35 ? "allgather"
         : number <= 39 ? "scatter"
                        : "alltoall";
}

bool about_operation(const std::string& where, std::string_view operation) {
  constexpr std::array<std::string_view, 5> in_1986{"sendrecv", "bcast", "allgather", "scatter", "alltoall"};
  for (std::size_t i = 0; i < in_1986.size(); ++i)
    if (in_1986[i] == operation && where.find("sec. 3." + std::to_string(i + 1)) != std::string::npos) return true;
  constexpr std::array<std::pair<std::string_view, std::string_view>, 6> in_1985{{{"1985 sec. 3", "bcast"},
                                                                                  {"1985 sec. 4", "allgather"},
                                                                                  {"1985 before (4", "allgather"},
                                                                                  {"1985 sec. 5", "scatter"},
                                                                                  {"1985 sec. 6", "alltoall"},
                                                                                  {"T_5", "alltoall"}}};
  for (const auto& [mark, name] : in_1985)
    if (name == operation && where.find(mark) != std::string::npos) return true;
  for (std::size_t at = where.find("(3."); at != std::string::npos; at = where.find("(3.", at + 1))
    if (operation_of_equation(std::atoi(where.c_str() + at + 3)) == operation) return true;
  return false;
}

}  // namespace

std::vector<Erratum> parse_errata(std::string_view markdown) {
  std::vector<Erratum> all;
  std::string section;
  std::vector<std::string> heads;
  while (!markdown.empty()) {
    const std::size_t end = std::min(markdown.find('\n'), markdown.size());
    const std::string_view line = markdown.substr(0, end);
    markdown.remove_prefix(std::min(end + 1, markdown.size()));
    if (line.starts_with("## ")) section = base::trimmed(line.substr(3)), heads.clear();
    std::vector<std::string> row = cells(line);
    if (row.empty()) {
      heads.clear();
    } else if (heads.empty()) {
      heads = std::move(row);
    } else if (heads.front() == "id" && row.size() == heads.size() && !row.front().starts_with("--")) {
      Erratum e{.id = row.front(), .section = section, .where = {}, .printed = {}, .truth = {}, .shown = {}};
      for (std::size_t i = 1; i < row.size(); ++i)
        (heads[i] == "where"     ? e.where
         : heads[i] == "printed" ? e.printed
         : heads[i] == "true"    ? e.truth
                                 : e.shown) = row[i];
      all.push_back(std::move(e));
    }
  }
  return all;
}

const std::vector<Erratum>& errata() {
  static const std::vector<Erratum> all = parse_errata(errata_text());
  return all;
}

std::string_view paper_of(const Erratum& e) {
  if (e.section.starts_with("Nicol")) return "nicol-bokhari";
  if (e.section.starts_with("Hambrusch")) return "hambrusch";
  if (e.section.starts_with("Foster")) return "foster";
  return e.where.find("1985") != std::string::npos || e.where.find("1986") != std::string::npos ||
                 e.where.starts_with("every")
             ? "saad-schultz"
             : "";
}

bool concerns(const Erratum& e, std::string_view file) {
  const std::string_view paper = paper_of(e);
  if (paper.empty() || !file.starts_with(paper)) return false;
  std::string_view what = file.substr(paper.size());
  if (what.starts_with("-")) what.remove_prefix(1);
  what = what.substr(0, what.find('.'));
  if (paper == "saad-schultz") return about_operation(e.where, what);
  const auto says = [&](const std::string& text) {
    return e.printed.find(text) != std::string::npos || e.truth.find(text) != std::string::npos;
  };
  if (what.starts_with("figure_")) {  // "figure_8_10x10"
    const std::string number(what.substr(7, what.find('_', 7) - 7));
    const std::size_t at = e.printed.find("figure " + number);
    return at != std::string::npos &&
           (at + 7 + number.size() >= e.printed.size() || e.printed[at + 7 + number.size()] < '0' ||
            e.printed[at + 7 + number.size()] > '9');
  }
  if (paper == "nicol-bokhari") return what.starts_with("d") && says("d = " + std::string(what.substr(1)));
  return (what == "butterfly" && (says("butterfly") || says("steps"))) || (what == "difference" && says("difference"));
}

}  // namespace quadrille::report
