// quadrille reproduce: a paper's figures, tables and claims worked again, held against what it says.
#include "papers/reproduce.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/commands.hpp"
#include "cli/json.hpp"
#include "console/table.hpp"
#include "console/words.hpp"
#include "files/file.hpp"
#include "report/papers.hpp"

namespace quadrille::cli {

namespace {

struct ReproduceFlags {
  std::string paper, folder = "out", page;
  papers::Values values;
};

using Files = std::vector<std::string>;

Files write_figures(const papers::Reproduction& r, const ReproduceFlags& options) {
  Files files;
  for (const papers::Reproduction::Figure& f : r.figures) {
    files.push_back((std::filesystem::path(options.folder) / f.file).string());
    files::write_file(files.back(), formats::svg(f.chart));
  }
  return files;
}

/// Whole values as integers.
Json cell_json(const papers::Reproduction::Cell& cell) {
  if (!cell.value) return cell.text;
  if (std::fabs(*cell.value) < 1e15 && *cell.value == std::floor(*cell.value))
    return static_cast<std::int64_t>(*cell.value);
  return *cell.value;
}

Json table_json(const papers::Reproduction::Table& table) {
  Json rows = Json::array();
  for (const auto& row : table.rows) {
    Json json = Json::object();
    for (std::size_t i = 0; i < row.size(); ++i) {
      const papers::Reproduction::Column& column = table.columns[i];
      json[column.key] = column.number && !row[i].value ? Json(nullptr) : cell_json(row[i]);
    }
    rows.push_back(json);
  }
  return {{"title", table.title}, {"rows", rows}};
}

void print_json(const papers::Reproduction& r, const Files& files, console::Context& context) {
  Json readings = Json::object(), tables = Json::object(), claims = Json::array();
  for (const papers::Reproduction::Reading& reading : r.readings) readings[reading.key] = reading.meaning;
  for (const papers::Reproduction::Table& table : r.tables) tables[table.key] = table_json(table);
  for (const papers::Reproduction::Claim& c : r.claims) {
    Json ours = Json::object();
    for (std::size_t i = 0; i < c.ours.size(); ++i)
      ours[r.readings[i].key] = c.ours[i].text.empty() ? Json(nullptr) : cell_json(c.ours[i]);
    claims.push_back({{"claim", c.key},
                      {"text", c.text},
                      {"unit", c.unit},
                      {"paper", cell_json(c.paper)},
                      {"ours", ours},
                      {"holds", c.holds},
                      {"why", c.why}});
  }
  context.print_json({{"paper", r.name},
                      {"source", r.source},
                      {"machine", json_of(r.machine)},
                      {"counted_equals_formula", r.consistent},
                      {"readings", readings},
                      {"tables", tables},
                      {"claims", claims},
                      {"files", files}});
}

void print_table(const papers::Reproduction::Table& data, console::Context& context) {
  std::vector<console::Table::Column> columns;
  for (const papers::Reproduction::Column& c : data.columns)
    columns.push_back({c.heading, c.number ? console::Table::right : console::Table::left});
  console::Table table(columns);
  for (const auto& row : data.rows) {
    std::vector<std::string> cells;
    for (const papers::Reproduction::Cell& cell : row) cells.push_back(cell.text);
    table.add(std::move(cells));
  }
  context.print("\n{}\n", context.bold(data.title));
  table.print(context);
}

void print_claims(const papers::Reproduction& r, console::Context& context) {
  const auto holding = std::count_if(r.claims.begin(), r.claims.end(), [](const auto& c) { return c.holds; });
  context.print("\n{}\n", context.bold(fmt::format("What the paper says: {} of {} hold", holding, r.claims.size())));
  for (const papers::Reproduction::Claim& c : r.claims) {
    context.print("  {}  {}\n", c.holds ? context.good("holds  ") : context.bad_news("differs"), c.text);
    std::string values = "paper " + c.paper.text;
    const bool one = std::all_of(c.ours.begin() + 1, c.ours.end(), [](const auto& cell) { return cell.text.empty(); });
    for (std::size_t i = 0; i < c.ours.size(); ++i)
      if (!c.ours[i].text.empty()) values += fmt::format("; {} {}", one ? "here" : r.readings[i].name, c.ours[i].text);
    context.print("           {}\n", console::wrapped(values, 11, 120));
    if (!c.why.empty()) context.print("           {}\n", context.faint(console::wrapped(c.why, 11, 120)));
  }
}

/// All papers, or one, as one page.
void run_page(const ReproduceFlags& options, console::Context& context) {
  if (options.page.empty()) throw Error(Error::Kind::argument, "reproduce all: where to? expected -o FILE.html");
  context.will_write(options.page);
  std::vector<papers::Reproduction> papers;
  for (const papers::Reproducible& r : papers::reproducibles()) {
    if (options.paper != "all" && options.paper != r.name) continue;
    context.progress(fmt::format("working {} again", r.name));
    papers::Values values;
    for (const papers::Value& v : r.values)
      if (const auto given = options.values.find(v.name); given != options.values.end()) values.insert(*given);
    papers.push_back(papers::reproduce(r.name, values));
  }
  if (papers.empty()) papers.push_back(papers::reproduce(options.paper, options.values));  // which says what is known
  files::write_file(options.page, report::papers_page(papers));
  Json json = Json::array();
  for (const papers::Reproduction& r : papers) {
    const auto holding = std::count_if(r.claims.begin(), r.claims.end(), [](const auto& c) { return c.holds; });
    if (!r.consistent) context.status = console::no;
    json.push_back({{"paper", r.name},
                    {"figures", r.figures.size()},
                    {"claims", r.claims.size()},
                    {"holding", holding},
                    {"counted_equals_formula", r.consistent}});
    if (!context.json)
      context.print("{:<14} {:>2} figures, {:>2} of {:>2} claims hold\n", r.name, r.figures.size(), holding,
                    r.claims.size());
  }
  if (context.json) return context.print_json({{"file", options.page}, {"papers", json}});
  context.print("page    {}\n", options.page);
}

void run_reproduce(const ReproduceFlags& options, console::Context& context) {
  if (options.paper == "all" || !options.page.empty()) return run_page(options, context);
  context.progress(fmt::format("working {} again", options.paper));
  const papers::Reproduction r = papers::reproduce(options.paper, options.values);
  const bool made = files::make_folder(options.folder);
  const Files files = write_figures(r, options);
  context.status = r.consistent ? console::yes : console::no;
  if (context.json) return print_json(r, files, context);
  context.print("{}\n{}\nmachine {}: {}\n", context.bold(r.title), r.source, r.machine.name, r.machine.description);
  context.print("\n{}\n", console::wrapped(r.open, 0));
  for (const papers::Reproduction::Reading& reading : r.readings)
    context.print("  {:<16} {}\n", reading.name, console::wrapped(reading.meaning, 19, 120));
  for (const papers::Reproduction::Table& table : r.tables) print_table(table, context);
  print_claims(r, context);
  context.print("\n{} {} the closed forms.\n", r.counted, r.consistent ? "cost exactly" : "DO NOT cost");
  if (made) context.print("folder  {} was made\n", options.folder);
  for (const std::string& file : files) context.print("figure  {}\n", file);
}

std::string papers() {
  std::string text;
  for (const papers::Reproducible& r : papers::reproducibles())
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", r.name, r.summary);
  return text;
}

}  // namespace

void add_reproduce(CLI::App& app, console::Context& context) {
  auto options = std::make_shared<ReproduceFlags>();
  CLI::App& command = console::add_command(
      app, context, "reproduce", "The experiments of a paper worked again: figures, tables, and claim by claim",
      {"quadrille reproduce all -o papers.html", "quadrille reproduce nicol-bokhari",
       "quadrille reproduce saad-schultz -k 16 -N 4096 --tau 20"});
  command.add_option("PAPER", options->paper, papers() + "; all: every one, with -o")->required()->option_text(" ");
  command
      .add_option("-o,--page", options->page,
                  "One HTML page with figures, claims, tables and errata; - for standard output")
      ->option_text("FILE.html");
  command.add_option("--out", options->folder, "Where the figures go, as SVG; default out, which is made if need be")
      ->option_text("FOLDER");
  for (const papers::Reproducible& r : papers::reproducibles())
    for (const papers::Value& v : r.values)
      command
          .add_option_function<std::string>(
              (v.name.size() == 1 ? "-" : "--") + v.name,
              [options, name = v.name](const std::string& text) { options->values[name] = text; },
              fmt::format("{}: {}", r.name, v.meaning))
          ->option_text(v.form);
  command.callback([options, &context] { run_reproduce(*options, context); });
}

}  // namespace quadrille::cli
