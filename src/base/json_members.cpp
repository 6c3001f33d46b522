#include "base/json_members.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace quadrille::base {

namespace {

using Json = nlohmann::ordered_json;

}  // namespace

Error wrong_member(std::string_view key, std::string_view expected) {
  return Error(Error::Kind::format, fmt::format("'{}' is missing or wrong: expected {}", key, expected));
}

const Json& member(const Json& object, const char* key) {
  if (!object.is_object() || !object.contains(key)) throw wrong_member(key, "a member of that name");
  return object.at(key);
}

std::string text_member(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_string()) throw wrong_member(key, "text");
  return value.get<std::string>();
}

std::int64_t whole_member(const Json& object, const char* key, std::int64_t low, std::int64_t high) {
  const Json& value = member(object, key);
  const auto refuse = [&] { return wrong_member(key, fmt::format("a whole number from {} to {}", low, high)); };
  if (!value.is_number_integer()) throw refuse();
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(high)) throw refuse();
  const auto number = value.get<std::int64_t>();
  if (number < low || number > high) throw refuse();
  return number;
}

double number_member(const Json& object, const char* key) {
  const Json& value = member(object, key);
  if (!value.is_number()) throw wrong_member(key, "a number");
  return value.get<double>();
}

}  // namespace quadrille::base
