// What pictures for a terminal are made of: signs in Unicode with plain ASCII for the rest, shades, and bars.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "console/command.hpp"

namespace quadrille::console {

/// Columns and rows of pictures: more cells than that share a character or a row.
constexpr std::size_t most_columns = 64, most_rows = 32;

/// --ascii of a command that has pictures.
void add_ascii(CLI::App& command, bool& ascii);
/// Whether pictures are in Unicode: the locale says that stdout takes it, and nobody asked for ASCII.
bool unicode_pictures(bool ascii);

/// A sign, and what stands for it where there is only ASCII.
struct Sign {
  std::string_view unicode, plain;
  std::string_view text(bool in_unicode) const { return in_unicode ? unicode : plain; }
};
constexpr Sign full{"\u2588", "#"}, dark{"\u2593", "="}, medium{"\u2592", "-"}, light{"\u2591", ":"},
    line{"\u2502", "|"}, dot{"\u00b7", "."};

/// Shades from nothing to the whole; the first is of what is none at all.
const std::vector<std::string>& shades(bool unicode);

/// A bar of parts: each ends where the sum up to it ends, so that the bar has the right length.
class Bar {
 public:
  /// `columns` characters for the whole, `scale`; what is longer is cut off.
  Bar(std::size_t columns, double scale, bool unicode) : columns_(columns), scale_(scale), unicode_(unicode) {}
  void add(double part, const Sign& sign);
  const std::string& text() const { return text_; }
  /// Blanks up to the whole.
  std::string rest() const { return std::string(columns_ - drawn_, ' '); }

 private:
  std::size_t columns_;
  double scale_;
  bool unicode_;
  double sum_ = 0;
  std::size_t drawn_ = 0;
  std::string text_;
};

}  // namespace quadrille::console
