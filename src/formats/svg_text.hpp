// How wide text is drawn, as far as that can be known without a font.
#pragma once

#include <algorithm>
#include <string_view>

namespace quadrille::formats {

constexpr double char_width = 7;  ///< pixels

/// Of text in UTF-8.
inline double text_width(std::string_view text) {
  return char_width *
         static_cast<double>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

}  // namespace quadrille::formats
