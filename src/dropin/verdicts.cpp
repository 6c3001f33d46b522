#include "dropin/verdicts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "base/text.hpp"
#include "files/file.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille::dropin {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view format_name = "quadrille verdicts 1";
constexpr std::streamoff longest_file = 16 << 20;

/// The bytes of its size class; an alltoallv's calls are of any size.
Json json_of(const Verdict& v) {
  Json j{{"mpi", v.where.mpi},
         {"topology", v.where.topology},
         {"segment", v.where.segment},
         {"operation", to_string(v.operation)}};
  if (v.operation != Operation::alltoallv) {
    const Bytes beyond = Bytes{1} << v.size_class;
    j["from_bytes"] = beyond / 2;
    j["to_bytes"] = beyond - 1;
  }
  j["choice"] = v.choice;
  j["native_s"] = v.native;
  j["chosen_s"] = v.chosen;
  return j;
}

/// Files of version 0.1.0 have the number of the class.
int size_class_of(const Json& j, Operation operation) {
  if (j.contains("size_class")) return j.at("size_class").get<int>();
  if (operation == Operation::alltoallv) return 0;
  const Bytes from = j.at("from_bytes").get<Bytes>(), to = j.at("to_bytes").get<Bytes>();
  if (from < 0 || size_class(from) != size_class(to) || size_class(from) >= 63)
    throw Error(Error::Kind::format, fmt::format("from_bytes {} and to_bytes {}: expected a power of 2 and the last "
                                                 "number before the next one",
                                                 from, to));
  return size_class(from);
}

/// Throws Json::exception for what is missing or of another kind, Error for names that nobody knows.
Verdict verdict_of(const Json& j) {
  Verdict v;
  v.where = {j.at("mpi").get<std::string>(), j.at("topology").get<std::string>(), j.at("segment").get<Bytes>()};
  const auto name = j.at("operation").get<std::string>();
  const std::optional<Operation> operation = find_operation(name);
  if (!operation) throw Error(Error::Kind::format, "unknown operation " + base::quoted(name));
  v.operation = *operation;
  v.size_class = size_class_of(j, *operation);
  v.choice = j.at("choice").get<std::string>();
  if (v.choice != "native") parse_choice(v.choice);
  v.native = j.at("native_s").get<double>();
  v.chosen = j.at("chosen_s").get<double>();
  return v;
}

bool same_question(const Verdict& v, const Circumstances& where, Operation operation, int size_class) {
  return v.operation == operation && v.size_class == size_class && v.where == where;
}

}  // namespace

const Verdict* Verdicts::find(const Circumstances& where, Operation operation, int size_class) const {
  for (const Verdict& v : verdicts_)
    if (same_question(v, where, operation, size_class)) return &v;
  return nullptr;
}

void Verdicts::learn(Verdict verdict) {
  std::erase_if(verdicts_, [&](const Verdict& v) {
    return same_question(v, verdict.where, verdict.operation, verdict.size_class);
  });
  verdicts_.push_back(std::move(verdict));
}

std::string Verdicts::text() const {
  Json all = Json::array();
  for (const Verdict& v : verdicts_) all.push_back(json_of(v));
  return Json{{"format", format_name}, {"verdicts", all}}.dump(1) + "\n";
}

Verdicts Verdicts::parse(std::string_view text, std::string_view where) {
  try {
    const Json j = Json::parse(text);
    if (j.at("format") != format_name)
      throw Error(Error::Kind::format, "expected the format " + base::quoted(format_name));
    Verdicts verdicts;
    for (const Json& v : j.at("verdicts")) verdicts.learn(verdict_of(v));
    return verdicts;
  } catch (const Error& error) {
    throw Error(Error::Kind::format, fmt::format("{}: {}", where, error.what()));
  } catch (const Json::exception&) {
    throw Error(Error::Kind::format,
                fmt::format("{}: not what a trial has written; name another file, or delete it and start anew", where));
  }
}

std::string read_file(const std::string& path, std::string_view what) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const std::streamoff size = file ? static_cast<std::streamoff>(file.tellg()) : -1;
  if (size < 0 || size > longest_file)
    throw Error(Error::Kind::argument,
                fmt::format("{} {}: {}", what, base::quoted(path), size < 0 ? "no such file" : "longer than 16 MiB"));
  std::string text(static_cast<std::size_t>(size), '\0');
  file.seekg(0);
  if (!file.read(text.data(), size))
    throw Error(Error::Kind::argument, fmt::format("{} {}: cannot be read", what, base::quoted(path)));
  return text;
}

void write_file(const std::string& path, std::string_view text, std::string_view what) {
  try {
    files::write_file(path, text);
  } catch (const Error& error) {
    throw Error(error.kind(), fmt::format("{}: {}", what, error.what()));
  }
}

}  // namespace quadrille::dropin
