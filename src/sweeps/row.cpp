#include "sweeps/row.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/text.hpp"

namespace quadrille::sweeps {

namespace {

constexpr std::string_view csv_magic = "# quadrille sweep ", json_magic = "{\"quadrille_sweep\": ";
constexpr std::string_view columns =
    "topology,ranks,bytes,algorithm,params,price_s,simulated_s,bound_s,ratio,best,note\n";
constexpr std::size_t column_count = 11;

/// A field in quotes where it needs them (RFC 4180).
std::string field(std::string_view text) {
  if (text.find_first_of(",\"") == std::string_view::npos) return std::string(text);
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

/// The fields of a line; empty when it is not one.
std::vector<std::string> fields(std::string_view line) {
  std::vector<std::string> all(1);
  bool inside = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"' && inside && i + 1 < line.size() && line[i + 1] == '"')
      all.back() += line[++i];
    else if (line[i] == '"')
      inside = !inside;
    else if (line[i] == ',' && !inside)
      all.emplace_back();
    else
      all.back() += line[i];
  }
  return inside ? std::vector<std::string>{} : all;
}

std::string number(const std::optional<double>& value) { return value ? fmt::format("{}", *value) : ""; }

std::optional<double> read_number(const std::string& text) {
  if (text.empty()) return {};
  return base::parse_number(text, "number");
}

SweepRow read_csv(std::string_view line) {
  const std::vector<std::string> f = fields(line);
  if (f.size() != column_count) throw Error(Error::Kind::format, fmt::format("expected {} fields", column_count));
  SweepRow row{.topology = f[0], .algorithm = f[3], .params = f[4], .note = f[10]};
  row.ranks = base::parse_integer(f[1], 1, std::int64_t{1} << 62, "ranks");
  row.bytes = base::parse_integer(f[2], 0, std::int64_t{1} << 62, "bytes");
  row.price = read_number(f[5]);
  row.simulated = read_number(f[6]);
  row.bound = base::parse_number(f[7], "bound");
  row.best = f[9] == "yes";
  return row;
}

using Json = nlohmann::ordered_json;

Json json_number(const std::optional<double>& value) { return value ? Json(*value) : Json(nullptr); }

std::int64_t whole(const Json& json, const char* key, std::int64_t low) {
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  const Json& value = json.at(key);
  if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() > most) ||
      value.get<std::int64_t>() < low)
    throw Error(Error::Kind::format, fmt::format("'{}' is not a whole number from {} to 2^62", key, low));
  return value.get<std::int64_t>();
}

std::optional<double> read_number(const Json& json, const char* key) {
  if (json.at(key).is_null()) return {};
  return json.at(key).get<double>();
}

/// Rows of before 0.2 have the text that CSV has.
std::string params_text(const std::string& algorithm, const Json& json) {
  if (json.is_string()) return json;
  Params params;
  for (const auto& [name, values] : json.items())
    if (values.is_string())
      params.set_choice(name, values);
    else
      params.set(name, values.get<std::vector<std::int64_t>>());
  const std::string text = to_text(find_algorithm(algorithm), params);
  return text == algorithm ? "" : text.substr(algorithm.size() + 1);
}

}  // namespace

std::string choice_text(const std::string& algorithm, const std::string& params) {
  return params.empty() ? algorithm : algorithm + ":" + params;
}

Json params_json(const std::string& algorithm, const std::string& params) {
  Json json = Json::object();
  const Choice choice = parse_choice(choice_text(algorithm, params));
  for (const auto& [name, values] : choice.params.values()) json[name] = values;
  for (const auto& [name, text] : choice.params.choices()) json[name] = text;
  return json;
}

SweepRow parse_row(const Json& json) {
  try {
    SweepRow row{.topology = json.at("topology"), .algorithm = json.at("algorithm")};
    row.params = params_text(row.algorithm, json.at("params"));
    row.ranks = whole(json, "ranks", 1);
    row.bytes = whole(json, "bytes", 0);
    row.price = read_number(json, "price_s");
    row.simulated = read_number(json, "simulated_s");
    row.bound = json.at("bound_s");
    row.best = json.at("best");
    if (!json.at("note").is_null()) row.note = json.at("note");
    return row;
  } catch (const Json::exception&) {
    throw Error(Error::Kind::format, "expected a row in JSON");
  }
}

std::string_view take_csv_question(std::string_view& text) {
  const auto line = text.find('\n');
  if (!text.starts_with(csv_magic) || !text.substr(csv_magic.size()).starts_with("1 ") ||
      line == std::string_view::npos || !text.substr(line + 1).starts_with(columns))
    throw Error(Error::Kind::format, "expected a head with a question and the names of the columns");
  const std::string_view question = text.substr(csv_magic.size() + 2, line - csv_magic.size() - 2);
  text.remove_prefix(line + 1 + columns.size());
  return question;
}

std::string csv_row(const SweepRow& row) {
  return fmt::format("{},{},{},{},{},{},{},{},{},{},{}", row.topology, row.ranks, row.bytes, row.algorithm,
                     field(row.params), number(row.price), number(row.simulated), row.bound, number(row.ratio()),
                     row.best ? "yes" : "no", field(row.note));
}

std::string json_row(const SweepRow& row) {
  return Json{{"topology", row.topology},
              {"ranks", row.ranks},
              {"bytes", row.bytes},
              {"algorithm", row.algorithm},
              {"params", params_json(row.algorithm, row.params)},
              {"choice", choice_text(row.algorithm, row.params)},
              {"price_s", json_number(row.price)},
              {"simulated_s", json_number(row.simulated)},
              {"bound_s", row.bound},
              {"gap", json_number(row.ratio())},
              {"best", row.best},
              {"note", row.note.empty() ? Json(nullptr) : Json(row.note)}}
      .dump();
}

std::string SweepText::head(const std::string& question) const {
  if (form == SweepForm::csv) return fmt::format("{}1 {}\n{}", csv_magic, question, columns);
  return fmt::format("{}1,\n\"question\": {},\n\"rows\": [", json_magic, question);
}

std::string_view SweepText::magic() const { return form == SweepForm::csv ? csv_magic : json_magic; }

std::string SweepText::row(const SweepRow& row, bool first) const {
  if (form == SweepForm::csv) return csv_row(row) + '\n';
  return (first ? "\n" : ",\n") + json_row(row);
}

std::string_view SweepText::tail() const { return form == SweepForm::csv ? "" : "\n]}\n"; }

std::optional<SweepRow> SweepText::next(std::string_view& text, bool first) const {
  if (text.empty() || text == tail()) return {};
  if (form == SweepForm::csv) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    const SweepRow row = read_csv(text.substr(0, end));
    text.remove_prefix(end + 1);
    return row;
  }
  const std::string_view lead = first ? "\n" : ",\n";
  // A row of which all is there is followed by the comma of the next, or by the end of the line: else it was cut.
  if (!text.starts_with(lead)) {
    if (lead.starts_with(text) || tail().starts_with(text)) return {};
    throw Error(Error::Kind::format, "expected a comma between rows");
  }
  const std::string_view rest = text.substr(lead.size());
  const auto end = rest.find('\n');
  if (end == std::string_view::npos) return {};
  std::string_view line = rest.substr(0, end);
  if (line.ends_with(',')) line.remove_suffix(1);
  const Json json = Json::parse(line, nullptr, false);
  const SweepRow row = parse_row(json);
  text = rest.substr(line.size());
  return row;
}

}  // namespace quadrille::sweeps
