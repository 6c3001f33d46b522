#include "json_schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <stdexcept>

namespace quadrille {

using Json = nlohmann::json;

namespace {

bool is_of(const Json& value, const std::string& type) {
  if (type == "null") return value.is_null();
  if (type == "boolean") return value.is_boolean();
  if (type == "integer") return value.is_number_integer();
  if (type == "number") return value.is_number();
  if (type == "string") return value.is_string();
  if (type == "array") return value.is_array();
  if (type == "object") return value.is_object();
  throw std::runtime_error("a schema has an unknown type: " + type);
}

bool is_of_any(const Json& value, const Json& types) {
  if (types.is_string()) return is_of(value, types);
  return std::any_of(types.begin(), types.end(), [&](const Json& type) { return is_of(value, type); });
}

/// A word that is not checked here must not look as if it were.
void require_known(const Json& schema) {
  static const std::set<std::string> known{"$schema",    "$id",         "$defs", "$ref",
                                           "title",      "description", "type",  "anyOf",
                                           "properties", "required",    "items", "additionalProperties",
                                           "minimum",    "enum"};
  for (const auto& [word, value] : schema.items())
    if (!known.contains(word)) throw std::runtime_error("a schema has an unknown word: " + word);
}

}  // namespace

const Json& JsonSchemas::file(const std::string& name) {
  const auto [found, fresh] = files_.try_emplace(name);
  if (fresh) {
    std::ifstream stream(folder_ / name);
    if (!stream) throw std::runtime_error("no schema " + name);
    found->second = Json::parse(stream);
  }
  return found->second;
}

JsonSchemas::Place JsonSchemas::resolved(Place at) {
  while (at.schema->contains("$ref")) {
    const std::string reference = at.schema->at("$ref");
    const auto hash = reference.find('#');
    if (hash > 0) at.file = reference.substr(0, hash);
    at.schema = &file(at.file).at(Json::json_pointer(reference.substr(hash + 1)));
  }
  return at;
}

void JsonSchemas::check(Place at, const Json& value, const std::string& where, std::vector<std::string>& wrong) {
  at = resolved(at);
  const Json& schema = *at.schema;
  require_known(schema);
  if (schema.contains("type") && !is_of_any(value, schema["type"])) {
    wrong.push_back(fmt::format("{} is {}, not {}", where, value.dump().substr(0, 60), schema["type"].dump()));
    return;
  }
  if (schema.contains("enum") && std::find(schema["enum"].begin(), schema["enum"].end(), value) == schema["enum"].end())
    wrong.push_back(fmt::format("{} is {}, none of {}", where, value.dump().substr(0, 60), schema["enum"].dump()));
  if (schema.contains("minimum") && value.is_number() && value.get<double>() < schema["minimum"].get<double>())
    wrong.push_back(fmt::format("{} is {}", where, value.dump()));
  if (value.is_object()) check_object(at, value, where, wrong);
  if (value.is_array() && schema.contains("items"))
    for (std::size_t i = 0; i < value.size() && wrong.size() < 20; ++i)
      check({at.file, &schema["items"]}, value[i], fmt::format("{}[{}]", where, i), wrong);
  if (!schema.contains("anyOf")) return;
  std::vector<std::string> best;
  for (const Json& one : schema["anyOf"]) {
    std::vector<std::string> these;
    check({at.file, &one}, value, where, these);
    if (these.empty()) return;
    if (best.empty() || these.size() < best.size()) best = std::move(these);
  }
  wrong.insert(wrong.end(), best.begin(), best.end());
}

void JsonSchemas::check_object(const Place& at, const Json& value, const std::string& where,
                               std::vector<std::string>& wrong) {
  const Json none = Json::object();
  const Json& schema = *at.schema;
  const Json& properties = schema.contains("properties") ? schema["properties"] : none;
  if (schema.contains("required"))
    for (const Json& name : schema["required"])
      if (!value.contains(name.get<std::string>())) wrong.push_back(fmt::format("{} has no {}", where, name.dump()));
  for (const auto& [name, member] : value.items()) {
    const std::string place = fmt::format("{}.{}", where, name);
    if (properties.contains(name))
      check({at.file, &properties[name]}, member, place, wrong);
    else if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object())
      check({at.file, &schema["additionalProperties"]}, member, place, wrong);
    else if (schema.contains("additionalProperties") && schema["additionalProperties"] == false)
      wrong.push_back(place + " is not in the schema");
  }
}

std::vector<std::string> JsonSchemas::complaints(const std::string& name, const Json& value) {
  std::vector<std::string> wrong;
  const std::string in = name + ".json";
  check({in, &file(in)}, value, name, wrong);
  return wrong;
}

std::set<std::string> JsonSchemas::names(const std::string& name) {
  std::set<std::string> all;
  std::vector<const Json*> left{&file(name + ".json")};
  while (!left.empty()) {
    const Json& json = *left.back();
    left.pop_back();
    if (json.is_object() && json.contains("properties"))
      for (const auto& [property, schema] : json["properties"].items()) all.insert(property);
    if (json.is_structured())  // a value would be its own child
      for (const Json& child : json) left.push_back(&child);
  }
  return all;
}

}  // namespace quadrille
