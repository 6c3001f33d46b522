// Text inside XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace quadrille::formats {

/// `text` for element content and quoted attributes. Bytes that are not UTF-8, and characters XML does not allow,
/// become U+FFFD.
std::string xml_escaped(std::string_view text);

}  // namespace quadrille::formats
