// What is wrong in the papers, as data: the files in src/papers/errata/, one for each section of the page that shows
// them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quadrille::papers {

/// One thing that a paper prints and that is not so. Texts are Markdown: `code`, **strong** and *emphasis*.
struct Erratum {
  /// What shows it. The sentence that a reader sees is before, `text` as code, after; one piece of evidence after the
  /// other.
  struct Evidence {
    enum class Kind { test, command, code };
    Kind kind;
    std::string text;  ///< "Errata.E01_*", which may end in *; "quadrille price ..."; "literal=0"
    std::string before, after;
  };
  std::string id;       ///< "E-01"
  char severity = 'C';  ///< A: fails as printed; B: a wrong formula or constant; C: a slip of the pen
  std::string paper;    ///< its name in reproducibles()
  std::string place;    ///< where in the paper; empty where the text says it
  std::string printed, truth;
  std::vector<std::string> figures;  ///< of its paper, which show something else because of it: "bcast", "figure_9"
  std::vector<std::string> collectives, networks, algorithms;  ///< that it concerns; none: it concerns all
  std::vector<Evidence> shown;
};
/// "E-01 A".
std::string name_of(const Erratum& erratum);
/// All evidence as one text.
std::string evidence_of(const Erratum& erratum);
/// Whether it is about what a figure's file shows: "saad-schultz-bcast.svg".
bool concerns(const Erratum& erratum, std::string_view figure_file);

struct ErrataSection {
  std::string heading, paper;
  std::string text;  ///< Markdown that comes before the list
  std::vector<Erratum> errata;
};
/// A file of src/papers/errata/; throws Error(format) naming the erratum and the key that is missing or not known.
ErrataSection parse_errata(std::string_view toml, const std::string& file);
/// Those of this project.
const std::vector<ErrataSection>& errata_sections();
/// The same, one after the other.
const std::vector<Erratum>& errata();

/// A file of src/papers/errata/ as it is. Generated.
struct ErrataFile {
  std::string_view name, toml;
};
const std::vector<ErrataFile>& generated_errata();

}  // namespace quadrille::papers
