// Elements and attributes of an XML file, with the lines they stand on.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quadrille/base.hpp"

namespace quadrille::interchange {

struct XmlElement {
  std::string name;
  std::vector<std::pair<std::string, std::string>> attributes = {};
  std::vector<XmlElement> children = {};
  std::int64_t line = 0;

  const std::string* find(std::string_view key) const;  ///< null: there is no such attribute
  std::string text(std::string_view key, std::string_view otherwise = {}) const;
  bool is(std::string_view wanted) const { return name == wanted; }
};

/// What is said of a place in a file: "'a.xml', line 3: <why>". An Error(format).
[[noreturn]] void refuse_line(std::string_view file, std::int64_t line, const std::string& why);

/// The value of an attribute as a whole number; throws Error(format) with the line where it is missing or no such.
std::int64_t whole_attribute(const XmlElement& element, std::string_view key, std::int64_t low, std::int64_t high,
                             std::string_view file);
std::int64_t whole_attribute(const XmlElement& element, std::string_view key, std::int64_t low, std::int64_t high,
                             std::string_view file, std::int64_t otherwise);

/// The root of the file's tree. Text between tags is left out. Throws Error(format) with the line for what is no XML,
/// for entities that a file defines itself, for elements nested deeper than 100, and for more than 2^22 elements.
XmlElement parse_xml(const std::string& text, std::string_view file);

}  // namespace quadrille::interchange
