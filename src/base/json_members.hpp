// Members of JSON that comes from outside.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "quadrille/base.hpp"

namespace quadrille::base {

/// "'root' is missing or wrong: expected ...".
Error wrong_member(std::string_view key, std::string_view expected);

/// Members of an object; each throws Error(format) naming the key when it is missing or of another kind.
const nlohmann::ordered_json& member(const nlohmann::ordered_json& object, const char* key);
std::string text_member(const nlohmann::ordered_json& object, const char* key);
std::int64_t whole_member(const nlohmann::ordered_json& object, const char* key, std::int64_t low, std::int64_t high);
double number_member(const nlohmann::ordered_json& object, const char* key);

}  // namespace quadrille::base
