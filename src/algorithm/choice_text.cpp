// Choices as text: "alltoall_mce:phases=3,3", "bcast_levels:inner=(bcast_binomial):outer=(bcast_chain:packets=4)".
#include <fmt/format.h>

#include <algorithm>

#include "algorithm/from_file.hpp"
#include "base/text.hpp"
#include "quadrille/algorithm.hpp"

namespace quadrille {

namespace {

constexpr int most_nested = 8;

/// The parts between colons that stand in no parentheses.
std::vector<std::string_view> outer_parts(std::string_view text) {
  std::vector<std::string_view> parts;
  std::size_t start = 0;
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '(') ++depth;
    if (text[i] == ')') --depth;
    if (depth < 0 || depth > most_nested) break;
    if (text[i] == ':' && depth == 0) parts.push_back(text.substr(start, i - start)), start = i + 1;
  }
  if (depth != 0)
    throw Error(Error::Kind::argument,
                fmt::format("algorithm {}: expected a ')' for each '(', and at most {} inside each other",
                            base::quoted(text), most_nested));
  parts.push_back(text.substr(start));
  return parts;
}

std::string_view form_of(const Parameter& parameter) {
  return parameter.is_choice ? "(an algorithm)" : parameter.is_list ? "a,b,..." : "a number";
}

const Parameter& find_parameter(const Algorithm& a, std::string_view key, std::string_view text) {
  if (a.parameters.empty())
    throw Error(Error::Kind::argument,
                fmt::format("algorithm {}: '{}' takes no parameters", base::quoted(text), a.name));
  std::vector<std::string> names;
  for (const Parameter& p : a.parameters) {
    if (p.name == key) return p;
    names.emplace_back(p.name);
  }
  base::unknown_name(fmt::format("parameter of {}", a.name), key, "name", names);
}

std::string read_choice(std::string_view value, std::string_view key, std::string_view text) {
  if (value.size() < 2 || value.front() != '(' || value.back() != ')')
    throw Error(Error::Kind::argument,
                fmt::format("algorithm {}: expected {}=(an algorithm), in parentheses", base::quoted(text), key));
  const Choice inner = parse_choice(value.substr(1, value.size() - 2));
  return to_text(*inner.algorithm, inner.params);
}

std::vector<std::int64_t> read_values(std::string_view value, const Parameter& parameter, const Algorithm& a,
                                      std::string_view text) {
  std::vector<std::int64_t> values;
  for (const std::string_view item : base::split(value, ','))
    values.push_back(
        base::parse_integer(item, parameter.low, parameter.high, fmt::format("{} of {}", parameter.name, a.name)));
  if (values.size() > (parameter.is_list ? 64U : 1U))
    throw Error(Error::Kind::argument,
                fmt::format("algorithm {}: too many values for {}", base::quoted(text), parameter.name));
  return values;
}

}  // namespace

Choice parse_choice(std::string_view text) {
  if (text.starts_with(algorithm::file_prefix)) return algorithm::choice_of_file(text);
  const std::vector<std::string_view> parts = outer_parts(text);
  Choice choice{&find_algorithm(parts[0]), {}};
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const auto equals = parts[i].find('=');
    const std::string_view key = parts[i].substr(0, equals);
    const Parameter& known = find_parameter(*choice.algorithm, key, text);
    if (equals == std::string_view::npos || choice.params.has(key))
      throw Error(Error::Kind::argument,
                  fmt::format("algorithm {}: expected {}={} once", base::quoted(text), key, form_of(known)));
    const std::string_view value = parts[i].substr(equals + 1);
    if (known.is_choice)
      choice.params.set_choice(std::string(key), read_choice(value, key, text));
    else
      choice.params.set(std::string(key), read_values(value, known, *choice.algorithm, text));
  }
  return choice;
}

std::string to_text(const Algorithm& algorithm, const Params& params) {
  if (algorithm::is_from_file(algorithm)) return algorithm::text_of_file(params);
  std::string text(algorithm.name);
  for (const auto& [key, values] : params.values()) text += fmt::format(":{}={}", key, base::join(values, ","));
  for (const auto& [key, choice] : params.choices()) text += fmt::format(":{}=({})", key, choice);
  return text;
}

}  // namespace quadrille
