// The page: a template built from web/, with the document put in its place.
#include <nlohmann/json.hpp>

#include "formats/xml.hpp"
#include "quadrille/report.hpp"
#include "report/template.hpp"

namespace quadrille {

namespace {

/// Inside <script> nothing but a "<" can end the element or open a comment; JSON may always write it as \u003c. The
/// other two are line ends to old JavaScript.
std::string script_safe(std::string_view json) {
  std::string out;
  out.reserve(json.size() + json.size() / 64);
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (json[i] == '<')
      out += "\\u003c";
    else if (json[i] == '>')
      out += "\\u003e";
    else if (json.substr(i, 3) == "\xE2\x80\xA8" || json.substr(i, 3) == "\xE2\x80\xA9")
      out += json[i + 2] == '\xA8' ? "\\u2028" : "\\u2029", i += 2;
    else
      out += json[i];
  }
  return out;
}

/// Replaces the one `mark` in `page`.
void put(std::string& page, std::string_view mark, const std::string& text) {
  const std::size_t at = page.find(mark);
  if (at == std::string::npos || page.find(mark, at + 1) != std::string::npos)
    throw Error(Error::Kind::internal, "the page's template has no single place for " + std::string(mark));
  page.replace(at, mark.size(), text);
}

}  // namespace

std::string report_page(std::string_view document) {
  const nlohmann::json json = nlohmann::json::parse(document, nullptr, false);
  if (!json.is_object() || !json.contains("question"))
    throw Error(Error::Kind::format, "report: not a document of format quadrille-report");
  std::string answer = "Nothing can run here.";
  if (json["answer"].is_object())
    answer = "Use " + json["answer"]["choice"].get<std::string>() + ". The rest of this page needs JavaScript.";
  std::string page(report::report_template());
  put(page, "@@TITLE@@",
      formats::xml_escaped(json["request"]["collective"].get<std::string>() + " on " +
                           json["request"]["topology"].get<std::string>() + " - Quadrille"));
  put(page, "@@QUESTION@@", formats::xml_escaped(json["question"].get<std::string>()));
  put(page, "@@ANSWER@@", formats::xml_escaped(answer));
  put(page, "@@DOCUMENT@@", script_safe(document));
  return page;
}

}  // namespace quadrille
