#include "console/picture.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>

namespace quadrille::console {

void add_ascii(CLI::App& command, bool& ascii) {
  command.add_flag("--ascii", ascii, "Pictures in plain ASCII; that is also so where the locale is not UTF-8");
}

bool unicode_pictures(bool ascii) {
  if (ascii) return false;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string text(value);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text.find("UTF-8") != std::string::npos || text.find("UTF8") != std::string::npos;
  }
  return false;
}

const std::vector<std::string>& shades(bool unicode) {
  static const std::vector<std::string> signs{"\u00b7", "\u2581", "\u2582", "\u2583", "\u2584",
                                              "\u2585", "\u2586", "\u2587", "\u2588"};
  static const std::vector<std::string> digits{".", "1", "2", "3", "4", "5", "6", "7", "8"};
  return unicode ? signs : digits;
}

void Bar::add(double part, const Sign& sign) {
  sum_ += part;
  const double end = std::clamp(static_cast<double>(columns_) * sum_ / scale_, 0.0, static_cast<double>(columns_));
  for (const auto until = static_cast<std::size_t>(std::lround(end)); drawn_ < until; ++drawn_)
    text_ += sign.text(unicode_);
}

}  // namespace quadrille::console
