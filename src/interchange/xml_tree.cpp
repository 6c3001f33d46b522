#include "interchange/xml_tree.hpp"

#include <fmt/format.h>

#include "base/text.hpp"

namespace quadrille::interchange {

const std::string* XmlElement::find(std::string_view key) const {
  for (const auto& [name_of, value] : attributes)
    if (name_of == key) return &value;
  return nullptr;
}

std::string XmlElement::text(std::string_view key, std::string_view otherwise) const {
  const std::string* value = find(key);
  return value != nullptr ? *value : std::string(otherwise);
}

void refuse_line(std::string_view file, std::int64_t line, const std::string& why) {
  throw Error(Error::Kind::format, fmt::format("{}, line {}: {}", base::quoted(file, 200), line, why));
}

std::int64_t whole_attribute(const XmlElement& element, std::string_view key, std::int64_t low, std::int64_t high,
                             std::string_view file) {
  const std::string* value = element.find(key);
  const auto expected = [&] { return fmt::format("expected a whole number from {} to {}", low, high); };
  if (value == nullptr)
    refuse_line(file, element.line, fmt::format("<{}> has no {}; {}", base::quoted(element.name), key, expected()));
  try {
    return base::parse_integer(*value, low, high, key);
  } catch (const Error&) {
    refuse_line(file, element.line, fmt::format("{}={}; {}", key, base::quoted(*value), expected()));
  }
}

std::int64_t whole_attribute(const XmlElement& element, std::string_view key, std::int64_t low, std::int64_t high,
                             std::string_view file, std::int64_t otherwise) {
  return element.find(key) == nullptr ? otherwise : whole_attribute(element, key, low, high, file);
}

}  // namespace quadrille::interchange
