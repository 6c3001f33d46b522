// What is wrong in the papers, from docs/errata.md, so that it stands beside the figures it concerns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quadrille::report {

/// A row of one of its tables; texts as Markdown.
struct Erratum {
  std::string id;       ///< "E-01 A"
  std::string section;  ///< the heading it stands under
  std::string where;    ///< empty where the table has no such column
  std::string printed, truth, shown;
};
/// All rows of all tables whose first column is "id".
std::vector<Erratum> parse_errata(std::string_view markdown);
/// Those of this project.
const std::vector<Erratum>& errata();

/// The name of a paper in reproducibles() that an erratum is about; empty when none is.
std::string_view paper_of(const Erratum& erratum);
/// Whether an erratum is about what a figure's file shows: an operation, or a figure by number.
bool concerns(const Erratum& erratum, std::string_view figure_file);

}  // namespace quadrille::report
