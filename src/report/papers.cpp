#include "report/papers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "formats/xml.hpp"
#include "papers/errata.hpp"
#include "report/template.hpp"

namespace quadrille::report {

namespace {

/// Markdown of a table's cell: `code` and **strong**, nothing else.
std::string inline_html(std::string_view text) {
  std::string out;
  bool code = false, strong = false;
  while (!text.empty()) {
    if (text.front() == '`') {
      out += code ? "</code>" : "<code>";
      code = !code;
      text.remove_prefix(1);
    } else if (!code && text.starts_with("**")) {
      out += strong ? "</b>" : "<b>";
      strong = !strong;
      text.remove_prefix(2);
    } else {
      const std::size_t end = std::min(text.find_first_of("`*", 1), text.size());
      out += formats::xml_escaped(text.substr(0, end));
      text.remove_prefix(end);
    }
  }
  return out + (code ? "</code>" : "") + (strong ? "</b>" : "");
}

class Page {
 public:
  std::string html(const std::vector<papers::Reproduction>& papers) {
    out_ += "<nav><b>Papers worked again</b>";
    for (const papers::Reproduction& r : papers) add("<a href=\"#{0}\">{0}</a>\n", formats::xml_escaped(r.name));
    out_ += "</nav>\n<main>\n<h1>Papers worked again</h1>\n";
    out_ +=
        "<p>Every figure and table computed anew by <code>quadrille reproduce</code>, with the papers' numbers "
        "beside ours and what is wrong in print beside the figure it concerns.</p>\n";
    for (const papers::Reproduction& r : papers) paper(r);
    out_ += "</main>\n";
    return std::move(out_);
  }

 private:
  template <class... T>
  void add(fmt::format_string<T...> format, T&&... values) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<T>(values)...);
  }

  void paper(const papers::Reproduction& r) {
    const auto holding = std::count_if(r.claims.begin(), r.claims.end(), [](const auto& c) { return c.holds; });
    add("<section id=\"{}\">\n<h2>{}</h2>\n<p class=\"source\">{}</p>\n", formats::xml_escaped(r.name),
        formats::xml_escaped(r.title), formats::xml_escaped(r.source));
    add("<p class=\"tally\">{} of {} claims hold. {} {} the closed forms. Machine {}: {}.</p>\n", holding,
        r.claims.size(), formats::xml_escaped(r.counted), r.consistent ? "cost exactly" : "do <b>not</b> cost",
        formats::xml_escaped(r.machine.name), formats::xml_escaped(r.machine.description));
    add("<p>{}</p>\n<dl>\n", formats::xml_escaped(r.open));
    for (const papers::Reproduction::Reading& reading : r.readings)
      add("<dt>{}</dt><dd>{}</dd>\n", formats::xml_escaped(reading.name), formats::xml_escaped(reading.meaning));
    out_ += "</dl>\n";
    std::set<std::string> told;
    for (const papers::Reproduction::Figure& f : r.figures) figure(f, told);
    claims(r);
    for (const papers::Reproduction::Table& table : r.tables) data(table);
    rest(r, told);
    out_ += "</section>\n";
  }

  void figure(const papers::Reproduction::Figure& f, std::set<std::string>& told) {
    add("<figure>\n<div class=\"picture\">{}</div>\n<figcaption>{}</figcaption>\n</figure>\n", formats::svg(f.chart),
        formats::xml_escaped(f.chart.title));
    for (const papers::Erratum& e : papers::errata())
      if (papers::concerns(e, f.file) && told.insert(e.id).second) erratum(e);
  }

  void erratum(const papers::Erratum& e) {
    add("<div class=\"erratum\"><b>Erratum {}</b>{}<br><b>printed:</b> {}<br><b>true:</b> {}",
        formats::xml_escaped(papers::name_of(e)), e.place.empty() ? "" : " (" + inline_html(e.place) + ")",
        inline_html(e.printed), inline_html(e.truth));
    if (!e.shown.empty()) add("<br><b>shown by:</b> {}", inline_html(papers::evidence_of(e)));
    out_ += "</div>\n";
  }

  void rest(const papers::Reproduction& r, const std::set<std::string>& told) {
    bool any = false;
    for (const papers::Erratum& e : papers::errata()) {
      if (e.paper != r.name || told.contains(e.id)) continue;
      if (!any) out_ += "<h3>Errata beside no figure</h3>\n";
      any = true;
      erratum(e);
    }
  }

  void claims(const papers::Reproduction& r) {
    if (r.claims.empty()) return;
    const bool one = std::all_of(r.claims.begin(), r.claims.end(), [](const auto& c) { return c.ours.size() <= 1; });
    out_ +=
        "<h3>What the paper says, and what comes out</h3>\n<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>"
        "<th>claim</th><th></th><th>paper</th>";
    for (const papers::Reproduction::Reading& reading : r.readings)
      add("<th>{}</th>", one ? "here" : formats::xml_escaped(reading.name));
    out_ += "</tr></thead>\n";
    for (const papers::Reproduction::Claim& c : r.claims) {
      add("<tr><td>{}{}</td><td class=\"{}\">{}</td><td>{}</td>", formats::xml_escaped(c.text),
          c.why.empty() ? "" : "<div class=\"why\">" + formats::xml_escaped(c.why) + "</div>",
          c.holds ? "holds" : "differs", c.holds ? "holds" : "differs", formats::xml_escaped(c.paper.text));
      for (const papers::Reproduction::Cell& cell : c.ours) add("<td>{}</td>", formats::xml_escaped(cell.text));
      out_ += "</tr>\n";
    }
    out_ += "</table></div>\n";
  }

  void data(const papers::Reproduction::Table& table) {
    add("<h3>{}</h3>\n<div class=\"scroll\" tabindex=\"0\"><table>\n<thead><tr>", formats::xml_escaped(table.title));
    const auto kind = [](const papers::Reproduction::Column& c) { return c.number ? " class=\"number\"" : ""; };
    for (const papers::Reproduction::Column& c : table.columns)
      add("<th{}>{}</th>", kind(c), formats::xml_escaped(c.heading));
    out_ += "</tr></thead>\n";
    for (const auto& row : table.rows) {
      out_ += "<tr>";
      for (std::size_t i = 0; i < row.size(); ++i)
        add("<td{}>{}</td>", kind(table.columns[i]), formats::xml_escaped(row[i].text));
      out_ += "</tr>\n";
    }
    out_ += "</table></div>\n";
  }

  std::string out_;
};

}  // namespace

std::string papers_page(const std::vector<papers::Reproduction>& papers) {
  std::string page(papers_template());
  constexpr std::string_view mark = "@@BODY@@";
  const std::size_t at = page.find(mark);
  if (at == std::string::npos) throw Error(Error::Kind::internal, "the page's template has no place for its body");
  return page.replace(at, mark.size(), Page().html(papers));
}

}  // namespace quadrille::report
