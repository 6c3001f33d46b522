// Where in a machine file something stands, to say what is wrong with it; and lines of text from there.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "base/text.hpp"
#include "base/toml.hpp"

namespace quadrille::machine {

constexpr std::size_t most_text = 1000;  ///< bytes of a name, description or source

/// What went wrong in which file, and on which line.
class Place {
 public:
  explicit Place(std::string_view where) : file_(fmt::format("machine file {}", base::quoted(where, 200))) {}
  std::string file() const { return file_; }
  std::string line(const toml::source_region& source) const {
    return fmt::format("{}, line {}", file_, source.begin.line);
  }
  [[noreturn]] void fail(const toml::source_region& source, std::string_view message) const {
    throw Error(Error::Kind::format, fmt::format("{}: {}", line(source), message));
  }

 private:
  std::string file_;
};

inline std::string_view type_name(const toml::node& node) {
  if (node.is_table()) return "a table";
  if (node.is_array()) return "an array";
  if (node.is_string()) return "text";
  if (node.is_integer() || node.is_floating_point()) return "a number";
  return node.is_boolean() ? "true or false" : "a date or time";
}

/// A name, description or source: one line, short enough to print, without control characters.
inline std::string read_line(const toml::node& node, std::string_view key, const Place& place) {
  const auto text = node.value_exact<std::string>();
  if (!text) place.fail(node.source(), fmt::format("{} is {}; expected text in quotes", key, type_name(node)));
  for (std::size_t i = 0; i < text->size(); ++i) {
    const auto c = static_cast<unsigned char>((*text)[i]);
    const bool c1 = c == 0xC2 && i + 1 < text->size() && static_cast<unsigned char>((*text)[i + 1]) < 0xA0;
    if (c < 32 || c == 127 || c1)
      place.fail(node.source(), fmt::format("{} holds a control character; expected one line of text", key));
  }
  if (text->empty() || text->size() > most_text)
    place.fail(node.source(), fmt::format("{} has {} bytes; expected 1 to {}", key, text->size(), most_text));
  return *text;
}

}  // namespace quadrille::machine
